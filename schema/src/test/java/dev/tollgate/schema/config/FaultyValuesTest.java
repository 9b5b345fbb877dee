package dev.tollgate.schema.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.Driver;

/** What is told of a value that cannot be used: it may be a credential, or hold one. */
final class FaultyValuesTest {
  private static final String CANARY = "CANARY";

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          redis.url ~ rediss://default:CANARY%w^d1234@cache:6379 ~ is no address (character 24)
          providers.x.endpoint ~ https://user:CANARY word@h ~ is no address (character 20)
          callbacks ~ https://u:CANARY p@h ~ is no address (character 17)
          outputs.s3.endpoint ~ https://u:CANARY^@h ~ is no address (character 17)
          redis.url ~ CANARY:x@cache:6379 ~ is not redis(s)://
          redis.url ~ redis://CANARY@cache:6379 ~ is not redis(s)://
          redis.url ~ redis://u:CAN@CANARY@cache:6379 ~ is not redis(s)://
          redis.url ~ redis://cache:6379/CANARY ~ is not redis(s)://
          redis.url ~ redis://u:CANARY@cache ~ is not redis(s)://
          database.url ~ jdbc:postgres://u:CANARY@h/x ~ is not jdbc:postgresql://
          database.url ~ postgres://u:CANARY@h/x ~ is not jdbc:postgresql://
          database.url ~ jdbc:postgresql://u:CANARY@h:5432/x ~ is not jdbc:postgresql://
          database.url ~ jdbc:postgresql://h ~ is not jdbc:postgresql://
          database.url ~ jdbc:postgresql://h?password=CANARY ~ is not jdbc:postgresql://
          database.url ~ jdbc:postgresql://h/x?password=CANARY%w^ ~ is not jdbc:postgresql://
          database.url ~ jdbc:postgresql://h:CANARY/x ~ is not jdbc:postgresql://
          database.url ~ jdbc:postgresql://h:1,i:65536/x ~ is not jdbc:postgresql://
          """)
  void addresses_areNotRepeated(String key, String value, String told) {
    ConfigFile.Invalid refused = refused(key, value);
    assertThat(refused).hasMessageContaining("tollgate." + key + " " + told);
    assertThat(refused.getCause()).as("it would be told with --debug").isNull();
    assertThat(refused.getMessage()).doesNotContain(CANARY, value);
  }

  /** Otherwise the driver refuses them itself, and says which they were. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql:x",
        "jdbc:postgresql:",
        "jdbc:postgresql:///x",
        "jdbc:postgresql://h/",
        "jdbc:postgresql://h:5432/x?sslmode=require&password=a@b%20c",
        "jdbc:postgresql://h:1,i,j:65535/x",
        "jdbc:postgresql://[::1]:5432/x",
        "jdbc:postgresql://[fe80::1%eth0]/x%2fy"
      })
  void addressesOfPostgres_thatItsDriverTakes_areTaken(String url) {
    assertThat(Driver.parseURL(url, new Properties())).isNotNull();
    assertThat(read("database.url", url).database().url()).isEqualTo(url);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://h:1", "rediss://u:p@h:6379/", "redis://:p@[::1]:6379/3"})
  void addressesOfRedis_areTaken(String url) {
    assertThat(read("redis.url", url).redis().url()).isPresent();
  }

  @Test
  void emptyAddress_isNone() {
    assertThat(read("redis.url", "").redis().url()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tollgate.database.password",
        "tollgate.database.user",
        "tollgate.redis.url",
        "tollgate.providers.x.secrets.a",
        "tollgate.providers.\"a.b\".secrets.\"c.d\"",
        "tollgate.providers.x.api-key",
        "tollgate.kafka.client.\"sasl.jaas.config\"",
        "tollgate.outputs.s3.secret-key",
        "tollgate.outputs.s3.session-token"
      })
  void credentials_areNotRepeated_whateverTheLibrarySays(String key) {
    assertThat(
            PlainWords.of(
                "java.lang.IllegalArgumentException: SRCFG00039: The config property "
                    + key
                    + " with the config value \"CANARY\" threw an Exception whilst being converted"
                    + " no CANARY"))
        .isEqualTo(key + " cannot be read (its value is not repeated)");
    assertThat(PlainWords.of("SRCFG00099: The config property " + key + " is CANARY"))
        .isEqualTo(key + " cannot be read");
    assertThat(PlainWords.of("SRCFG00099: in " + key + " CANARY"))
        .isEqualTo("a key cannot be read");
  }

  /** A credential on the wrong line is not told as a whole, and no value makes lines of its own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http.port",
        "worker.linger",
        "webhooks.body-max",
        "providers.x.price",
        "providers.x.limits.rate",
        "providers.x.plain-http",
        "outputs.store"
      })
  void longValues_areCut(String key) {
    String value = "  begin\n" + "x".repeat(500) + CANARY + "  ";
    assertThat(refused(key, value).getMessage())
        .contains("tollgate." + key + " is '", "begin?xxx")
        .doesNotContain(CANARY, "begin\n")
        .hasSizeLessThan(400);
  }

  @Test
  void events_areKeptLongerThanTheyAreRepeated() {
    assertThat(read("webhooks.kept-for", "48h").webhooks().keptFor()).hasHours(48);
    assertThat(read("http.port", "1").webhooks().keptFor()).hasDays(35);
    assertThat(refused("webhooks.kept-for", "47h"))
        .hasMessageContaining("tollgate.webhooks.kept-for is shorter than 48 hours");
  }

  @Test
  void yesAndNo_areNothingElse() {
    assertThat(refused("outputs.s3.path-style", "ture"))
        .hasMessageContaining("tollgate.outputs.s3.path-style is 'ture': it must be true or false");
    assertThat(read("outputs.s3.path-style", " Yes ").outputs().s3().pathStyle()).isTrue();
    assertThat(read("outputs.s3.path-style", "off").outputs().s3().pathStyle()).isFalse();
  }

  @Test
  void emptyValue_isSaidInPlainWords() {
    assertThat(refused("database.url", ""))
        .hasMessage("the configuration has faults:%n  tollgate.database.url is empty".formatted());
  }

  private static ConfigFile.Invalid refused(String key, String value) {
    return Objects.requireNonNull(
        catchThrowableOfType(ConfigFile.Invalid.class, () -> read(key, value)));
  }

  private static TollgateConfig read(String key, String value) {
    Map<String, String> given = new HashMap<>();
    given.put("tollgate.kafka.bootstrap-servers", "127.0.0.1:9092");
    given.put("tollgate.database.url", "jdbc:postgresql://127.0.0.1/tollgate");
    given.put("tollgate." + key, value);
    return ConfigFile.read(Optional.empty(), given);
  }
}
