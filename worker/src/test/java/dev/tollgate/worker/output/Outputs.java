package dev.tollgate.worker.output;

import dev.tollgate.schema.key.OperationKey;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** What tests of outputs have in common. */
final class Outputs {
  private Outputs() {}

  /** A key that follows from a name. */
  static OperationKey key(String name) {
    byte[] hash = Digests.sha256().digest(name.getBytes(StandardCharsets.UTF_8));
    return OperationKey.parse("video:" + HexFormat.of().formatHex(hash));
  }
}
