package dev.tollgate.oracles;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.worker.Providers;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Candidate;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A shipped descriptor, opened from a configuration as a worker opens it. */
final class Described implements AutoCloseable {
  static final String KEY = "tg-0123456789abcdef0123456789abcdef";
  static final URI CALLBACKS = URI.create("https://tollgate.example.com/hooks");

  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration PLENTY = Duration.ofSeconds(20);

  private final Providers providers;

  private Described(Providers providers) {
    this.providers = providers;
  }

  /**
   * Opens one.
   *
   * @param folder for the secrets
   * @param settings below the provider, such as {@code settings.region}
   */
  static Described open(
      String descriptor,
      URI endpoint,
      Path folder,
      Map<String, String> secrets,
      Map<String, String> settings) {
    Map<String, String> given = new HashMap<>();
    given.put("tollgate.kafka.bootstrap-servers", "nowhere:1");
    given.put("tollgate.database.url", "jdbc:postgresql://nowhere/none");
    given.put("tollgate.callbacks", CALLBACKS.toString());
    String provider = "tollgate.providers." + descriptor + ".";
    given.put(provider + "endpoint", endpoint.toString());
    settings.forEach((name, value) -> given.put(provider + name, value));
    secrets.forEach(
        (name, value) ->
            given.put(provider + "secrets." + name, "file:" + file(folder.resolve(name), value)));
    return new Described(
        new Providers(
            ConfigFile.read(Optional.empty(), given),
            new byte[32],
            Clock.systemUTC(),
            System::nanoTime));
  }

  /** Submits, and does not wait for an answer longer than {@code patience}. */
  Verdict submit(JsonNode params, Duration patience) {
    byte[] bytes = params.toString().getBytes(StandardCharsets.UTF_8);
    assertThat(adapter().objection(Bytes.copyOf(bytes))).isEmpty();
    long due = System.nanoTime() + patience.toNanos();
    return adapter()
        .submit(new Submission("video:" + "0".repeat(64), bytes, KEY, due, due))
        .verdict();
  }

  /** Submits what is to be accepted, and returns the id. */
  String accepted(JsonNode params) {
    Verdict verdict = submit(params, PLENTY);
    assertThat(verdict).isInstanceOf(Verdict.Accepted.class);
    return ((Verdict.Accepted) verdict).remoteId();
  }

  /** A create that is not waited for long. */
  Misbehaviour.Create create(JsonNode params) {
    return () -> {
      if (!(submit(params, SOON) instanceof Verdict.Accepted)) {
        throw new IOException("not accepted");
      }
    };
  }

  /** How a task stands; none where the provider's word for it has no state. */
  Optional<TaskState> state(String id) {
    return switch (adapter().status(id)) {
      case StatusResult.Status(TaskState state, var _, var _) -> Optional.of(state);
      case StatusResult.UnknownWord _ -> Optional.empty();
      case StatusResult other -> throw new AssertionError("no status: " + other);
    };
  }

  /** The tasks that were listed between two moments. */
  List<Candidate> listed(Instant from, Instant to) {
    LookupResult result = adapter().list(from, to);
    assertThat(result).isInstanceOf(LookupResult.Candidates.class);
    return ((LookupResult.Candidates) result).candidates();
  }

  ProviderAdapter adapter() {
    return providers.adapters().getFirst();
  }

  private static Path file(Path file, String value) {
    try {
      return Files.writeString(file, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    providers.close();
  }
}
