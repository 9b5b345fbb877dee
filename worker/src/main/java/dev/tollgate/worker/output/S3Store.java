package dev.tollgate.worker.output;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.worker.output.S3Uploads.Condition;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Outputs in a bucket of S3 or of something that speaks as S3 does, conditional writes included.
 *
 * <p>An answer to a put is believed where it names the digest of what was sent. Any other outcome
 * (an error, a refusal because something is there, an answer with another digest, none at all) says
 * nothing: what lies at the place is looked at, and its bytes are read where the store does not
 * name their digest. Each object carries the digest it was meant to have, as {@value
 * S3Uploads#DIGEST} in its metadata: one that was meant to be this very output and is not was
 * damaged as it was stored, and is replaced, on the condition that it is still that object. What
 * was meant to be something else stays.
 *
 * <p>Thread-safe.
 */
public final class S3Store implements OutputStore {
  private static final Logger log = LoggerFactory.getLogger(S3Store.class);

  /** Enough for an answer that got lost and a conflict; more waits for the next follow. */
  private static final int TRIES = 3;

  private static final int NOT_FOUND = 404;

  /** No kind begins with a dot, so it is no output's place. */
  private static final String TRIAL = ".tollgate-conditions";

  private final S3Client s3;
  private final S3Place root;
  private final S3Uploads uploads;

  /**
   * @param s3 one that repeats nothing by itself; closed with this
   * @param partBytes longest put in one piece, and length of the parts of longer ones
   */
  public S3Store(S3Client s3, S3Place root, long partBytes) {
    this.s3 = s3;
    this.root = root;
    this.uploads = new S3Uploads(s3, root, partBytes);
  }

  /**
   * Tries whether outputs can be kept here, with an object of its own below the prefix: it is there
   * already, or comes into being, and is then refused a second time. A store that is away proves
   * nothing: that is reported, and outputs wait for it.
   *
   * @throws IllegalStateException if the bucket cannot be written to, or the store does not keep to
   *     conditions: it would let one output replace another
   */
  public void requireConditions() {
    boolean refused = false;
    for (int i = 0; i < 2 && !refused; i++) {
      try {
        s3.putObject(
            put -> put.bucket(root.bucket()).key(root.prefix() + TRIAL).ifNoneMatch("*"),
            RequestBody.fromString("Tollgate tries conditional writes with this object."));
      } catch (S3Exception e) {
        refused = e.statusCode() == 412 || e.statusCode() == 409;
        if (!refused && e.statusCode() < 500) {
          throw new IllegalStateException(
              "outputs cannot be kept in bucket " + root.bucket() + ": " + told(e), e);
        }
        if (!refused) {
          log.warn("bucket {} could not be tried: {}", root.bucket(), told(e));
          return;
        }
      } catch (SdkException e) {
        log.warn("bucket {} could not be tried: {}", root.bucket(), told(e));
        return;
      }
    }
    if (!refused) {
      throw new IllegalStateException(
          "the store of bucket "
              + root.bucket()
              + " ignores If-None-Match: it would let one output replace another");
    }
  }

  /**
   * What lies at a place.
   *
   * @param etag names this very object
   * @param sha256 of its bytes as they lie
   * @param meant the digest that it was to have; null if it does not say
   */
  private record Lying(String etag, String sha256, long length, @Nullable String meant) {}

  @Override
  public Optional<Kept> find(OperationKey key) throws IOException {
    return look(key)
        .filter(lies -> lies.sha256.equals(lies.meant))
        .map(lies -> new Kept(root.address(key), lies.sha256, lies.length));
  }

  @Override
  public Kept keep(OperationKey key, Verified file) throws IOException {
    URI address = root.address(key);
    Kept ours = new Kept(address, file.sha256(), file.length());
    Condition condition = Condition.absent();
    SdkException last = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        if (uploads.upload(key, file, condition)) {
          return ours;
        }
      } catch (SdkException e) {
        last = e;
        log.info("whether {} was stored is not known: {}; it is looked for", address, told(e));
      }
      Optional<Lying> lies = look(key);
      if (lies.isEmpty()) {
        condition = Condition.absent();
      } else if (lies.get().sha256.equals(file.sha256())) {
        return ours;
      } else if (!file.sha256().equals(lies.get().meant)) {
        return new Kept(address, lies.get().sha256, lies.get().length);
      } else {
        log.warn("{} was damaged as it was stored; it is stored again", address);
        condition = Condition.stillIs(lies.get().etag);
      }
    }
    throw new IOException("the object store did not take " + address + " in " + TRIES, last);
  }

  private Optional<Lying> look(OperationKey key) throws IOException {
    String place = root.key(key);
    try {
      HeadObjectResponse head =
          s3.headObject(
              of -> of.bucket(root.bucket()).key(place).checksumMode(ChecksumMode.ENABLED));
      String meant = head.metadata().get(S3Uploads.DIGEST);
      String named = head.checksumSHA256();
      if (named != null && !named.contains("-")) { // with one, it is made of those of the parts
        String sha256 = HexFormat.of().formatHex(Base64.getDecoder().decode(named));
        return Optional.of(new Lying(head.eTag(), sha256, head.contentLength(), meant));
      }
      // not any later one: what is judged is what the head was of
      try (InputStream in =
          s3.getObject(of -> of.bucket(root.bucket()).key(place).ifMatch(head.eTag()))) {
        Digests.Digest read = Digests.of(in);
        return Optional.of(new Lying(head.eTag(), read.sha256(), read.length(), meant));
      }
    } catch (S3Exception e) {
      if (e.statusCode() == NOT_FOUND && !"NoSuchBucket".equals(code(e))) {
        return Optional.empty();
      }
      throw new IOException("the object store does not say what lies at " + place, e);
    } catch (SdkException e) {
      throw new IOException("the object store does not say what lies at " + place, e);
    }
  }

  private static @Nullable String code(S3Exception e) {
    return e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
  }

  /** Without the stack: it is one line of many, and the last one is thrown. */
  private static String told(SdkException e) {
    return e instanceof S3Exception answer
        ? "status " + answer.statusCode() + " " + code(answer)
        : e.getClass().getSimpleName();
  }

  @Override
  public void close() {
    s3.close();
  }
}
