/**
 * What becomes of an operation that nobody can find out about, where nobody is asked: a table of
 * the configuration, by kind, provider and price. The first row that fits decides; without one, a
 * person does.
 *
 * <p>A row only speaks where there is no way to know: what can still be found out is found out, and
 * where several tasks fit a person decides in any case. To send again without proof is done once.
 */
@NullMarked
package dev.tollgate.reconciler.policy;

import org.jspecify.annotations.NullMarked;
