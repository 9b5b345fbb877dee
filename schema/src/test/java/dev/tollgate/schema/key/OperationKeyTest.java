package dev.tollgate.schema.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OperationKeyTest {
  private static final String HEX = "0123456789abcdef".repeat(4);

  @Test
  void textAndBytes_roundTrip() {
    OperationKey key = OperationKey.parse("video:" + HEX);
    assertThat(key.kind()).isEqualTo("video");
    assertThat(key).hasToString("video:" + HEX);
    assertThat(key.bytes()).hasSize(37).startsWith(0x01, 0x23).endsWith('v', 'i', 'd', 'e', 'o');
    assertThat(OperationKey.fromBytes(key.bytes())).isEqualTo(key).hasSameHashCodeAs(key);
  }

  @Test
  void order_isThatOfUnsignedBytes() {
    Random random = new Random(7);
    List<OperationKey> keys = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] hash = new byte[Sha256.LENGTH];
      random.nextBytes(hash);
      Arrays.fill(hash, 0, random.nextInt(Sha256.LENGTH + 1), (byte) 0);
      keys.add(new OperationKey(random.nextBoolean() ? "image" : "im", Sha256.fromBytes(hash)));
    }
    List<OperationKey> byBytes = new ArrayList<>(keys);
    byBytes.sort((a, b) -> Arrays.compareUnsigned(a.bytes(), b.bytes()));
    Collections.sort(keys);
    assertThat(keys).isEqualTo(byBytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "video",
        "video:",
        "video:00",
        ":0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "Video:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "video:0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
        "video:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n",
        "video:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0",
        " video:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "a:b:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
      })
  void parse_anythingElse_isRefused(String text) {
    assertThatThrownBy(() -> OperationKey.parse(text)).isInstanceOf(RefusedException.class);
  }

  @Test
  void fromBytes_anythingElse_isRefused() {
    assertThatThrownBy(() -> OperationKey.fromBytes(new byte[0]))
        .isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> OperationKey.fromBytes(new byte[Sha256.LENGTH]))
        .isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> OperationKey.fromBytes(new byte[Sha256.LENGTH + 1]))
        .isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> OperationKey.fromBytes(new byte[1_000]))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void sha256_ofKnownText() {
    Sha256 digest = Sha256.of("abc".getBytes(StandardCharsets.US_ASCII));
    assertThat(digest)
        .hasToString("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertThat(Sha256.parse(digest.toString())).isEqualTo(digest);
  }
}
