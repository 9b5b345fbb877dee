package dev.tollgate.worker.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.store.Inbox;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.worker.loop.Notices;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.WebhookReader;
import dev.tollgate.worker.provider.WebhookResult;
import dev.tollgate.worker.provider.described.CallbackAddresses;
import dev.tollgate.worker.send.Sender;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of a request: one row of the inbox, or a refusal. Blocks on the database;
 * thread-safe.
 */
final class Receiver {
  private static final Logger log = LoggerFactory.getLogger(Receiver.class);

  /** Of the headers, what people ask for later. */
  private static final java.util.Set<String> KEPT =
      java.util.Set.of("content-type", "user-agent", "webhook-id", "webhook-timestamp");

  private static final int HEADER_MAX = 256;

  private final Map<String, WebhookReader> readers;
  private final CallbackAddresses addresses;
  private final Inbox inbox;
  private final Runnable wakeReader;
  private final InstantSource clock;
  private final Notices notices;
  private final WebhookListener listener;

  /**
   * @param readers by provider
   * @param secret the installation's
   * @param wakeReader called when an event is new
   * @param clock for the age of signatures; no lease depends on it
   * @param nanoTime for how often refusals are told
   */
  Receiver(
      Map<String, WebhookReader> readers,
      byte[] secret,
      Inbox inbox,
      Runnable wakeReader,
      InstantSource clock,
      LongSupplier nanoTime,
      WebhookListener listener) {
    this.readers = Map.copyOf(readers);
    this.addresses = new CallbackAddresses(secret);
    this.inbox = inbox;
    this.wakeReader = wakeReader;
    this.clock = clock;
    this.notices = new Notices(nanoTime);
    this.listener = listener;
  }

  /**
   * Where a request goes.
   *
   * @param operation named and proved by the address
   */
  record Route(String provider, WebhookReader reader, Optional<OperationKey> operation) {}

  /** What is answered without reading the body, where nothing else can be. */
  Optional<WebhookAnswer> refusal(WebhookRequest request) {
    Optional<Address> address = Address.of(request.path());
    if (address.isEmpty() || !readers.containsKey(address.get().provider())) {
      // whoever scans ports comes here, too: it is counted, and no more
      listener.received("", "unknown_address");
      return Optional.of(WebhookAnswer.of(404));
    }
    if (!request.method().equals("POST")) {
      return Optional.of(refuse(address.get(), "malformed", 405, "its method is not POST"));
    }
    if (!request.headers().getOrDefault("content-encoding", "identity").equals("identity")) {
      // what unpacks to more than it is, is not unpacked
      return Optional.of(refuse(address.get(), "malformed", 415, "its body is packed"));
    }
    return address.get().operation().isPresent() && !proved(address.get())
        ? Optional.of(
            refuse(address.get(), "forged", 401, "its address is none that this installation gave"))
        : Optional.empty();
  }

  /**
   * Answers with a refusal. Anybody can send what is refused, and often: so it is told once a
   * minute for each provider and result, and counted each time.
   *
   * @param why holds nothing that the sender wrote
   */
  private WebhookAnswer refuse(Address address, String result, int status, String why) {
    String provider = address.provider();
    listener.received(provider, result);
    if (notices.due(provider + " " + result)) {
      log.warn(
          "a {} of {} is refused with {} ({}): {}; others are only counted for a minute",
          address.operation().map(key -> "callback for " + key).orElse("webhook"),
          provider,
          status,
          result,
          why);
    }
    return WebhookAnswer.of(status);
  }

  private boolean proved(Address address) {
    String operation = address.operation().orElseThrow().toString();
    String expected = addresses.mac(address.provider(), operation);
    return MessageDigest.isEqual(expected.getBytes(US_ASCII), address.mac().getBytes(US_ASCII));
  }

  /** The body of a request that {@link #refusal} let through was longer than is read. */
  WebhookAnswer tooLarge(WebhookRequest request) {
    return refuse(
        Address.of(request.path()).orElseThrow(), "too_large", 413, "its body is too long");
  }

  /** Takes a request that {@link #refusal} let through. */
  WebhookAnswer receive(WebhookRequest request, byte[] body) {
    Address address = Address.of(request.path()).orElseThrow();
    String provider = address.provider();
    WebhookReader reader = readers.get(provider);
    if (reader == null) {
      throw new IllegalStateException("a request for an unknown provider was let through");
    }
    return switch (reader.read(request.headers(), body, clock.instant())) {
      case WebhookResult.Report report -> store(request, address, report, body);
      case WebhookResult.Challenge(var answer) -> {
        listener.received(provider, "challenge");
        yield new WebhookAnswer(200, answer);
      }
      case WebhookResult.Forged(String reason) -> refuse(address, "forged", 401, reason);
      case WebhookResult.Malformed(String reason) -> refuse(address, "malformed", 400, reason);
      case WebhookResult.CannotTell(String reason) -> {
        log.warn("an event of {} cannot be verified, so it is to come again: {}", provider, reason);
        listener.received(provider, "unavailable");
        yield WebhookAnswer.of(503);
      }
    };
  }

  private WebhookAnswer store(
      WebhookRequest request, Address address, WebhookResult.Report report, byte[] body) {
    String provider = address.provider();
    if (address.operation().isEmpty() && !report.signed()) {
      return refuse(
          address, "forged", 401, "no signature is checked here, so nobody knows its sender");
    }
    Optional<byte[]> reference = report.reference().flatMap(Sender::submissionKey);
    if (address.operation().isEmpty() && reference.isEmpty() && report.remoteId().isEmpty()) {
      return refuse(address, "malformed", 400, "it names no task");
    }
    Inbox.Event event =
        new Inbox.Event(
            // two operations' callbacks may carry the same bytes
            new Inbox.Id(
                provider,
                report.signed()
                    ? report.event()
                    : address.operation().map(OperationKey::toString).orElse("")
                        + " "
                        + report.event()),
            address.operation().orElse(null),
            reference.orElse(null),
            report.remoteId().orElse(null),
            report.state().map(Receiver::word).orElse(null),
            Sha256.of(body).bytes(),
            kept(request.headers()),
            report.body().toByteArray(),
            report.truncated());
    try {
      Inbox.Receipt receipt = inbox.receive(event);
      switch (receipt) {
        case NEW -> wakeReader.run();
        case KNOWN -> {}
        case ALTERED ->
            log.warn(
                "event {} of {} came again with other bytes; the first stay", event.id(), provider);
        case TOO_MANY -> tooMany(address, report);
      }
      listener.received(provider, receipt.name().toLowerCase(Locale.ROOT));
      return WebhookAnswer.of(204);
    } catch (StoreUnavailable e) {
      log.warn("an event of {} could not be stored, so it is to come again", provider, e);
      listener.received(provider, "unavailable");
      return WebhookAnswer.of(503);
    }
  }

  /** A sender that is told so would come again; what its operation came to is asked for anyway. */
  private void tooMany(Address address, WebhookResult.Report report) {
    if (notices.due(address.provider() + " too_many")) {
      log.warn(
          "there are {} events of {} for {}, no more are stored; others are only counted for a minute",
          Inbox.EVENTS_MAX,
          address.provider(),
          address
              .operation()
              .map(OperationKey::toString)
              .or(report::remoteId)
              .orElse("an unknown task"));
    }
  }

  private static String word(TaskState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static String kept(Map<String, String> headers) {
    return new TreeMap<>(headers)
        .entrySet().stream()
            .filter(header -> KEPT.contains(header.getKey()))
            .filter(header -> header.getValue().length() <= HEADER_MAX)
            .filter(header -> header.getValue().chars().allMatch(c -> c >= 0x20 && c < 0x7f))
            .map(header -> header.getKey() + ": " + header.getValue())
            .collect(Collectors.joining("\n"));
  }
}
