package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/**
 * How long ended operations are kept whole. Their keys answer for ever. These only make it longer:
 * what the providers, the webhooks and the topics need is kept anyway.
 */
public interface RetentionConfig {
  /** Whether anything is forgotten; what is too old is refused all the same. */
  @WithDefault("true")
  boolean enabled();

  /** How long a bill may come, or be disputed, after what it is for. */
  @WithDefault("90d")
  Duration billingWindow();

  /** How long it must be possible to say who asked for what, and what was seen. */
  @WithDefault("90d")
  Duration auditWindow();

  /** Most operations of one statement, and most rows of one table that it deletes. */
  @WithDefault("500")
  int batch();

  /** How long the database is left alone after each batch. */
  @WithDefault("500ms")
  Duration pause();

  /** How long after one pass through all operations the next one begins. */
  @WithDefault("1h")
  Duration every();
}
