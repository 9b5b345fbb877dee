package dev.tollgate.worker.provider;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials of one provider, by reference: {@code env:NAME} or {@code file:PATH}. A file is
 * looked at again about once a second, so that a credential can be rotated without a restart; one
 * that cannot be read any more leaves the last good one in use. Thread-safe.
 */
public final class Credentials {
  private static final Logger log = LoggerFactory.getLogger(Credentials.class);
  private static final long LOOK_AGAIN_NANOS = 1_000_000_000L;

  /** What was in use before may still be echoed by an answer that is under way. */
  private static final int OLD_ONES_KEPT = 8;

  private static final int BYTES_MAX = 16 * 1024;

  private final String provider;
  private final Map<String, String> references;
  private final Function<String, @Nullable String> environment;
  private final LongSupplier nanoTime;
  private final AtomicLong lookedAt;
  private volatile State state;

  private record State(Map<String, Secret> current, List<Secret> old, Redactor redactor) {}

  private Credentials(
      String provider,
      Map<String, String> references,
      Function<String, @Nullable String> environment,
      LongSupplier nanoTime) {
    this.provider = provider;
    this.references = Map.copyOf(references);
    this.environment = environment;
    this.nanoTime = nanoTime;
    this.lookedAt = new AtomicLong(nanoTime.getAsLong());
    Map<String, Secret> first = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    references.forEach(
        (name, reference) -> {
          try {
            first.put(name, read(name, reference));
          } catch (IllegalArgumentException e) {
            wrong.add(String.valueOf(e.getMessage()));
          }
        });
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(String.join(System.lineSeparator(), wrong));
    }
    this.state = new State(first, List.of(), redactor(first, List.of()));
  }

  /**
   * Reads the credentials.
   *
   * @param references by name
   * @param environment the environment's variables
   * @throws IllegalArgumentException naming each reference that cannot be read on a line of its
   *     own, never a value
   */
  public static Credentials open(
      String provider,
      Map<String, String> references,
      Function<String, @Nullable String> environment,
      LongSupplier nanoTime) {
    return new Credentials(provider, references, environment, nanoTime);
  }

  /**
   * A credential as it is now.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public Secret get(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "provider " + provider + " has no secret '" + name + "'"));
  }

  /** A credential as it is now, if there is one of that name. */
  public Optional<Secret> find(String name) {
    lookAgain();
    return Optional.ofNullable(state.current.get(name));
  }

  /** Takes these credentials, and those that were in use shortly before, out of texts. */
  public Redactor redactor() {
    return state.redactor;
  }

  /**
   * Notes something that was made from these credentials and proves as much, such as a signed
   * token, so that it is taken out of texts as well.
   */
  public void issued(Secret token) {
    if (!state.old.contains(token)) {
      synchronized (this) {
        List<Secret> old = new ArrayList<>(state.old);
        old.add(token);
        replace(state.current, old);
      }
    }
  }

  private void replace(Map<String, Secret> current, List<Secret> old) {
    List<Secret> kept = old.subList(Math.max(0, old.size() - OLD_ONES_KEPT), old.size());
    state = new State(current, List.copyOf(kept), redactor(current, kept));
  }

  private void lookAgain() {
    long now = nanoTime.getAsLong();
    long before = lookedAt.get();
    if (now - before < LOOK_AGAIN_NANOS || !lookedAt.compareAndSet(before, now)) {
      return;
    }
    Map<String, Secret> current = new HashMap<>(state.current);
    List<Secret> rotated = new ArrayList<>();
    references.forEach((name, reference) -> reread(name, reference, current, rotated));
    if (!rotated.isEmpty()) {
      synchronized (this) {
        List<Secret> old = new ArrayList<>(state.old);
        old.addAll(rotated);
        replace(current, old);
      }
      log.info("provider {}: credentials were rotated", provider);
    }
  }

  private void reread(
      String name, String reference, Map<String, Secret> current, List<Secret> old) {
    if (!reference.startsWith("file:")) {
      return; // a process's environment does not change
    }
    try {
      Secret now = read(name, reference);
      Secret before = current.put(name, now);
      if (before != null && !before.equals(now)) {
        old.add(before);
      }
    } catch (IllegalArgumentException e) {
      log.warn("provider {}: {}; the one read before stays in use", provider, e.getMessage());
    }
  }

  private Secret read(String name, String reference) {
    try {
      return Secret.of(text(reference).strip());
    } catch (IOException | IllegalArgumentException e) {
      String why = e instanceof IOException ? "cannot be read" : String.valueOf(e.getMessage());
      // what is no reference may be the credential itself, so it is not repeated
      String shown = isReference(reference) ? reference : "(no env: or file: reference)";
      throw new IllegalArgumentException("secret %s from %s: %s".formatted(name, shown, why), e);
    }
  }

  private String text(String reference) throws IOException {
    if (reference.startsWith("env:")) {
      return Optional.ofNullable(environment.apply(reference.substring(4)))
          .orElseThrow(() -> new IllegalArgumentException("there is no such variable"));
    }
    if (reference.startsWith("file:")) {
      Path file = Path.of(reference.substring(5));
      if (Files.size(file) > BYTES_MAX) {
        throw new IllegalArgumentException("longer than " + BYTES_MAX + " bytes");
      }
      return Files.readString(file, StandardCharsets.US_ASCII);
    }
    throw new IllegalArgumentException("write env:NAME or file:PATH, not the secret itself");
  }

  private static boolean isReference(String text) {
    return text.startsWith("env:") || text.startsWith("file:");
  }

  private static Redactor redactor(Map<String, Secret> current, List<Secret> old) {
    List<Secret> all = new ArrayList<>(current.values());
    all.addAll(old);
    return Redactor.of(all);
  }
}
