package dev.tollgate.worker.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.key.OperationKey;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SubmissionKeysTest {
  private static final byte[] SECRET = new byte[32];
  private static final String HASH = "0123456789abcdef".repeat(4);
  private static final OperationKey VIDEO = OperationKey.parse("video:" + HASH);
  private static final OperationKey IMAGE = OperationKey.parse("image:" + HASH);

  @Test
  void fc55_anotherKindOrProvider_hasAnotherKey() {
    SubmissionKeys keys = new SubmissionKeys(SECRET);
    assertThat(keys.of("p", VIDEO)).isNotEqualTo(keys.of("p", IMAGE));
    assertThat(keys.of("p", VIDEO)).isNotEqualTo(keys.of("q", VIDEO));
  }

  @Test
  void sameOperation_hasTheSameKeyForEveryAttempt_inEveryProcess() {
    assertThat(new SubmissionKeys(SECRET).of("p", VIDEO))
        .isEqualTo(new SubmissionKeys(SECRET).of("p", VIDEO));
  }

  /** Who knows the operation key, which anybody can compute, does not know this one. */
  @Test
  void anotherInstallation_hasAnotherKey_of128Bits() {
    byte[] other = SECRET.clone();
    other[0] = 1;
    byte[] key = new SubmissionKeys(SECRET).of("p", VIDEO);
    assertThat(key).hasSize(16);
    assertThat(new SubmissionKeys(other).of("p", VIDEO)).isNotEqualTo(key);
    assertThat(Arrays.equals(key, Arrays.copyOf(VIDEO.bytes(), 16))).isFalse();
  }
}
