package dev.tollgate.worker.metrics;

/** The catalogue of meters. Names are contracts: they are never reused for something else. */
public enum Meter {
  RECORDS(
      "tollgate.intake.records",
      "records taken in, by what became of them (stored, duplicate, dead_letter)"),
  BATCH("tollgate.intake.batch", "time from poll to durable"),
  DEAD_LETTERS("tollgate.dead.letters", "records that could not be handled, by code"),
  HELD_BACK(
      "tollgate.intake.held.back",
      "records held back because another worker was at their operations"),
  BROUGHT_BACK(
      "tollgate.intake.brought.back",
      "intents that a lost history of the database had known; they count as possibly sent"),
  GENERATIONS(
      "tollgate.generations",
      "next generations of outputs stored, by provider and cause (policy, request)"),
  GENERATIONS_LEFT(
      "tollgate.generations.left",
      "failed operations that the policy asked no next generation for, by provider and why"),
  BACKLOG(
      "tollgate.operations.backlog",
      "prepared operations that wait for a slot, by provider, counted up to the bound"),
  IN_FLIGHT("tollgate.sends.in.flight", "slots in use, by provider"),
  CLAIMS("tollgate.claims", "prepared operations claimed, by provider"),
  SENDS("tollgate.sends", "time of one attempt, by provider and verdict"),
  BUDGET_HELD(
      "tollgate.budgets.held",
      "times that an operation was put off or refused because of a budget, by provider and result (wait, refuse)"),
  BREAKER(
      "tollgate.breaker.state",
      "how a provider is protected: 0 closed, 1 widening after the start, 2 half open, 3 open"),
  SLOTS("tollgate.sends.slots", "most sends at once that are let through now, by provider"),
  OPENINGS(
      "tollgate.breaker.openings", "breakers opened, by provider and cause (unknown, throttled)"),
  HELD_SLOTS(
      "tollgate.sends.slots.held",
      "share of a provider's slots that is held back now, from 0 to 1, by provider and why (unknown,"
          + " throttled, asked, start)"),
  LOOK_SLOTS("tollgate.looks.slots", "most looks at once that are let through now, by provider"),
  LOOK_SLOTS_HELD(
      "tollgate.looks.slots.held",
      "share of a provider's looks that is held back now, from 0 to 1, by provider and why (unknown,"
          + " throttled, asked, start)"),
  LOOK_OPENINGS(
      "tollgate.looks.openings",
      "times that a provider was left alone by looks, by provider and cause (unknown, throttled)"),
  THROTTLE_PAUSES("tollgate.throttle.pauses", "pauses that a provider asked for, by provider"),
  CHANGES("tollgate.changes", "changes of operations stored, by from, to and reason"),
  STALE(
      "tollgate.changes.stale",
      "changes dropped because another claim was the newest (STALE_FENCE)"),
  REFUSED("tollgate.changes.refused", "changes that the database refused: a defect"),
  WRITE("tollgate.changes.write", "time of one statement that stores changes"),
  SUSPECTED("tollgate.suspected.duplicates", "remote tasks that a settled operation does not have"),
  FOLLOWED("tollgate.follow.answers", "answers about accepted tasks, by provider and answer"),
  OUTPUTS("tollgate.outputs.stored", "bytes of stored outputs, by provider"),
  EVENTS(
      "tollgate.webhooks.received", "webhooks and callbacks, by provider and what became of them"),
  UNMATCHED("tollgate.webhooks.unmatched", "events that belong to no operation, by provider"),
  CONTRADICTED(
      "tollgate.webhooks.contradicted",
      "events that say otherwise than their operation ended, by provider"),
  READERS("tollgate.streams.readers", "readers of streams that are connected now"),
  READS("tollgate.streams.requests", "requests of readers, by what was answered"),
  READ_ENDS("tollgate.streams.closed", "connections of readers that are over, by why"),
  CHUNKS_READ("tollgate.streams.chunks", "chunks that readers' sockets took"),
  DUPLICATE_OUTPUTS(
      "tollgate.outputs.duplicate",
      "outputs with the same bytes as another operation's, by provider"),
  OUTPUT_TROUBLE(
      "tollgate.outputs.trouble",
      "outputs that were gone or invalid, by provider and code; and result: again, person"),
  STREAMS("tollgate.streams.live", "streams that are read by this worker"),
  STREAMS_ENDED(
      "tollgate.streams.ended",
      "streams read to where they end, by provider and how (ended, cut, missing, conflict)"),
  STREAMS_RESUMED("tollgate.streams.resumed", "streams that were asked for again, by provider"),
  CHUNKS_WRITE("tollgate.chunks.write", "time of one statement that stores chunks"),
  CHUNKS("tollgate.chunks.stored", "chunks handed in to be stored"),
  CHUNKS_REFUSED("tollgate.chunks.refused", "streams whose chunks were not stored, by reason"),
  WAITING(
      "tollgate.operations.waiting",
      "operations that are neither finished nor being sent, by provider and what they wait for"
          + " (claim, look, follow, person)"),
  WAITING_OLDEST(
      "tollgate.operations.waiting.oldest",
      "seconds that the first of these has been in its state"),
  SWEPT("tollgate.leases.lost", "operations whose lease ran out before an outcome was recorded"),
  LOOKS("tollgate.looks", "looks at unknown operations, by provider and result"),
  DUPLICATE_TASKS(
      "tollgate.duplicate.tasks",
      "tasks that one operation has beyond the one it needs, by provider and how they ended"),
  FORGOTTEN(
      "tollgate.retention.forgotten",
      "ended operations of which nothing but the tombstone of their key is kept any more"),
  RELAYED("tollgate.outbox.relayed", "events that the broker acknowledged"),
  CHUNKS_RELAYED("tollgate.chunks.relayed", "chunks of streams that the broker acknowledged");

  private final String meterName;
  private final String help;

  Meter(String meterName, String help) {
    this.meterName = meterName;
    this.help = help;
  }

  public String meterName() {
    return meterName;
  }

  public String help() {
    return help;
  }
}
