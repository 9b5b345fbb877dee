package dev.tollgate.worker.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.store.Inbox;
import dev.tollgate.schema.store.StoreUnavailable;
import dev.tollgate.worker.intake.SubmissionKeys;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.WebhookReader;
import dev.tollgate.worker.provider.WebhookResult;
import dev.tollgate.worker.provider.described.CallbackAddress;
import dev.tollgate.worker.send.Sender;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
  private final byte[] submissionSecret;
  private final Inbox inbox;
  private final Runnable wakeReader;
  private final InstantSource clock;
  private final WebhookListener listener;

  /**
   * @param readers by provider
   * @param submissionSecret the installation's
   * @param wakeReader called when an event is new
   * @param clock for the age of signatures; no lease depends on it
   */
  Receiver(
      Map<String, WebhookReader> readers,
      byte[] submissionSecret,
      Inbox inbox,
      Runnable wakeReader,
      InstantSource clock,
      WebhookListener listener) {
    this.readers = Map.copyOf(readers);
    this.submissionSecret = submissionSecret.clone();
    this.inbox = inbox;
    this.wakeReader = wakeReader;
    this.clock = clock;
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
      return refuse("", "unknown_address", 404);
    }
    String provider = address.get().provider();
    if (!request.method().equals("POST")) {
      return refuse(provider, "malformed", 405);
    }
    if (!request.headers().getOrDefault("content-encoding", "identity").equals("identity")) {
      return refuse(provider, "malformed", 415); // what unpacks to more than it is, is not unpacked
    }
    return address.get().operation().isPresent() && !proved(address.get())
        ? refuse(provider, "forged", 401)
        : Optional.empty();
  }

  private Optional<WebhookAnswer> refuse(String provider, String result, int status) {
    listener.received(provider, result);
    return Optional.of(WebhookAnswer.of(status));
  }

  private boolean proved(Address address) {
    OperationKey key = address.operation().orElseThrow();
    String submissionKey =
        Sender.submissionKey(new SubmissionKeys(submissionSecret).of(address.provider(), key));
    String expected = CallbackAddress.signature(address.provider(), key.toString(), submissionKey);
    return MessageDigest.isEqual(expected.getBytes(US_ASCII), address.mac().getBytes(US_ASCII));
  }

  /** A body was longer than is read. */
  WebhookAnswer tooLarge(WebhookRequest request) {
    listener.received(provider(request), "too_large");
    return WebhookAnswer.of(413);
  }

  private static String provider(WebhookRequest request) {
    return Address.of(request.path()).map(Address::provider).orElse("");
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
      case WebhookResult.Forged(String reason) -> {
        log.debug("an event for {} is refused: {}", provider, reason);
        listener.received(provider, "forged");
        yield WebhookAnswer.of(401);
      }
      case WebhookResult.Malformed(String reason) -> {
        log.debug("an event for {} is refused: {}", provider, reason);
        listener.received(provider, "malformed");
        yield WebhookAnswer.of(400);
      }
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
      // nothing says who sent it
      listener.received(provider, "forged");
      return WebhookAnswer.of(401);
    }
    if (address.operation().isEmpty() && report.remoteId().isEmpty()) {
      listener.received(provider, "malformed");
      return WebhookAnswer.of(400);
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
            report.remoteId().orElse(null),
            report.state().map(Receiver::word).orElse(null),
            Sha256.of(body).bytes(),
            kept(request.headers()),
            report.body().toByteArray(),
            report.truncated());
    try {
      Inbox.Receipt receipt = inbox.receive(event);
      if (receipt == Inbox.Receipt.NEW) {
        wakeReader.run();
      } else if (receipt == Inbox.Receipt.ALTERED) {
        log.warn(
            "event {} of {} came again with other bytes; the first stay", event.id(), provider);
      }
      listener.received(provider, receipt.name().toLowerCase(Locale.ROOT));
      return WebhookAnswer.of(204);
    } catch (StoreUnavailable e) {
      log.warn("an event of {} could not be stored, so it is to come again", provider, e);
      listener.received(provider, "unavailable");
      return WebhookAnswer.of(503);
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
