package dev.tollgate.worker.metrics;

import java.util.List;

/**
 * The catalogue of meters: every meter of worker and reconciler is one of these, registered through
 * {@link Catalogue} alone. Names and tags are contracts: they are never reused for something else.
 * The page {@code worker/docs/metrics.md} is made from it.
 */
public enum Meter {
  // Intake
  RECORDS(
      Kind.COUNTER,
      "tollgate.intake.records",
      "",
      "records taken in, by what became of them (stored, duplicate, dead_letter)",
      "result"),
  BATCH(
      Kind.TIMER,
      "tollgate.intake.batch",
      "seconds",
      "time from the poll of a batch to its commit in the database"),
  DEAD_LETTERS(
      Kind.COUNTER,
      "tollgate.dead.letters",
      "",
      "records that could not be handled, by code",
      "code"),
  HELD_BACK(
      Kind.COUNTER,
      "tollgate.intake.held.back",
      "",
      "records held back because another worker was at their operations"),
  BROUGHT_BACK(
      Kind.COUNTER,
      "tollgate.intake.brought.back",
      "",
      "intents that a lost history of the database had known; they count as possibly sent"),
  GENERATIONS(
      Kind.COUNTER,
      "tollgate.generations",
      "",
      "next generations of outputs stored, by cause (policy, request)",
      "provider",
      "cause"),
  GENERATIONS_LEFT(
      Kind.COUNTER,
      "tollgate.generations.left",
      "",
      "failed operations that the policy asked no next generation for, by why",
      "provider",
      "why"),
  LAG(
      Kind.GAUGE,
      "tollgate.intake.lag",
      "",
      "records of the assigned partitions that were not fetched yet"),
  LAG_AGE(
      Kind.GAUGE,
      "tollgate.intake.lag.age",
      "seconds",
      "age of the oldest record of the last batch while something is left to read or to store, else 0"),
  // The gate
  GATE_ANSWERS(
      Kind.COUNTER,
      "tollgate.gate.answers",
      "",
      "answers of the gate, by kind; those that are neither acquired nor unavailable saved a statement",
      "answer"),
  GATE_ERRORS(
      Kind.COUNTER,
      "tollgate.gate.errors",
      "",
      "calls and single replies of Redis that the gate could not use"),
  GATE_CALLS(
      Kind.TIMER,
      "tollgate.gate.calls",
      "seconds",
      "time of one pipeline of Redis, answered whole or failed",
      "result"),
  GATE_CONNECTIONS(
      Kind.GAUGE, "tollgate.gate.connections", "", "connections to Redis that carry a call now"),
  GATE_OPEN(
      Kind.GAUGE,
      "tollgate.gate.open",
      "",
      "1 while the breaker keeps Redis out of the way, 0 while Redis is asked"),
  // Sending
  BACKLOG(
      Kind.GAUGE,
      "tollgate.operations.backlog",
      "",
      "prepared operations that wait for a slot, counted up to the bound",
      "provider"),
  IN_FLIGHT(Kind.GAUGE, "tollgate.sends.in.flight", "", "slots in use", "provider"),
  CLAIMS(Kind.COUNTER, "tollgate.claims", "", "prepared operations claimed", "provider"),
  SENDS(
      Kind.TIMER,
      "tollgate.sends",
      "seconds",
      "time of one attempt, by the code of its outcome",
      "provider",
      "verdict"),
  BUDGET_HELD(
      Kind.COUNTER,
      "tollgate.budgets.held",
      "",
      "times that an operation was put off or refused because of a budget (wait, refuse)",
      "provider",
      "result"),
  BREAKER(
      Kind.GAUGE,
      "tollgate.breaker.state",
      "",
      "how a provider is protected: 0 closed, 1 widening after the start, 2 half open, 3 open",
      "provider"),
  SLOTS(
      Kind.GAUGE,
      "tollgate.sends.slots",
      "",
      "most sends at once that are let through now",
      "provider"),
  OPENINGS(
      Kind.COUNTER,
      "tollgate.breaker.openings",
      "",
      "breakers opened, by cause (unknown, throttled)",
      "provider",
      "cause"),
  HELD_SLOTS(
      Kind.GAUGE,
      "tollgate.sends.slots.held",
      "",
      "share of a provider's slots that is held back now, from 0 to 1, by why (unknown, throttled,"
          + " asked, start)",
      "provider",
      "why"),
  LOOK_SLOTS(
      Kind.GAUGE,
      "tollgate.looks.slots",
      "",
      "most looks at once that are let through now",
      "provider"),
  LOOK_SLOTS_HELD(
      Kind.GAUGE,
      "tollgate.looks.slots.held",
      "",
      "share of a provider's looks that is held back now, from 0 to 1, by why (unknown, throttled,"
          + " asked, start)",
      "provider",
      "why"),
  LOOK_OPENINGS(
      Kind.COUNTER,
      "tollgate.looks.openings",
      "",
      "times that a provider was left alone by looks, by cause (unknown, throttled)",
      "provider",
      "cause"),
  THROTTLE_PAUSES(
      Kind.COUNTER, "tollgate.throttle.pauses", "", "pauses that a provider asked for", "provider"),
  CLOCK_STEPS(
      Kind.COUNTER,
      "tollgate.database.clock.steps",
      "",
      "steps of the database's clock that paused claims"),
  // Changes of operations
  CHANGES(
      Kind.COUNTER, "tollgate.changes", "", "changes of operations stored", "from", "to", "reason"),
  TOOK(
      Kind.TIMER,
      "tollgate.operations.took",
      "seconds",
      "time from intake to the end of an operation, by the database's clock",
      "provider",
      "state"),
  STALE(
      Kind.COUNTER,
      "tollgate.changes.stale",
      "",
      "changes dropped because another claim was the newest (STALE_FENCE)",
      "from"),
  REFUSED(
      Kind.COUNTER, "tollgate.changes.refused", "", "changes that the database refused: a defect"),
  WRITE(
      Kind.TIMER, "tollgate.changes.write", "seconds", "time of one statement that stores changes"),
  SUSPECTED(
      Kind.COUNTER,
      "tollgate.suspected.duplicates",
      "",
      "remote tasks that a settled operation does not have",
      "provider"),
  // Following and outputs
  FOLLOWED(
      Kind.COUNTER,
      "tollgate.follow.answers",
      "",
      "answers about accepted tasks, by kind",
      "provider",
      "answer"),
  OUTPUTS(Kind.SUMMARY, "tollgate.outputs.stored", "bytes", "sizes of stored outputs", "provider"),
  DUPLICATE_OUTPUTS(
      Kind.COUNTER,
      "tollgate.outputs.duplicate",
      "",
      "outputs with the same checksum as another operation's",
      "provider"),
  OUTPUT_TROUBLE(
      Kind.COUNTER,
      "tollgate.outputs.trouble",
      "",
      "outputs that were gone, invalid or unavailable, by code, and what follows (again, person)",
      "provider",
      "code",
      "result"),
  // Webhooks
  EVENTS(
      Kind.COUNTER,
      "tollgate.webhooks.received",
      "",
      "webhooks and callbacks, by what became of them",
      "provider",
      "result"),
  UNMATCHED(
      Kind.COUNTER,
      "tollgate.webhooks.unmatched",
      "",
      "events that belong to no operation",
      "provider"),
  CONTRADICTED(
      Kind.COUNTER,
      "tollgate.webhooks.contradicted",
      "",
      "events that say otherwise than their operation ended",
      "provider"),
  // Streams
  READERS(Kind.GAUGE, "tollgate.streams.readers", "", "readers of streams that are connected now"),
  READS(
      Kind.COUNTER,
      "tollgate.streams.requests",
      "",
      "requests of readers, by what was answered",
      "result"),
  READ_ENDS(
      Kind.COUNTER,
      "tollgate.streams.closed",
      "",
      "connections of readers that are over, by why",
      "why"),
  CHUNKS_READ(Kind.COUNTER, "tollgate.streams.chunks", "", "chunks that readers' sockets took"),
  STREAMS(Kind.GAUGE, "tollgate.streams.live", "", "streams that are read by this worker"),
  STREAMS_ENDED(
      Kind.COUNTER,
      "tollgate.streams.ended",
      "",
      "streams read to where they end, by how (ended, cut, missing, conflict)",
      "provider",
      "how"),
  STREAMS_RESUMED(
      Kind.COUNTER,
      "tollgate.streams.resumed",
      "",
      "streams that were asked for again",
      "provider"),
  CHUNKS_WRITE(
      Kind.TIMER, "tollgate.chunks.write", "seconds", "time of one statement that stores chunks"),
  CHUNKS(Kind.COUNTER, "tollgate.chunks.stored", "", "chunks handed in to be stored"),
  CHUNKS_REFUSED(
      Kind.COUNTER,
      "tollgate.chunks.refused",
      "",
      "streams whose chunks were not stored, by reason",
      "reason"),
  CHUNKS_RELAYED(
      Kind.COUNTER,
      "tollgate.chunks.relayed",
      "",
      "chunks of streams that the broker acknowledged"),
  // The process
  HEALTH_FAILED(
      Kind.GAUGE,
      "tollgate.health.failed",
      "",
      "1 for a part of the process that cannot go on; why is in /health/live",
      "component"),
  // Waiting and unknown
  WAITING(
      Kind.GAUGE,
      "tollgate.operations.waiting",
      "",
      "operations that are neither finished nor being sent, by what they wait for (claim, look, follow, person)",
      "provider",
      "for"),
  WAITING_OLDEST(
      Kind.GAUGE,
      "tollgate.operations.waiting.oldest",
      "seconds",
      "how long the first of these has been in its state",
      "provider",
      "for"),
  RUNNABLE(
      Kind.GAUGE,
      "tollgate.operations.runnable",
      "",
      "prepared operations that are due and could be sent now: what workers are scaled by",
      "provider"),
  UNKNOWNS(
      Kind.GAUGE,
      "tollgate.unknowns",
      "",
      "operations whose fate is not known, a person's included, by how long (1m, 10m, 1h, 1d for less than that, and more)",
      "provider",
      "age"),
  UNKNOWNS_OLDEST(
      Kind.GAUGE,
      "tollgate.unknowns.oldest",
      "seconds",
      "how long the first of these has been unknown, or with a person",
      "provider"),
  UNKNOWN_DWELL(
      Kind.TIMER,
      "tollgate.unknowns.dwell",
      "seconds",
      "time from the begin of the last attempt to the look that settled it, by the state that followed",
      "provider",
      "to"),
  SWEPT(
      Kind.COUNTER,
      "tollgate.leases.lost",
      "",
      "operations whose lease ran out before an outcome was recorded"),
  LOOKS(
      Kind.COUNTER,
      "tollgate.looks",
      "",
      "looks at unknown operations, by the simple name of the finding, or failed",
      "provider",
      "result"),
  DUPLICATE_TASKS(
      Kind.COUNTER,
      "tollgate.duplicate.tasks",
      "",
      "tasks that one operation has beyond the one it needs, by how they ended",
      "provider",
      "ended"),
  // Retention
  FORGOTTEN(
      Kind.COUNTER,
      "tollgate.retention.forgotten",
      "",
      "ended operations of which nothing but the tombstone of their key is kept any more"),
  // Events
  RELAYED(Kind.COUNTER, "tollgate.outbox.relayed", "", "events that the broker acknowledged"),
  OUTBOX(Kind.GAUGE, "tollgate.outbox.events", "", "events that are stored and not published yet"),
  OUTBOX_OLDEST(
      Kind.GAUGE,
      "tollgate.outbox.oldest",
      "seconds",
      "how long the first of these has been stored"),
  // Money, in the configured currency
  SPENT(
      Kind.SUMMARY,
      "tollgate.money.spent",
      "",
      "prices of operations that ended with a remote task, in the configured currency; the sum by the count is the cost of one",
      "provider",
      "state"),
  SAVED(
      Kind.COUNTER,
      "tollgate.money.saved",
      "",
      "prices of sends that a retry would have paid again and that were answered from record, by why (found, duplicate)",
      "provider",
      "why"),
  UNPRICED(
      Kind.COUNTER,
      "tollgate.money.unpriced",
      "",
      "operations and answers whose price nobody knew, so that no money is counted for them (spent, saved)",
      "provider",
      "of");

  private final Kind kind;
  private final String meterName;
  private final String unit;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> tags;

  /**
   * @param unit of what is measured; empty for what is counted by the piece
   */
  Meter(Kind kind, String meterName, String unit, String help, String... tags) {
    this.kind = kind;
    this.meterName = meterName;
    this.unit = unit;
    this.help = help;
    this.tags = List.of(tags);
  }

  public Kind kind() {
    return kind;
  }

  /** The name it is registered under. */
  public String meterName() {
    return meterName;
  }

  /** {@code seconds}, {@code bytes} or {@code currency}; empty where pieces are counted. */
  public String unit() {
    return unit;
  }

  /** One sentence for people who read a dashboard. */
  public String help() {
    return help;
  }

  /** Names of its tags, in the order in which they are given. */
  public List<String> tags() {
    return tags;
  }

  /**
   * The name in Prometheus's text; a timer and a summary have it with {@code _count}, {@code _sum},
   * {@code _max}, and a timer with {@code _bucket}, too.
   */
  public String prometheusName() {
    String name = meterName.replace('.', '_');
    String measured = unit.isEmpty() || name.endsWith("_" + unit) ? name : name + "_" + unit;
    return kind == Kind.COUNTER ? measured + "_total" : measured;
  }
}
