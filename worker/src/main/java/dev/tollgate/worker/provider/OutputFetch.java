package dev.tollgate.worker.provider;

import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.http.HttpAnswer;
import dev.tollgate.worker.provider.http.HttpCall;
import dev.tollgate.worker.provider.http.HttpEngine;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Fetches one output by GET: along a few redirects, each address judged as the first one was, and
 * on from where it was cut. Tries, redirects, bytes and time are bounded for all of it together.
 * Thread-safe.
 */
public final class OutputFetch {
  /** Tries that bring hardly anything. */
  private static final int TRIES_MAX = 5;

  private static final long HARDLY_ANYTHING = 1024 * 1024;

  /** What comes more slowly than this, in all, is given up: bytes in a second. */
  private static final long SLOWEST = 256 * 1024;

  private static final int REDIRECTS_MAX = 3;
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  private final Routes routes;
  private final LongSupplier nanoTime;
  private final Duration patience;

  /**
   * @param nanoTime the clock of the routes' engines
   * @param patience how long one output may take, with all that belongs to it, beside the time that
   *     its bytes take at 256 KiB a second
   */
  public OutputFetch(Routes routes, LongSupplier nanoTime, Duration patience) {
    this.routes = routes;
    this.nanoTime = nanoTime;
    this.patience = patience;
  }

  /** Says whether and how an address may be asked. */
  @FunctionalInterface
  public interface Routes {
    /** The way to an address that somebody else wrote. */
    Route to(URI url);
  }

  /** A way, or none. */
  public sealed interface Route {
    /**
     * The address may be asked.
     *
     * @param headers that may go there
     * @param refusal why the engine was not let connect, where that is why it did not
     */
    record Open(HttpEngine engine, Map<String, String> headers, Supplier<Optional<String>> refusal)
        implements Route {}

    /** It may not. */
    record Refused(String why) implements Route {}
  }

  /**
   * Fetches, counts and checks.
   *
   * @throws IOException from {@code sink} alone
   */
  public DownloadResult fetch(OutputRef output, OutputSink sink, long maxBytes) throws IOException {
    if (output.length().orElse(0) > maxBytes) {
      return invalid("announced as longer than " + maxBytes);
    }
    long until = nanoTime.getAsLong() + patience.toNanos();
    CheckedDownload download =
        new CheckedDownload(
            output,
            sink,
            maxBytes,
            length -> Math.max(1, until + timeFor(length) - nanoTime.getAsLong()));
    URI at = output.url();
    int redirects = 0;
    int tries = 1;
    while (true) {
      Route route = routes.to(at);
      if (route instanceof Route.Refused(String why)) {
        return invalid(why);
      }
      Route.Open way = (Route.Open) route;
      long before = download.length();
      HttpAnswer answer =
          way.engine().send(call(at, way, download, until + timeFor(before)), download);
      Optional<String> refusal = answer.firstByteSent() ? Optional.empty() : way.refusal().get();
      if (refusal.isPresent()) {
        return invalid(refusal.get());
      }
      if (REDIRECTS.contains(answer.status().orElse(0))) {
        Optional<URI> next = target(at, answer);
        if (next.isEmpty() || ++redirects > REDIRECTS_MAX) {
          return invalid(
              next.isEmpty() ? "it redirects to no address" : "it redirects again and again");
        }
        at = next.get();
      } else if (tries < TRIES_MAX && download.mayGoOn(answer)) {
        tries += download.length() - before > HARDLY_ANYTHING ? 0 : 1;
      } else {
        return download.judge(answer);
      }
    }
  }

  private static long timeFor(long bytes) {
    return Duration.ofSeconds(bytes / SLOWEST).toNanos();
  }

  private static HttpCall call(
      URI url, Route.Open way, CheckedDownload download, long answerByNanos) {
    String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    Map<String, String> headers = new HashMap<>(way.headers());
    headers.putAll(download.continuation());
    return HttpCall.get(target, headers, answerByNanos);
  }

  private static Optional<URI> target(URI from, HttpAnswer answer) {
    String location = answer.headers().getOrDefault("location", "").strip();
    try {
      return location.isEmpty() ? Optional.empty() : Optional.of(from.resolve(location));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static DownloadResult invalid(String reason) {
    return new DownloadResult.Invalid(Code.OUTPUT_INVALID, reason);
  }
}
