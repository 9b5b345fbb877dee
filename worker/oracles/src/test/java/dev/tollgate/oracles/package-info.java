/**
 * What the services' own Java clients put on the wire, next to what the shipped descriptors put
 * there for the same intent, both taken down by the same server; and how often each client sends
 * one create by itself when that server misbehaves. The page for it is {@code wire-oracles.md}.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.oracles;
