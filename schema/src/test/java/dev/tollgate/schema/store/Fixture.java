package dev.tollgate.schema.store;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.Sha256;
import dev.tollgate.schema.state.OperationState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Values for tests of the store. Operations are numbered. */
public final class Fixture {
  public static final String PROVIDER = "keyed";
  public static final String OTHER_PROVIDER = "lookup";
  public static final String OWNER = "w1";

  /** Of the operations whose number three does not divide. */
  public static final String PRODUCER = "/shop";

  /** In millionths. */
  public static final long PRICE = 350_000;

  public static final Duration LEASE = Duration.ofMinutes(2);

  /** What {@link #terms} carries, and where to. */
  public static final int CARRIES = Terms.KEY | 1 << 2;

  public static final long SENDS_TO = -77_000_000_000L;

  public static final Terms TERMS =
      terms(PROVIDER, Duration.ofMinutes(1), LEASE, Duration.ofMinutes(5));
  public static final Terms OTHER_TERMS =
      terms(OTHER_PROVIDER, Duration.ofMinutes(1), LEASE, Duration.ofMinutes(5));
  public static final List<Terms> ALL_TERMS = List.of(TERMS, OTHER_TERMS);

  private Fixture() {}

  /** Terms under which nothing is sent again. */
  public static Terms terms(
      String provider, Duration sendWithin, Duration lease, Duration absentAfter) {
    return new Terms(provider, sendWithin, lease, absentAfter, Duration.ZERO, CARRIES, SENDS_TO);
  }

  public static OperationKey key(int n) {
    return new OperationKey("video", Sha256.of(utf8("key " + n)));
  }

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A random claim id. */
  public static UUID claimId() {
    return UUID.randomUUID();
  }

  /** An intent to be stored as {@code prepared}. */
  public static NewIntent intent(int n) {
    return intent(n, PROVIDER, "params " + n, false, null);
  }

  /** An intent to be stored as {@code sending}. */
  public static NewIntent sendNow(int n) {
    return intent(n, PROVIDER, "params " + n, true, null);
  }

  /**
   * An intent of operation n.
   *
   * @param params also decides the request hash
   */
  public static NewIntent intent(
      int n, String provider, String params, boolean sendNow, @Nullable Instant deadline) {
    return new NewIntent(
        key(n),
        provider,
        Sha256.of(utf8(params)).bytes(),
        Arrays.copyOf(key(n).bytes(), 16),
        sendNow,
        deadline,
        n % 2 == 0 ? null : "task-" + n,
        "{\"product\":\"p-%d\"}".formatted(n),
        utf8("{\"prompt\":\"%s\"}".formatted(params)),
        n % 12,
        n,
        n % 3 == 0 ? null : PRODUCER,
        PRICE);
  }

  /** Intents 0 to n - 1. */
  public static List<NewIntent> intents(int n) {
    return IntStream.range(0, n).mapToObj(Fixture::intent).toList();
  }

  public static Evidence evidence(Code code) {
    return evidence(code, null);
  }

  public static Evidence evidence(Code code, @Nullable String remoteId) {
    return new Evidence(
        Evidence.newId(),
        Evidence.Source.SUBMIT,
        code,
        202,
        remoteId,
        "a note",
        "content-type: application/json",
        utf8("{}"),
        false);
  }

  public static Change accepted(Claim claim, String remoteId) {
    return Change.ofSend(
        claim,
        OperationState.ACCEPTED,
        Code.PROVIDER_ACCEPTED,
        null,
        remoteId,
        Duration.ofSeconds(2),
        evidence(Code.PROVIDER_ACCEPTED, remoteId));
  }

  public static Change unknown(Claim claim) {
    return Change.ofSend(
        claim,
        OperationState.UNKNOWN,
        Code.OUTCOME_UNKNOWN,
        null,
        null,
        Duration.ofSeconds(10),
        evidence(Code.OUTCOME_UNKNOWN));
  }

  /** An outcome of a send without a remote id. */
  public static Change sent(Claim claim, OperationState to, Code reason, @Nullable Code review) {
    return Change.ofSend(claim, to, reason, review, null, Duration.ofSeconds(30), evidence(reason));
  }

  /** An outcome of a look without a remote id. */
  public static Change looked(Look look, OperationState to, Code reason, @Nullable Code review) {
    return Change.ofLook(look, to, reason, review, null, Duration.ofSeconds(30), evidence(reason));
  }

  public static Change found(Look look, String remoteId) {
    return Change.ofLook(
        look,
        OperationState.ACCEPTED,
        Code.FOUND,
        null,
        remoteId,
        Duration.ofSeconds(2),
        evidence(Code.FOUND, remoteId));
  }

  /** Trouble with an output of a task that is over. */
  public static Change troubled(Follow follow, Code why, @Nullable Code review) {
    return Change.ofFollow(
        follow, OperationState.ACCEPTED, why, review, null, Duration.ofHours(1), evidence(why));
  }

  public static StoredOutput output(int n) {
    return new StoredOutput(
        "file:///outputs/" + n, Sha256.of(utf8("output " + n)).bytes(), 1000 + n, "video/mp4");
  }

  public static Change complete(Follow follow, StoredOutput output) {
    return Change.ofFollow(
        follow,
        OperationState.COMPLETE,
        Code.OUTPUT_STORED,
        null,
        output,
        Duration.ZERO,
        evidence(Code.OUTPUT_STORED));
  }
}
