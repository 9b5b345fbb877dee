package dev.tollgate.schema.event;

import static dev.tollgate.schema.event.Samples.B0;
import static dev.tollgate.schema.event.Samples.K0;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import java.util.HexFormat;
import java.util.Random;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records that no reader should stumble over, given to all three decoders. */
final class PoisonRecordTest {
  private static final byte[] KEY = K0.getBytes(UTF_8);
  private static final byte[] VALUE = B0.getBytes(UTF_8);
  private static final long SEED = 29;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "schema registry framing, 00000000 2a0266",
    "UTF-16 mark, fffe00",
    "truncated JSON, 7b226b696e64223a",
    "Avro file header, 4f626a0104166176726f2e736368656d61",
    "one brace, 7b",
    "one NUL, 00",
    "white space, 20200a",
    "deep UTF-32, 0000007b0000007d",
  })
  void fc29_bytesOfAnotherFormat_areInvalid(String name, String hex) {
    assertInvalid(KEY, HexFormat.of().parseHex(hex.replace(" ", "")), new RecordHeaders());
  }

  @Test
  void fc30_keyWithoutValue_isInvalid() {
    assertInvalid(KEY, null, new RecordHeaders());
  }

  @Test
  void fc30_neitherKeyNorValue_isInvalid() {
    assertInvalid(null, null, new RecordHeaders());
  }

  @Test
  void fc30_valueWithoutKey_isInvalid() {
    assertInvalid(null, VALUE, new RecordHeaders());
  }

  @Test
  void fc30_emptyValue_isInvalid() {
    assertInvalid(KEY, new byte[0], new RecordHeaders());
  }

  @Test
  void emptyKey_isInvalid() {
    assertInvalid(new byte[0], VALUE, new RecordHeaders());
  }

  @Test
  void longKey_isInvalid() {
    assertInvalid(new byte[1 << 20], VALUE, new RecordHeaders());
  }

  @Test
  void valueOfOneByteTooMany_isInvalid() {
    int spaces = EventLimits.VALUE_BYTES_MAX - VALUE.length;
    byte[] largest = (B0 + " ".repeat(spaces)).getBytes(UTF_8);
    assertThat(RequestDecoder.decode(KEY, largest, new RecordHeaders()))
        .isInstanceOf(Decoded.Request.class);
    assertInvalid(KEY, (B0 + " ".repeat(spaces + 1)).getBytes(UTF_8), new RecordHeaders());
  }

  @Test
  void stringOfTwentyMillion_isInvalid() {
    assertInvalid(KEY, params("\"" + "x".repeat(20_000_000) + "\""), new RecordHeaders());
  }

  @Test
  void stringPastTheLimitOfStrings_isInvalid() {
    assertInvalid(KEY, params("\"" + "x".repeat(300 << 10) + "\""), new RecordHeaders());
  }

  @Test
  void numberOfAMillionDigits_isInvalid() {
    assertInvalid(KEY, params("1".repeat(1_000_000)), new RecordHeaders());
    assertInvalid(KEY, params("0." + "1".repeat(1_000_000)), new RecordHeaders());
  }

  @Test
  void nestingOfAHundredThousand_isInvalid() {
    assertInvalid(KEY, params("[".repeat(100_000)), new RecordHeaders());
    assertInvalid(KEY, params("{\"a\":".repeat(100_000)), new RecordHeaders());
  }

  @Test
  void tenThousandHeaders_areInvalid() {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < 10_000; i++) {
      headers.add("h" + i, new byte[1]);
    }
    assertInvalid(KEY, VALUE, headers);
  }

  @Test
  void headersOf64KiB_areInvalid() {
    assertInvalid(KEY, VALUE, new RecordHeaders().add("h", new byte[64 << 10]));
    assertInvalid(KEY, VALUE, new RecordHeaders().add("h".repeat(64 << 10), null));
  }

  @Test
  void headerThatIsNotUtf8_isInvalid() {
    assertInvalid(KEY, VALUE, new RecordHeaders().add("ce_id", new byte[] {(byte) 0xff}));
  }

  @Test
  void randomBytes_neverThrow() {
    Random random = new Random(SEED);
    for (int i = 0; i < 5_000; i++) {
      byte[] value = new byte[random.nextInt(64)];
      random.nextBytes(value);
      byte[] key = new byte[random.nextInt(80)];
      random.nextBytes(key);
      Headers headers = new RecordHeaders();
      headers.add(random.nextBoolean() ? "ce_type" : "content-type", value);
      assertInvalid(key, value, random.nextBoolean() ? headers : new RecordHeaders());
    }
  }

  /** Most of these stay near enough to a request to pass the first checks. */
  @Test
  void damagedRequests_neverThrow() {
    Random random = new Random(SEED);
    for (int i = 0; i < 5_000; i++) {
      byte[] value = VALUE.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
        value[random.nextInt(value.length)] = (byte) random.nextInt();
      }
      switch (RequestDecoder.decode(KEY, value, Samples.cloudEvent())) {
        case Decoded.Request request -> assertThat(request.request().key()).isEqualTo(Samples.KEY);
        case Refused refused -> assertOrdinary(refused);
      }
    }
  }

  private static byte[] params(String value) {
    return Samples.replacing("\"seed\":7", "\"seed\":" + value).getBytes(UTF_8);
  }

  private static void assertInvalid(
      byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    assertThat(RequestDecoder.decode(key, value, headers))
        .isInstanceOfSatisfying(Refused.class, PoisonRecordTest::assertOrdinary);
    assertThat(ResultDecoder.decode(key, value, headers))
        .isInstanceOfSatisfying(Refused.class, PoisonRecordTest::assertOrdinary);
    assertThat(ReconcileDecoder.decode(key, value, headers))
        .isInstanceOfSatisfying(Refused.class, PoisonRecordTest::assertOrdinary);
  }

  /** Refused for what the record is, not by the net under our own faults. */
  private static void assertOrdinary(Refused refused) {
    assertThat(refused.message())
        .matches("[ -~]{1,300}")
        .doesNotContain("reading the record failed");
    assertThat(refused.code()).isIn(Code.INVALID_EVENT, Code.UNSUPPORTED_VERSION);
  }
}
