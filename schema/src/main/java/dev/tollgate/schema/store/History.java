package dev.tollgate.schema.store;

import java.time.Instant;
import java.util.UUID;

/**
 * One history of the data: what was committed from one beginning on, without a gap.
 *
 * @param id names it for ever, and in places that outlive it: offsets, marks
 * @param place where it is kept, see {@link Histories}
 * @param since when its data was first found there, by the database's clock
 * @param earlier whether the data had another history before, of which commits may be missing
 * @param suspected operations that count as possibly sent because of that
 * @param ready whether all of them were found
 * @param by who found it
 */
public record History(
    UUID id,
    String place,
    Instant since,
    boolean earlier,
    long suspected,
    boolean ready,
    String by) {}
