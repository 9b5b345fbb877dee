package dev.tollgate.worker.provider;

import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.BodySink;
import dev.tollgate.worker.provider.http.HttpAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Passes a body on to a sink, counts and digests it, and judges it. A body may come in several
 * answers, each going on where the one before was cut. Confined to one download.
 */
public final class CheckedDownload implements BodySink {
  private static final byte[] NOTHING = {};
  private static final int OK = 200;
  private static final int PARTIAL = 206;
  private static final int RANGE_NOT_SATISFIABLE = 416;

  /** Of an error page; enough for what object stores say. */
  private static final int EXCERPT_MAX = 2 * 1024;

  /** What object stores say, with whatever status, where an address is no longer good. */
  private static final List<String> EXPIRED =
      List.of("expired", "signature not valid in the specified time frame");

  /** What they say in a 403 for whatever is wrong with an address, its age included. */
  private static final List<String> DENIED =
      List.of("accessdenied", "access denied", "invalid signature", "authenticationfailed");

  private static final Set<Integer> DENIALS = Set.of(400, 401, 403);

  private final OutputRef output;
  private final OutputSink sink;
  private final long maxBytes;
  private final LongUnaryOperator patience;
  private final MessageDigest digest;
  private final StringBuilder excerpt = new StringBuilder();
  private long length;
  private Optional<String> validator = Optional.empty();
  private boolean rangeAsked;

  /** How long the whole is, as far as the server said so. */
  private OptionalLong whole = OptionalLong.empty();

  /** The last answer was no continuation: what is here cannot be completed any more. */
  private boolean astray;

  private @Nullable IOException sinkFailure;

  /** For a download whose time is bounded by its call alone. */
  public CheckedDownload(OutputRef output, OutputSink sink, long maxBytes) {
    this(output, sink, maxBytes, _ -> 0);
  }

  /**
   * @param patience how many nanoseconds there are left, by the bytes that came so far; 0: as many
   *     as the call has
   */
  CheckedDownload(OutputRef output, OutputSink sink, long maxBytes, LongUnaryOperator patience) {
    this.output = output;
    this.patience = patience;
    this.sink = sink;
    this.maxBytes = Math.min(maxBytes, output.length().orElse(maxBytes));
    this.digest = sha256();
  }

  /** The bytes that came so far. */
  long length() {
    return length;
  }

  /** Header lines that ask for what is missing; empty where all has to come. */
  Map<String, String> continuation() {
    rangeAsked = length > 0 && validator.isPresent();
    return rangeAsked
        ? Map.of("Range", "bytes=" + length + "-", "If-Range", validator.orElseThrow())
        : Map.of();
  }

  @Override
  public boolean head(int status, Map<String, String> headers) {
    excerpt.setLength(0);
    astray = false;
    if (status == OK) {
      if (length > 0 && !startOver()) {
        return false;
      }
      validator = Validator.of(headers);
      whole = number(headers.get("content-length"));
      return isPlain(headers);
    }
    if (status == PARTIAL || status == RANGE_NOT_SATISFIABLE) {
      astray = status != PARTIAL || !rangeAsked || !goesOn(headers);
      if (astray) {
        validator = Optional.empty();
      }
      return !astray && isPlain(headers);
    }
    return status >= 400;
  }

  /** Whether a part begins where the one before was cut, and is of the same whole. */
  private boolean goesOn(Map<String, String> headers) {
    String range = headers.getOrDefault("content-range", "").toLowerCase(Locale.ROOT);
    OptionalLong all = number(range.substring(range.indexOf('/') + 1));
    if (whole.isEmpty()) {
      whole = all;
    }
    // a server that does not heed If-Range says by these what it is a part of
    String kept = validator.orElse("");
    String now = headers.get(kept.startsWith("\"") ? "etag" : "last-modified");
    return range.startsWith("bytes " + length + "-")
        && (all.isEmpty() || all.equals(whole))
        && (now == null || now.equals(kept));
  }

  private static OptionalLong number(@Nullable String text) {
    return text != null && text.matches("[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /** Whether what came is less than the server said that there is. */
  private boolean isPart() {
    return whole.isPresent() && length < whole.getAsLong();
  }

  private static boolean isPlain(Map<String, String> headers) {
    return headers.getOrDefault("content-encoding", "identity").equals("identity");
  }

  private boolean startOver() {
    try {
      if (!sink.startOver()) {
        sinkFailure = new IOException("what was written cannot be taken back");
      }
    } catch (IOException e) {
      sinkFailure = e;
    }
    digest.reset();
    length = 0;
    whole = OptionalLong.empty();
    return sinkFailure == null;
  }

  @Override
  public boolean write(int status, byte[] buffer, int offset, int count) {
    if (status != OK && status != PARTIAL) {
      int room = EXCERPT_MAX - excerpt.length();
      excerpt.append(
          new String(buffer, offset, Math.min(room, count), StandardCharsets.ISO_8859_1));
      return count < room; // an error page is no output
    }
    length += count;
    if (length > maxBytes) {
      return false;
    }
    digest.update(buffer, offset, count);
    try {
      sink.write(buffer, offset, count);
      return true;
    } catch (IOException e) {
      sinkFailure = e;
      return false;
    }
  }

  @Override
  public long patienceNanos() {
    return patience.applyAsLong(length);
  }

  @Override
  public byte[] collected() {
    return NOTHING;
  }

  /** Whether another request may bring what this answer did not. */
  boolean mayGoOn(HttpAnswer answer) {
    if (sinkFailure != null) {
      return false;
    }
    int status = answer.status().orElse(0);
    if (astray) {
      return rangeAsked; // without a range asked for, the answer would be the same
    }
    if (length == 0 || validator.isEmpty()) {
      return false;
    }
    return switch (answer.end()) {
      case CUT, NO_HEAD -> true;
      case UNTIL_CLOSE -> output.length().isPresent() && length < output.length().getAsLong();
      case WHOLE -> status >= 500 || (status == PARTIAL && isPart());
      case OVER_LIMIT -> status >= 500;
    };
  }

  /** What became of it. */
  public DownloadResult judge(HttpAnswer answer) throws IOException {
    if (sinkFailure != null) {
      throw sinkFailure;
    }
    if (answer.status().isEmpty()) {
      return new DownloadResult.Unavailable("no answer: " + answer.error());
    }
    int status = answer.status().getAsInt();
    if ((status != OK && status != PARTIAL) || astray) {
      return refused(status);
    }
    if (!isPlain(answer.headers())) {
      return invalid("it is encoded, which was not asked for");
    }
    return switch (answer.end()) {
      case OVER_LIMIT -> invalid("longer than " + maxBytes + " bytes");
      case CUT, NO_HEAD ->
          new DownloadResult.Unavailable("cut after " + length + " bytes: " + answer.error());
      case WHOLE, UNTIL_CLOSE ->
          status == PARTIAL && isPart()
              ? new DownloadResult.Unavailable("only " + length + " bytes of " + whole.getAsLong())
              : verify(answer.end());
    };
  }

  private DownloadResult refused(int status) {
    String page = excerpt.toString().toLowerCase(Locale.ROOT);
    boolean expired =
        (DENIALS.contains(status) && EXPIRED.stream().anyMatch(page::contains))
            || (status == 403 && DENIED.stream().anyMatch(page::contains));
    String reason = "status " + status + (expired ? ", expired" : "");
    return expired || status == 404 || status == 410
        ? new DownloadResult.Gone(reason)
        : new DownloadResult.Unavailable(reason);
  }

  private DownloadResult verify(BodyEnd end) {
    if (output.length().isPresent() && output.length().getAsLong() != length) {
      String reason = length + " bytes, not " + output.length().getAsLong();
      return end == BodyEnd.WHOLE ? invalid(reason) : new DownloadResult.Unavailable(reason);
    }
    if (length == 0) {
      return invalid("no bytes");
    }
    String actual = HexFormat.of().formatHex(digest.digest());
    if (output.sha256().isPresent() && !output.sha256().get().equals(actual)) {
      return new DownloadResult.Invalid(
          Code.CHECKSUM_MISMATCH, "its SHA-256 is " + actual + ", not " + output.sha256().get());
    }
    boolean verifiable = output.length().isPresent() || output.sha256().isPresent();
    return end == BodyEnd.WHOLE || verifiable
        ? new DownloadResult.Downloaded(length, actual)
        : new DownloadResult.Unavailable("nothing says whether its " + length + " bytes are all");
  }

  private static DownloadResult invalid(String reason) {
    return new DownloadResult.Invalid(Code.OUTPUT_INVALID, reason);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }
}
