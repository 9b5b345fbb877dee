package dev.tollgate.worker.output;

import dev.tollgate.schema.key.OperationKey;

/** Where an operation's output lies below the root of a store. */
final class Place {
  private Place() {}

  /** {@code <kind>/<first two digits>/<hash>}, without a slash at either end. */
  static String of(OperationKey key) {
    String hash = key.hash().toString();
    return key.kind() + "/" + hash.substring(0, 2) + "/" + hash;
  }
}
