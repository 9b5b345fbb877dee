@org.jspecify.annotations.NullMarked
package dev.tollgate.cli;
