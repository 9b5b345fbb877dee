package dev.tollgate.worker.send;

import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.worker.provider.RawAnswer;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.stream.Streamer;
import dev.tollgate.worker.write.ChangeWriter;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends claims, each once, on a virtual thread of its own. Thread-safe. */
public final class Sender {
  private static final Logger log = LoggerFactory.getLogger(Sender.class);
  private static final RawAnswer NOT_SENT = RawAnswer.none(false, "");
  private static final RawAnswer UNSEEN = RawAnswer.none(true, "not seen");
  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern SUBMISSION_KEY = Pattern.compile("tg-[0-9a-f]{32}");

  private final ChangeWriter writer;
  private final SendOutcomes outcomes;
  private final SendListener listener;
  private final LongSupplier nanoTime;
  private final Optional<Streamer> streamer;
  private final ThreadFactory threads = Thread.ofVirtual().name("send-", 0).factory();
  private final AtomicInteger sending = new AtomicInteger();
  private volatile boolean draining;

  /**
   * @param streamer reads the answers of providers that stream them, where there are such
   */
  public Sender(
      ChangeWriter writer,
      SendPolicy policy,
      SendListener listener,
      LongSupplier nanoTime,
      Optional<Streamer> streamer) {
    this.streamer = streamer;
    this.writer = writer;
    this.outcomes = new SendOutcomes(policy);
    this.listener = listener;
    this.nanoTime = nanoTime;
  }

  /**
   * Sends a claim whose attempt is committed.
   *
   * @param asked the monotonic time before the claim was asked for
   * @param giveBack gives the slot back: run when the provider has answered, or, where nobody could
   *     be asked afterwards or too many outcomes wait to be stored, when this one is stored
   */
  public void send(Lane lane, Claim claim, long asked, Runnable giveBack) {
    sending.incrementAndGet();
    threads.newThread(() -> sendNow(lane, claim, asked, giveBack)).start();
  }

  /**
   * From now on, claims of which nothing was sent are given back instead: others send them at once,
   * and no lease has to run out for it.
   */
  public void drain() {
    draining = true;
  }

  /** Why a claim is given back without a byte sent; empty where it is to be sent. */
  private Optional<String> heldBack(Claim claim) {
    if (claim.promiseOver()) {
      return Optional.of("the idempotency promise is over");
    }
    // where an earlier attempt is unresolved, giving back would make it unknown once more
    return draining && !claim.earlierUnresolved()
        ? Optional.of("its worker was told to end")
        : Optional.empty();
  }

  private void sendNow(Lane lane, Claim claim, long asked, Runnable giveBack) {
    long began = nanoTime.getAsLong();
    Optional<SubmitResult> streamed;
    try {
      Optional<String> heldBack = heldBack(claim);
      streamed =
          heldBack.isPresent()
              ? Optional.of(new SubmitResult(new Verdict.NotSent(heldBack.get()), NOT_SENT))
              : submit(lane, claim, asked, began);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      // a defect of the adapter, or an answer that was too much: whether a byte left is not known
      log.error("submitting {} failed in the adapter; it is unknown now", claim.key(), e);
      streamed =
          Optional.of(
              new SubmitResult(
                  new Verdict.Unknown("adapter failed: " + e.getClass().getName()), UNSEEN));
    }
    Runnable free =
        () -> {
          lane.held(nanoTime.getAsLong() - asked);
          giveBack.run();
        };
    if (streamed.isEmpty()) {
      sending.decrementAndGet();
      free.run();
      return;
    }
    SubmitResult result = streamed.get();
    heard(lane, result, began, asked);
    boolean waits = !lane.freeOnceAnswered() || writer.crowded();
    writer.write(
        outcomes.decide(claim, result),
        () -> {
          sending.decrementAndGet();
          if (waits) {
            free.run();
          }
        });
    if (!waits) {
      free.run();
    }
  }

  /** What became of it; empty if it was accepted as a stream, which is stored and over by now. */
  private Optional<SubmitResult> submit(Lane lane, Claim claim, long asked, long began) {
    Submission submission = submission(lane, claim, asked);
    if (lane.adapter().streams().isEmpty()) {
      return Optional.of(lane.adapter().submit(submission));
    }
    return streamer
        .orElseThrow(() -> new IllegalStateException("nobody reads streams here"))
        .create(
            lane.adapter(),
            submission,
            accepted -> {
              heard(lane, accepted, began, asked);
              return outcomes.decide(claim, accepted);
            },
            remoteId ->
                new Follow(
                    claim.key(),
                    lane.provider(),
                    claim.fence(),
                    claim.claim(),
                    remoteId,
                    claim.seq(),
                    lane.terms().sendsTo()));
  }

  private void heard(Lane lane, SubmitResult result, long began, long asked) {
    listener.sent(
        lane.provider(), result.verdict().code(), Duration.ofNanos(nanoTime.getAsLong() - began));
    lane.heard(result.verdict(), asked);
  }

  private static Submission submission(Lane lane, Claim claim, long asked) {
    return new Submission(
        claim.key().toString(),
        claim.params(),
        submissionKey(claim.submissionKey()),
        lane.sendNotAfter(asked),
        lane.answerBy(asked));
  }

  /** The text form of a submission key, as providers see it. */
  public static String submissionKey(byte[] key) {
    return "tg-" + HEX.formatHex(key);
  }

  /** The submission key of a text form; absent where the text is none. */
  public static Optional<byte[]> submissionKey(String text) {
    return SUBMISSION_KEY.matcher(text).matches()
        ? Optional.of(HEX.parseHex(text.substring(3)))
        : Optional.empty();
  }

  /** Claims whose outcome is not stored yet, or whose stream goes on. */
  public int inFlight() {
    return sending.get();
  }
}
