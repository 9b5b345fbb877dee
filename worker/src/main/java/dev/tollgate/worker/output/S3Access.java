package dev.tollgate.worker.output;

import dev.tollgate.schema.config.OutputsConfig;
import dev.tollgate.worker.provider.Credentials;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Makes the client that a configuration asks for. */
public final class S3Access {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  /** How long the store may say nothing. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(30);

  /** A part on a slow line; a whole call never takes longer. */
  private static final Duration CALL_MAX = Duration.ofMinutes(5);

  private S3Access() {}

  /**
   * A client that repeats nothing by itself: {@link S3Store} has to see what became of each put.
   *
   * @param connections most that are open at once
   * @throws IllegalArgumentException naming a credential that cannot be read, never its value
   */
  public static S3Client open(OutputsConfig.S3 config, int connections, LongSupplier nanoTime) {
    return open(
        config,
        Apache5HttpClient.builder()
            .connectionTimeout(CONNECT_TIMEOUT)
            .socketTimeout(SILENCE_MAX)
            .maxConnections(connections),
        nanoTime);
  }

  static S3Client open(
      OutputsConfig.S3 config, SdkHttpClient.Builder<?> http, LongSupplier nanoTime) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(http)
            .region(Region.of(config.region()))
            .forcePathStyle(config.pathStyle())
            .credentialsProvider(credentials(config, nanoTime))
            // every put carries a digest of our own; a trailer with another one is what many stores
            // do not know
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(of -> of.chunkedEncodingEnabled(false))
            .overrideConfiguration(
                of -> of.retryStrategy(DefaultRetryStrategy.doNotRetry()).apiCallTimeout(CALL_MAX));
    config.endpoint().ifPresent(builder::endpointOverride);
    return builder.build();
  }

  private static AwsCredentialsProvider credentials(
      OutputsConfig.S3 config, LongSupplier nanoTime) {
    if (config.accessKey().isEmpty() || config.secretKey().isEmpty()) {
      return DefaultCredentialsProvider.builder().build();
    }
    Map<String, String> references = new HashMap<>();
    references.put("access-key", config.accessKey().get());
    references.put("secret-key", config.secretKey().get());
    config.sessionToken().ifPresent(reference -> references.put("session-token", reference));
    Credentials credentials =
        Credentials.open("tollgate.outputs.s3", references, System::getenv, nanoTime);
    return () ->
        credentials
            .find("session-token")
            .<AwsCredentials>map(
                token ->
                    AwsSessionCredentials.create(
                        credentials.get("access-key").reveal(),
                        credentials.get("secret-key").reveal(),
                        token.reveal()))
            .orElseGet(
                () ->
                    AwsBasicCredentials.create(
                        credentials.get("access-key").reveal(),
                        credentials.get("secret-key").reveal()));
  }
}
