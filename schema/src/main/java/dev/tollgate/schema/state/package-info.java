/**
 * The states of an operation and the one table of transitions between them.
 *
 * <p>The same table stands in the database as the trigger {@code operation_transition_is_allowed};
 * a test walks every pair of states with every reason through both and demands one answer.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.schema.state;
