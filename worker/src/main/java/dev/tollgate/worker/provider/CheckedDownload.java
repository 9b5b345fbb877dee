package dev.tollgate.worker.provider;

import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.http.BodyEnd;
import dev.tollgate.worker.provider.http.BodySink;
import dev.tollgate.worker.provider.http.HttpAnswer;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Passes a body on to a sink, counts and digests it, and judges it. Confined to one download. */
public final class CheckedDownload implements BodySink {
  private static final byte[] NOTHING = {};

  private final OutputRef output;
  private final OutputSink sink;
  private final long maxBytes;
  private final MessageDigest digest;
  private long length;
  private @Nullable IOException sinkFailure;

  public CheckedDownload(OutputRef output, OutputSink sink, long maxBytes) {
    this.output = output;
    this.sink = sink;
    this.maxBytes = Math.min(maxBytes, output.length().orElse(maxBytes));
    this.digest = sha256();
  }

  @Override
  public boolean write(int status, byte[] buffer, int offset, int count) {
    if (status != 200) {
      return false; // an error page is no output
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
  public byte[] collected() {
    return NOTHING;
  }

  /** What became of it. */
  public DownloadResult judge(HttpAnswer answer) throws IOException {
    if (sinkFailure != null) {
      throw sinkFailure;
    }
    if (answer.status().isEmpty()) {
      return new DownloadResult.Unavailable("no answer: " + answer.error());
    }
    if (answer.status().getAsInt() != 200) {
      return new DownloadResult.Unavailable("status " + answer.status().getAsInt());
    }
    String encoding = answer.headers().getOrDefault("content-encoding", "identity");
    if (!encoding.equals("identity")) {
      return invalid("it is encoded, which was not asked for");
    }
    return switch (answer.end()) {
      case OVER_LIMIT -> invalid("longer than " + maxBytes + " bytes");
      case CUT, NO_HEAD ->
          new DownloadResult.Unavailable("cut after " + length + " bytes: " + answer.error());
      case WHOLE, UNTIL_CLOSE -> verify(answer.end());
    };
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
