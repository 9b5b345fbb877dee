/**
 * The events that Tollgate takes and gives, on the topics of {@link Topics}.
 *
 * <p>What comes in is decoded by functions that never throw: a record is an event, or it is {@link
 * Refused} with a code, whatever its bytes. A request is read strictly (closed schema, limits, the
 * record key must be the operation key of the body), because it spends money. A result is read
 * leniently (unknown members are skipped), because consumers outlive producers.
 *
 * <p>What asks for the next generation of an output is a request like any other ({@link
 * NextGeneration}).
 *
 * <p>Events are CloudEvents 1.0 in the Kafka binary mode; a request may also be plain JSON without
 * the headers. The JSON Schemas lie beside this package as resources, {@code events/*.json} and
 * {@code asyncapi.yaml}.
 */
@NullMarked
package dev.tollgate.schema.event;

import org.jspecify.annotations.NullMarked;
