package dev.tollgate.worker.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.kafka.KeptMessages;
import dev.tollgate.worker.provider.ProviderTiming;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

/** The longest of what somebody may need an operation for. */
final class HorizonsTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration MONTH = Duration.ofDays(30);

  private static TollgateConfig config(Map<String, String> further) {
    Map<String, String> settings =
        new TreeMap<>(
            Map.of(
                "tollgate.kafka.bootstrap-servers", "none:1",
                "tollgate.database.url", "jdbc:postgresql://none/none",
                "tollgate.retention.billing-window", "0d",
                "tollgate.retention.audit-window", "0d",
                "tollgate.webhooks.kept-for", "2d",
                "tollgate.webhooks.unmatched-for", "1d"));
    settings.putAll(further);
    return ConfigFile.read(Optional.empty(), settings);
  }

  private static ProviderTiming timing(Optional<Duration> promise, Optional<Duration> listed) {
    return new ProviderTiming(
        Duration.ofSeconds(30), DAY, DAY, DAY, promise, listed, Duration.ofHours(1));
  }

  private static final ProviderTiming PLAIN = timing(Optional.empty(), Optional.empty());

  private static Horizons.Known known(
      TollgateConfig config, Map<String, ProviderTiming> providers, KeptMessages... topics)
      throws InterruptedException {
    Horizons horizons = new Horizons(config, providers, () -> List.of(topics));
    horizons.runOnce();
    return horizons.known().orElseThrow();
  }

  @Test
  void billingAndAudit_countForAll() throws InterruptedException {
    assertThat(
            known(config(Map.of("tollgate.retention.billing-window", "60d")), Map.of("p", PLAIN))
                .of("p"))
        .isEqualTo(new Horizon(Duration.ofDays(60), "retention.billing-window"));
    assertThat(
            known(config(Map.of("tollgate.retention.audit-window", "61d")), Map.of("p", PLAIN))
                .of("p")
                .time())
        .isEqualTo(Duration.ofDays(61));
  }

  /** A setting that is too short is raised, and what raised it is told. */
  @Test
  void topics_raiseIt_byTheirRetentionAndTheLengthOfASegment() throws InterruptedException {
    Horizon horizon =
        known(
                config(Map.of()),
                Map.of("p", PLAIN),
                new KeptMessages.For("generation.requests.dlt", MONTH, DAY))
            .of("p");
    assertThat(horizon.time()).isEqualTo(MONTH.plus(DAY));
    assertThat(horizon.because()).contains("generation.requests.dlt");
  }

  @Test
  void topicThatKeepsForEver_addsNothing() throws InterruptedException {
    assertThat(
            known(
                    config(Map.of()),
                    Map.of("p", PLAIN),
                    new KeptMessages.Unbounded("generation.requests", "retention.ms is -1"))
                .of("p")
                .time())
        .isEqualTo(DAY.multipliedBy(3).plusHours(1).plusSeconds(30));
  }

  @Test
  void providers_raiseTheirOwn_andWhatIsNotConfiguredHasTheLongest() throws InterruptedException {
    Horizons.Known known =
        known(
            config(Map.of()),
            Map.of(
                "plain",
                PLAIN,
                "promising",
                timing(Optional.of(Duration.ofDays(40)), Optional.empty()),
                "listing",
                timing(Optional.empty(), Optional.of(MONTH))));
    assertThat(known.of("plain").because()).contains("callback");
    assertThat(known.of("listing"))
        .isEqualTo(new Horizon(MONTH, "how long the provider lists a task"));
    assertThat(known.of("promising").time()).isEqualTo(Duration.ofDays(40));
    assertThat(known.of("gone").time()).isEqualTo(Duration.ofDays(40));
  }

  @Test
  void webhooks_countToo() throws InterruptedException {
    assertThat(
            known(config(Map.of("tollgate.webhooks.kept-for", "50d")), Map.of()).of("p").because())
        .isEqualTo("webhooks.kept-for");
  }

  @Test
  void brokersThatDoNotAnswer_leaveWhatWasKnown() throws InterruptedException {
    boolean[] away = {true};
    Horizons horizons =
        new Horizons(
            config(Map.of()),
            Map.of("p", PLAIN),
            () -> {
              if (away[0]) {
                throw new KafkaException("away");
              }
              return List.of();
            });
    assertThatThrownBy(horizons::runOnce).isInstanceOf(KafkaException.class);
    assertThat(horizons.known()).isEmpty();
    away[0] = false;
    horizons.runOnce();
    away[0] = true;
    assertThatThrownBy(horizons::runOnce).isInstanceOf(KafkaException.class);
    assertThat(horizons.known()).isPresent();
  }
}
