package dev.tollgate.worker.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.store.Inbox;
import dev.tollgate.worker.intake.SubmissionKeys;
import dev.tollgate.worker.metrics.Meter;
import dev.tollgate.worker.metrics.Meters;
import dev.tollgate.worker.provider.WebhookReaders;
import dev.tollgate.worker.provider.described.CallbackAddresses;
import dev.tollgate.worker.provider.signature.Macs;
import dev.tollgate.worker.send.Sender;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is refused is told once a minute, counted each time, and quotes nobody. */
final class RefusalsTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final byte[] INSTALLATION = new byte[32];
  private static final OperationKey KEY = new OperationKey("video", Sha256.of("k".getBytes(UTF_8)));
  private static final byte[] BODY = "{\"id\":\"t-1\",\"status\":\"succeeded\"}".getBytes(UTF_8);

  private static final Logger LOG = (Logger) LoggerFactory.getLogger(Receiver.class);

  private final AtomicLong nanos = new AtomicLong();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ListAppender<ILoggingEvent> told = new ListAppender<>();
  private final Receiver receiver =
      new Receiver(
          Map.of(
              "signed", WebhookReaders.httpJson(Map.of("webhook-secret", SECRET)),
              "bare", WebhookReaders.httpJson(Map.of())),
          INSTALLATION,
          new Unused(),
          () -> {},
          () -> Instant.ofEpochSecond(1_800_000_000L),
          nanos::get,
          new Meters(registry));

  /** Nothing that is refused comes as far as this. */
  private record Unused() implements Inbox {
    @Override
    public Receipt receive(Event event) {
      throw new AssertionError("what is refused was stored");
    }

    @Override
    public List<Taken> take(int limit, Duration lease) {
      return List.of();
    }

    @Override
    public void done(List<Id> ids) {}

    @Override
    public List<Id> later(List<Id> ids, Pauses pauses, Duration giveUpAfter) {
      return List.of();
    }

    @Override
    public int forget(int most, Duration keptFor) {
      return 0;
    }
  }

  @BeforeEach
  void listen() {
    told.start();
    LOG.addAppender(told);
  }

  @AfterEach
  void leave() {
    LOG.detachAppender(told);
  }

  private int status(String path, Map<String, String> headers, byte[] body) {
    WebhookRequest request = new WebhookRequest("POST", path, headers);
    return receiver.refusal(request).orElseGet(() -> receiver.receive(request, body)).status();
  }

  private static String callback(String provider) {
    return new CallbackAddresses(INSTALLATION).of(URI.create("/"), provider, KEY.toString());
  }

  private List<String> lines() {
    return told.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private double counted(String provider, String result) {
    return registry
        .find(Meter.EVENTS.meterName())
        .tags("provider", provider, "result", result)
        .counters()
        .stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  @Test
  void refusedAThousandTimes_isOneLineAMinuteAndAThousandCounts() {
    for (int i = 0; i < 1000; i++) {
      assertThat(status("/webhooks/signed", Map.of(), BODY)).isEqualTo(401);
    }
    assertThat(lines())
        .singleElement()
        .asString()
        .contains("a webhook of signed", "401", "forged", "no usable webhook-id");
    assertThat(counted("signed", "forged")).isEqualTo(1000);
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(status("/webhooks/signed", Map.of(), BODY)).isEqualTo(401);
    assertThat(lines()).hasSize(2);
  }

  /** A stranger who forges all day hides nothing that the provider itself does wrong. */
  @Test
  void forgeries_doNotHideWhatCannotBeRead() {
    assertThat(status(callback("bare") + "0", Map.of(), BODY)).as("no address").isEqualTo(404);
    String forged = callback("bare").replace("video:", "image:");
    assertThat(status(forged, Map.of(), BODY)).isEqualTo(401);
    assertThat(status(callback("bare"), Map.of(), "hello".getBytes(UTF_8))).isEqualTo(400);
    assertThat(lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("none that this installation gave", "image:"),
            line -> assertThat(line).contains("400", "no JSON object", KEY.toString()));
    assertThat(counted("bare", "forged")).isEqualTo(1);
    assertThat(counted("bare", "malformed")).isEqualTo(1);
    assertThat(counted("", "unknown_address")).isEqualTo(1);
  }

  /** Providers see that key, and so does whoever looks at an operation: it opens nothing. */
  @Test
  void anAddressMadeOfTheSubmissionKey_isForged() {
    byte[] raw = new SubmissionKeys(INSTALLATION).of("bare", KEY);
    String shown = Sender.submissionKey(raw);
    for (byte[] known : List.of(raw, shown.getBytes(UTF_8))) {
      String forged = new CallbackAddresses(known).of(URI.create("/"), "bare", KEY.toString());
      assertThat(status(forged, Map.of(), BODY)).isEqualTo(401);
    }
    byte[] mac = Macs.of(shown.getBytes(UTF_8), ("callback\nbare\n" + KEY).getBytes(UTF_8));
    String before = HexFormat.of().formatHex(mac, 0, 16);
    assertThat(status("/callbacks/bare/" + KEY + "/" + before, Map.of(), BODY)).isEqualTo(401);
    assertThat(counted("bare", "forged")).isEqualTo(3);
  }

  @Test
  void whatTheSenderWrote_isNotQuoted() {
    String canary = "sk-canary-0123456789";
    Map<String, String> headers =
        Map.of(
            "webhook-id",
            canary,
            "webhook-timestamp",
            canary,
            "webhook-signature",
            "v1," + canary,
            "authorization",
            "Bearer " + canary);
    status("/webhooks/signed", headers, ("{\"x\":\"" + canary + "\"}").getBytes(UTF_8));
    status("/webhooks/bare", headers, ("{\"x\":\"" + canary + "\"}").getBytes(UTF_8));
    status(callback("bare"), headers, canary.getBytes(UTF_8));
    assertThat(lines()).hasSize(3).noneMatch(line -> line.contains(canary));
  }
}
