package dev.tollgate.worker.output;

import dev.tollgate.schema.key.OperationKey;
import java.net.URI;

/**
 * Where outputs lie in a bucket.
 *
 * @param prefix of every key, empty or with a slash at its end
 */
public record S3Place(String bucket, String prefix) {
  String key(OperationKey operation) {
    return prefix + Place.of(operation);
  }

  /** {@code s3://bucket/key}: the same wherever the endpoint is. */
  URI address(OperationKey operation) {
    return URI.create("s3://" + bucket + "/" + key(operation));
  }
}
