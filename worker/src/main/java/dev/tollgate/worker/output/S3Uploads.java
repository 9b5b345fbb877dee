package dev.tollgate.worker.output;

import dev.tollgate.schema.key.OperationKey;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * Puts one file at its place once: in one piece, or in parts that are dropped where they do not
 * become an object. Each piece goes with its digest, so that the store refuses what was altered on
 * the way. Thread-safe.
 */
final class S3Uploads {
  /** Name of the metadata that says which digest the object is to have. */
  static final String DIGEST = "sha256";

  /** What S3 takes. */
  private static final int PARTS_MAX = 10_000;

  private static final Logger log = LoggerFactory.getLogger(S3Uploads.class);

  private final S3Client s3;
  private final S3Place root;
  private final long partBytes;

  S3Uploads(S3Client s3, S3Place root, long partBytes) {
    this.s3 = s3;
    this.root = root;
    this.partBytes = partBytes;
  }

  /**
   * On what condition the object comes into being; one of the two is null.
   *
   * @param none {@code *}: nothing is there
   * @param match what is there is this object
   */
  record Condition(@Nullable String none, @Nullable String match) {
    static Condition absent() {
      return new Condition("*", null);
    }

    static Condition stillIs(String etag) {
      return new Condition(null, etag);
    }
  }

  /**
   * Tries once.
   *
   * @return whether the answer says that the very bytes of the file are stored
   * @throws SdkException if the store said no, or nothing
   */
  boolean upload(OperationKey key, Verified file, Condition condition) throws IOException {
    return file.length() <= partBytes
        ? whole(root.key(key), file, condition)
        : inParts(root.key(key), file, condition);
  }

  private boolean whole(String place, Verified file, Condition condition) {
    String digest = base64(HexFormat.of().parseHex(file.sha256()));
    return digest.equals(
        s3.putObject(
                put ->
                    put.bucket(root.bucket())
                        .key(place)
                        .ifNoneMatch(condition.none)
                        .ifMatch(condition.match)
                        .contentLength(file.length())
                        .contentType(file.contentType().orElse(null))
                        .metadata(Map.of(DIGEST, file.sha256()))
                        .checksumSHA256(digest),
                RequestBody.fromFile(file.file()))
            .checksumSHA256());
  }

  private boolean inParts(String place, Verified file, Condition condition) throws IOException {
    String upload =
        s3.createMultipartUpload(
                create ->
                    create
                        .bucket(root.bucket())
                        .key(place)
                        .contentType(file.contentType().orElse(null))
                        .metadata(Map.of(DIGEST, file.sha256()))
                        .checksumAlgorithm(ChecksumAlgorithm.SHA256))
            .uploadId();
    boolean done = false;
    try {
      MessageDigest ofAll = Digests.sha256();
      List<CompletedPart> parts = parts(place, upload, file, ofAll);
      String composite = base64(ofAll.digest()) + "-" + parts.size();
      String named =
          s3.completeMultipartUpload(
                  complete ->
                      complete
                          .bucket(root.bucket())
                          .key(place)
                          .uploadId(upload)
                          .ifNoneMatch(condition.none)
                          .ifMatch(condition.match)
                          .multipartUpload(all -> all.parts(parts)))
              .checksumSHA256();
      done = true;
      return composite.equals(named);
    } finally {
      if (!done) {
        abort(place, upload);
      }
    }
  }

  private List<CompletedPart> parts(String place, String upload, Verified file, MessageDigest ofAll)
      throws IOException {
    long size = Math.max(partBytes, Math.ceilDiv(file.length(), PARTS_MAX));
    List<CompletedPart> parts = new ArrayList<>();
    for (long from = 0; from < file.length(); from += size) {
      Piece piece = new Piece(file.file(), from, Math.min(size, file.length() - from));
      int number = parts.size() + 1;
      byte[] digest = piece.digest();
      ofAll.update(digest);
      String etag =
          s3.uploadPart(
                  part ->
                      part.bucket(root.bucket())
                          .key(place)
                          .uploadId(upload)
                          .partNumber(number)
                          .contentLength(piece.length)
                          .checksumSHA256(base64(digest)),
                  RequestBody.fromContentProvider(
                      piece::open, piece.length, "application/octet-stream"))
              .eTag();
      parts.add(
          CompletedPart.builder()
              .partNumber(number)
              .eTag(etag)
              .checksumSHA256(base64(digest))
              .build());
    }
    return parts;
  }

  /**
   * Drops the parts of an upload that may have become an object or not: then there is nothing to
   * drop, which is no failure.
   */
  private void abort(String place, String upload) {
    try {
      s3.abortMultipartUpload(of -> of.bucket(root.bucket()).key(place).uploadId(upload));
    } catch (SdkException e) {
      log.info("the parts of an upload to {} may still be there: {}", place, e.getMessage());
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** A part of a file, which can be read more than once. */
  private record Piece(Path file, long from, long length) {
    byte[] digest() throws IOException {
      try (InputStream in = open()) {
        return HexFormat.of().parseHex(Digests.of(in).sha256());
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }

    InputStream open() {
      try {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        channel.position(from);
        return new Limited(new BufferedInputStream(Channels.newInputStream(channel)), length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
