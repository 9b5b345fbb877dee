package dev.tollgate.worker.provider.described;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A resend is the first request byte for byte, so these addresses are for ever. */
final class CallbackAddressesTest {
  private static final String OPERATION = "video:" + "0".repeat(64);
  private static final byte[] SECRET = new byte[32];

  static {
    IntStream.range(0, SECRET.length).forEach(i -> SECRET[i] = (byte) i);
  }

  @Test
  void of_isTheSameInEveryProcessAndBuild() {
    assertThat(
            new CallbackAddresses(SECRET)
                .of(URI.create("https://hooks.example.com/t/"), "kling", OPERATION))
        .isEqualTo(
            "https://hooks.example.com/t/callbacks/kling/%s/%s"
                .formatted(OPERATION, "d1fb8ae6d6ad8d32cd310ff7b0f94e4b"));
  }

  @Test
  void mac_isOfProviderOperationAndSecret() {
    CallbackAddresses addresses = new CallbackAddresses(SECRET);
    String mac = addresses.mac("kling", OPERATION);
    assertThat(addresses.mac("luma", OPERATION)).isNotEqualTo(mac);
    assertThat(addresses.mac("kling", OPERATION.replace("video", "image"))).isNotEqualTo(mac);
    assertThat(new CallbackAddresses(new byte[32]).mac("kling", OPERATION)).isNotEqualTo(mac);
  }
}
