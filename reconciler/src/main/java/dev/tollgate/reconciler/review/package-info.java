/**
 * What people may decide about an operation, and what stands against it. The rules are the same for
 * every tool through which somebody decides; the store holds those that must not be broken.
 */
@NullMarked
package dev.tollgate.reconciler.review;

import org.jspecify.annotations.NullMarked;
