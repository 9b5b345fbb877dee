package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Where outputs are stored, and how long one that is not to be had is tried for. */
public interface OutputsConfig {
  /** Where outputs lie for good. */
  @WithDefault("folder")
  Store store();

  /** The folder of outputs; where they lie in a bucket, only downloads under way are here. */
  @WithDefault("outputs")
  Path folder();

  @WithDefault("2147483648")
  @WithName("bytes-max")
  long bytesMax();

  /**
   * How often an output may turn out to be invalid, or gone, before a person is asked. The time
   * between two tries doubles, from {@code tollgate.worker.follow-pace-max}.
   */
  @WithDefault("7")
  int triesMax();

  /** How long an output is gone, at least, before a person is asked. */
  @WithDefault("1h")
  Duration goneAfter();

  /**
   * How long an output cannot be fetched, at least, before a person is asked. It is tried four
   * times an hour meanwhile.
   */
  @WithDefault("24h")
  Duration unavailableAfter();

  S3 s3();

  /** Kinds of stores. */
  enum Store {
    FOLDER,
    S3
  }

  /** A bucket of S3, or of a store that speaks as S3 does and keeps to {@code If-None-Match}. */
  interface S3 {
    Optional<String> bucket();

    /** What every object's key begins with, such as {@code outputs/}. */
    Optional<String> prefix();

    /** Of a store that is not AWS's. */
    Optional<URI> endpoint();

    @WithDefault("us-east-1")
    String region();

    /** Whether the bucket stands in the path of an address, not in its host. */
    @WithDefault("false")
    boolean pathStyle();

    /**
     * {@code env:NAME} or {@code file:PATH}; without it, where AWS's clients look by themselves.
     */
    Optional<String> accessKey();

    /** {@code env:NAME} or {@code file:PATH}. */
    Optional<String> secretKey();

    /** {@code env:NAME} or {@code file:PATH}. */
    Optional<String> sessionToken();

    /** Longer outputs are stored in parts of this length. */
    @WithDefault("16777216")
    long partBytes();
  }
}
