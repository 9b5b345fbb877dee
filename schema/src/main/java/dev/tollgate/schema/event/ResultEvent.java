package dev.tollgate.schema.event;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.ProviderName;
import dev.tollgate.schema.key.RequestHash;
import dev.tollgate.schema.key.Sha256;
import java.net.URI;
import java.time.Instant;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What became of an operation, as published on the events topic. Immutable.
 *
 * @param key the operation
 * @param state the state that it reached
 * @param version counts the operation's changes; with the key it makes the event's id, so that a
 *     consumer can drop repeats and never goes back
 * @param provider where it runs
 * @param remoteId the provider's name for the task, once known
 * @param output where the output is; there if and only if the state is complete
 * @param code the reason, where there is one to give
 * @param occurredAt when the state was reached
 * @param fence the claim that wrote it
 * @param details what is told beside that
 */
public record ResultEvent(
    OperationKey key,
    State state,
    long version,
    String provider,
    @Nullable String remoteId,
    @Nullable Output output,
    @Nullable Code code,
    Instant occurredAt,
    long fence,
    Details details) {

  /** The states that are published. */
  public enum State {
    ACCEPTED,
    UNKNOWN,
    COMPLETE,
    FAILED;

    /** The name in events. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }

    static @Nullable State ofWireName(String name) {
      for (State state : values()) {
        if (state.wireName().equals(name)) {
          return state;
        }
      }
      return null;
    }
  }

  /**
   * A stored output.
   *
   * @param address durable address
   * @param digest SHA-256 of its bytes
   * @param length its length in bytes
   * @param contentType its media type, as {@code video/mp4}, where it is known
   */
  public record Output(String address, Sha256 digest, long length, @Nullable String contentType) {
    /** How a digest is marked in events, as elsewhere: algorithm, colon, hexadecimal digits. */
    static final String DIGEST_PREFIX = "sha256:";

    public Output {
      requireCount("length", length);
    }

    Json.Obj json() {
      SortedMap<String, Json> members = new TreeMap<>();
      members.put("address", new Json.Text(address));
      members.put("digest", new Json.Text(DIGEST_PREFIX + digest));
      members.put("length", Json.Num.of(length));
      if (contentType != null) {
        members.put("content_type", new Json.Text(contentType));
      }
      return new Json.Obj(members);
    }
  }

  /**
   * An amount of money.
   *
   * @param amount how much
   * @param currency what in, as the installation names it
   */
  public record Price(Money amount, String currency) {
    Json.Obj json() {
      SortedMap<String, Json> members = new TreeMap<>();
      members.put("amount", new Json.Text(amount.toString()));
      members.put("currency", new Json.Text(currency));
      return new Json.Obj(members);
    }
  }

  /**
   * What is told of an operation besides. Each may be missing; earlier builds told none.
   *
   * @param requestHash hash of the provider and parameters that it was taken in with: a request
   *     with another one is not the one that this is the result of
   * @param productionTask what it and its other generations belong to
   * @param price what it costs, as known when it was taken in; of complete alone
   * @param reason why it failed, in words for people; of failed alone
   * @param stream where its text is read while it comes, and afterwards: whoever has the address
   *     may; of accepted alone
   */
  public record Details(
      @Nullable RequestHash requestHash,
      @Nullable String productionTask,
      @Nullable Price price,
      @Nullable String reason,
      @Nullable URI stream) {
    /** Nothing is told beside the state. */
    public static final Details NONE = new Details(null, null, null, null, null);

    /** What is told of an operation that is finished. */
    public static Details ended(
        @Nullable RequestHash requestHash,
        @Nullable String productionTask,
        @Nullable Price price,
        @Nullable String reason) {
      return new Details(requestHash, productionTask, price, reason, null);
    }

    /** What is told of one whose stream is read at this address. */
    public static Details readAt(URI stream) {
      return new Details(null, null, null, null, stream);
    }

    void addTo(SortedMap<String, Json> data) {
      if (requestHash != null) {
        data.put("request_hash", new Json.Text(requestHash.toString()));
      }
      if (productionTask != null) {
        data.put("production_task", new Json.Text(productionTask));
      }
      if (price != null) {
        data.put("price", price.json());
      }
      if (reason != null) {
        data.put("reason", new Json.Text(reason));
      }
      if (stream != null) {
        data.put("stream", new Json.Text(stream.toString()));
      }
    }
  }

  public ResultEvent {
    ProviderName.check(provider);
    requireCount("version", version);
    requireCount("fence", fence);
    if ((state == State.COMPLETE) != (output != null)) {
      throw new IllegalArgumentException(
          "operation " + key + " is " + state.wireName() + ": an output belongs to complete only");
    }
  }

  /** The event's id: operation key and version. */
  public String id() {
    return key + "/" + version;
  }

  /** The CloudEvent of this result. */
  public EventMessage toMessage() {
    SortedMap<String, Json> data = new TreeMap<>();
    data.put("key", new Json.Text(key.toString()));
    data.put("state", new Json.Text(state.wireName()));
    data.put("version", Json.Num.of(version));
    data.put("provider", new Json.Text(provider));
    if (remoteId != null) {
      data.put("remote_id", new Json.Text(remoteId));
    }
    if (output != null) {
      data.put("output", output.json());
    }
    if (code != null) {
      data.put("code", new Json.Text(code.name()));
    }
    details.addTo(data);
    data.put("occurred_at", new Json.Text(occurredAt.toString()));
    data.put("fence", Json.Num.of(fence));
    CloudEvent event =
        new CloudEvent(CloudEvent.resultType(state), CloudEvent.SOURCE, id(), occurredAt);
    return new EventMessage(key.toString(), new Json.Obj(data).canonical(), event.headers());
  }

  private static void requireCount(String name, long value) {
    if (value < 0 || value > Json.Num.SAFE_MAX) {
      throw new IllegalArgumentException(
          name + " " + value + " is not from 0 to " + Json.Num.SAFE_MAX);
    }
  }
}
