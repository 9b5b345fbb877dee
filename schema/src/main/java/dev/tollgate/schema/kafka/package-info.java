/**
 * Kafka clients as Tollgate needs them, and dead letters.
 *
 * <p>Producers are idempotent and wait for all replicas; nothing rests on a Kafka transaction.
 * Consumers never commit by themselves and never skip what they have not read: {@code
 * auto.offset.reset} is {@code earliest} or {@code none} (rule 14). Whatever cannot be understood
 * keeps its bytes: a dead letter is the record as it was, with headers added.
 */
@org.jspecify.annotations.NullMarked
package dev.tollgate.schema.kafka;
