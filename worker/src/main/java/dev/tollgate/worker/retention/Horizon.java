package dev.tollgate.worker.retention;

import dev.tollgate.schema.config.RetentionConfig;
import dev.tollgate.schema.config.WebhooksConfig;
import dev.tollgate.schema.kafka.KeptMessages;
import dev.tollgate.worker.provider.ProviderTiming;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How long something may still be needed.
 *
 * @param time from the end of an operation, or the sending of a message
 * @param because what takes that long
 */
public record Horizon(Duration time, String because) {

  /** The longer one; this one where both are as long. */
  Horizon or(Horizon other) {
    return other.time.compareTo(time) > 0 ? other : this;
  }

  private Horizon or(Optional<Duration> other, String because) {
    return other.map(time -> or(new Horizon(time, because))).orElse(this);
  }

  /** What holds for all providers. */
  static Horizon ofAll(
      RetentionConfig retention, WebhooksConfig webhooks, List<KeptMessages> topics) {
    Horizon horizon =
        new Horizon(retention.billingWindow(), "retention.billing-window")
            .or(new Horizon(retention.auditWindow(), "retention.audit-window"))
            .or(new Horizon(webhooks.keptFor(), "webhooks.kept-for"))
            .or(new Horizon(webhooks.unmatchedFor(), "webhooks.unmatched-for"));
    for (KeptMessages topic : topics) {
      if (topic instanceof KeptMessages.For kept) {
        horizon = horizon.or(new Horizon(kept.longest(), "the retention of topic " + kept.topic()));
      }
    }
    return horizon;
  }

  /** The same, and what a provider needs. */
  Horizon and(ProviderTiming timing) {
    return or(timing.listedFor(), "how long the provider lists a task")
        .or(timing.promiseRetention(), "how long the provider remembers a key")
        .or(
            new Horizon(
                timing.submitDeadline().plus(timing.horizonAfter()).plus(timing.callbackWait()),
                "how long a callback is waited for"));
  }
}
