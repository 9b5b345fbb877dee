package dev.tollgate.schema.config;

import io.smallrye.config.WithDefault;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** One provider: which descriptor, and what an operator adds to it. */
public interface ProviderConfig {
  /**
   * Name of a descriptor (in the providers folder, or shipped), or the path of a {@code .yaml}
   * file; the provider's own name if absent.
   */
  Optional<String> descriptor();

  /** Name of a coded adapter on the class path, in place of a descriptor. */
  Optional<String> adapter();

  /** The base address, where the descriptor has none or it is another. */
  Optional<URI> endpoint();

  /** Allows an endpoint without TLS that is not on this machine. */
  @WithDefault("false")
  boolean plainHttp();

  /**
   * The capabilities in use: fewer than the descriptor has, or those that it leaves to the
   * operator. Without it, all that the provider's own documents promise.
   */
  Optional<List<String>> offers();

  /**
   * A name for the account that the credentials belong to. To be changed with them when they become
   * another account's: whatever was sent before is then not looked for in this one, where it cannot
   * be found.
   */
  Optional<String> account();

  /** Credentials by the descriptor's names for them, each {@code env:NAME} or {@code file:PATH}. */
  Map<String, String> secrets();

  /** The same as {@code secrets.api-key}. */
  Optional<String> apiKey();

  /**
   * Hosts that outputs may be fetched from besides the endpoint's own and those of the descriptor;
   * with a leading dot all below it. Over https only.
   */
  Optional<List<String>> outputHosts();

  /** The descriptor's settings by name. */
  Map<String, String> settings();

  /** Most submits under way at once, for each worker. */
  @WithDefault("32")
  int concurrency();

  /**
   * How long one submit may take, from the claim to the end of its answer. Its first byte leaves
   * within the first half, or never: that is the send deadline.
   */
  @WithDefault("30s")
  Duration submitDeadline();

  /**
   * How long the provider keeps an idle connection: a frozen sender's kernel can deliver a request
   * until then. Without it the descriptor's, else 16 minutes, the kernel's own limit.
   */
  Optional<Duration> connectionLife();

  /**
   * How long the provider may sit on a request before its task exists. Without it the descriptor's,
   * else 10 minutes: nobody documents it.
   */
  Optional<Duration> longestHold();

  /** How long a created task may stay invisible. Without it the descriptor's, else 10 minutes. */
  Optional<Duration> visibilityLag();

  /**
   * How long the provider remembers an idempotency key, where its documents do not say: needed for
   * idempotent-create.
   */
  Optional<Duration> promiseRetention();

  /**
   * How many tasks are asked about in one call, up to what the descriptor has. Without it that
   * many, where the provider's own documents have such a call; for an endpoint of one's own, 1.
   */
  OptionalInt statusBatch();

  /** How long after the horizon a callback is still waited for. */
  @WithDefault("1h")
  Duration callbackWait();

  LimitsConfig limits();

  /** Where the policy for new generations is another for this provider. */
  GenerationsConfig.OfProvider generations();

  /** What one of its operations costs; needed where a budget applies. */
  Optional<Money> price();
}
