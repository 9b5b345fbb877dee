package dev.tollgate.schema.event;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.ProviderName;
import dev.tollgate.schema.key.Sha256;
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
    long fence) {

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
   */
  public record Output(String address, Sha256 digest, long length) {
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
      return new Json.Obj(members);
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
