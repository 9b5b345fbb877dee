package dev.tollgate.cli;

import java.io.Console;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a service writes its log. */
enum LogFormat {
  /** For people: one line an event. */
  TEXT("logback-service-text.xml"),
  /** For machines: one JSON object an event. */
  JSON("logback-service.xml");

  /** The variable of the environment that says which; on a terminal text, else JSON. */
  static final String VARIABLE = "TOLLGATE_LOG_FORMAT";

  private final String file;

  LogFormat(String file) {
    this.file = file;
  }

  /** Its configuration, as a resource beside this class. */
  String file() {
    return file;
  }

  /**
   * What a value of {@link #VARIABLE} means; empty where it means nothing.
   *
   * @param console the terminal, if there is one
   */
  static Optional<LogFormat> of(@Nullable String value, @Nullable Console console) {
    if (value == null || value.isBlank()) {
      return Optional.of(console != null && console.isTerminal() ? TEXT : JSON);
    }
    for (LogFormat format : values()) {
      if (format.name().equalsIgnoreCase(value.strip())) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }
}
