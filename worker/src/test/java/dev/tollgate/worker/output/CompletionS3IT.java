package dev.tollgate.worker.output;

import org.junit.jupiter.api.AfterEach;

final class CompletionS3IT extends CompletionContract {
  private final S3Store store =
      new S3Store(
          S3StoreIT.client(new FaultyHttp()), new S3Place(S3MockServer.BUCKET, ""), 5L << 20);

  @Override
  OutputStore real() {
    return store;
  }

  @AfterEach
  void close() {
    store.close();
  }
}
