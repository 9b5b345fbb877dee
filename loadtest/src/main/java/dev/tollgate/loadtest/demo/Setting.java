package dev.tollgate.loadtest.demo;

import dev.tollgate.schema.event.Topics;
import dev.tollgate.schema.kafka.Clients;
import java.nio.file.Path;
import org.jooq.DSLContext;

/**
 * Where a run finds what it needs.
 *
 * @param db of {@code Database.forReading}
 * @param workerGroup the consumer group of the workers
 * @param outputs folder of stored outputs
 * @param ledger the provider's ledger
 * @param details where all that is known of operations that break a rule is written
 */
public record Setting(
    DSLContext db,
    Clients kafka,
    Topics topics,
    String workerGroup,
    Path outputs,
    Path ledger,
    Path details) {}
