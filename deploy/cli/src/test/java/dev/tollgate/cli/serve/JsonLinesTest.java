package dev.tollgate.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class JsonLinesTest {
  @Test
  void event_isOneObjectOnOneLine_withItsFieldsBesideTheMessage() {
    LoggingEvent event =
        new LoggingEvent(
            "unused",
            new LoggerContext().getLogger("dev.tollgate.some.Part"),
            Level.INFO,
            "said {}",
            new IllegalStateException("line\nbreak"),
            new Object[] {"\"so\"\n"});
    event.addKeyValuePair(new KeyValuePair("key", "video:0a"));
    event.addKeyValuePair(new KeyValuePair("fence", 3));
    event.addKeyValuePair(new KeyValuePair("review", null));
    event.addKeyValuePair(new KeyValuePair("message", "never in the other's place"));
    String text = new String(new JsonLines().encode(event), StandardCharsets.UTF_8);
    assertThat(text).endsWith("}\n").containsOnlyOnce("\n");
    JsonNode line = JsonMapper.shared().readTree(text);
    assertThat(line.propertyNames())
        .containsExactly("at", "level", "logger", "thread", "message", "key", "fence", "error");
    assertThat(line.get("message").stringValue()).isEqualTo("said \"so\"\n");
    assertThat(line.get("key").stringValue()).isEqualTo("video:0a");
    assertThat(line.get("fence").intValue()).isEqualTo(3);
    assertThat(line.get("error").stringValue()).contains("IllegalStateException: line");
  }
}
