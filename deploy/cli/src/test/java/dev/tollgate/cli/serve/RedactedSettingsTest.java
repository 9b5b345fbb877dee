package dev.tollgate.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.config.ConfigFile;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RedactedSettingsTest {
  @Test
  void everyCredentialIsLeftOut_andTheRestIsOneLine() {
    Map<String, String> given = new HashMap<>();
    given.put("tollgate.kafka.bootstrap-servers", "broker:9092");
    given.put("tollgate.kafka.client.\"sasl.jaas.config\"", "hush");
    given.put("tollgate.database.url", "jdbc:postgresql://db:5432/t?password=hush");
    given.put("tollgate.database.password", "hush");
    given.put("tollgate.redis.url", "rediss://me:hush@cache:6379");
    given.put("tollgate.providers.acme.endpoint", "https://me:hush@acme.example/v1?key=hush");
    given.put("tollgate.providers.acme.descriptor", "http-json");
    given.put("tollgate.providers.acme.api-key", "hush");
    given.put("tollgate.providers.slash.endpoint", "https:/me:hush@acme.example/v1");
    String line = RedactedSettings.of(ConfigFile.read(Optional.empty(), given));
    assertThat(line)
        .doesNotContain("hush")
        .doesNotContain("\n")
        .contains(
            "broker:9092",
            "jdbc:postgresql://db:5432/t ",
            "rediss://cache:6379",
            "acme(http-json https://acme.example/v1)",
            "slash(slash ?)");
    assertThat(RedactedSettings.withoutQuery("jdbc:postgresql://me:hush@db:5432/t?user=hush"))
        .isEqualTo("jdbc:postgresql://db:5432/t");
  }
}
