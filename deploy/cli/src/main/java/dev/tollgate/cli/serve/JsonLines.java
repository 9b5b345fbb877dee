package dev.tollgate.cli.serve;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.json.JsonMapper;

/**
 * One JSON object a line for each event: {@code at}, {@code level}, {@code logger}, {@code thread},
 * {@code message}, then the event's own fields beside them ({@code key}, {@code code}, {@code
 * fence} and what else it names), then {@code error} with the stack trace, if there is one.
 * Logback's own encoder puts an event's fields into a list of objects, which nobody can search.
 * Stateless.
 */
public final class JsonLines extends EncoderBase<ILoggingEvent> {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final byte[] NOTHING = {};

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("at", event.getInstant().toString());
    line.put("level", event.getLevel().toString());
    line.put("logger", event.getLoggerName());
    line.put("thread", event.getThreadName());
    line.put("message", event.getFormattedMessage());
    List<KeyValuePair> fields = event.getKeyValuePairs();
    if (fields != null) {
      for (KeyValuePair field : fields) {
        if (field.value != null) {
          line.putIfAbsent(field.key, plain(field.value));
        }
      }
    }
    if (event.getThrowableProxy() != null) {
      line.put("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }
    return (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static Object plain(Object value) {
    return value instanceof Number || value instanceof Boolean ? value : String.valueOf(value);
  }
}
