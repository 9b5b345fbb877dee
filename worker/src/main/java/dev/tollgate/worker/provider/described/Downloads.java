package dev.tollgate.worker.provider.described;

import dev.tollgate.schema.Code;
import dev.tollgate.worker.provider.CheckedDownload;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OutputSink;
import dev.tollgate.worker.provider.OwnPaths;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpCall;
import dev.tollgate.worker.provider.http.HttpEngine;
import dev.tollgate.worker.provider.http.HttpSettings;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Fetches outputs from the endpoint's own origin and from the hosts that the descriptor names, with
 * a pool of connections for each. Output addresses carry what proves who may have them, and whoever
 * can name one must not get our credential: it goes along only to the paths of the endpoint that
 * the descriptor names. Redirects are not followed. Thread-safe.
 */
final class Downloads implements AutoCloseable {
  /** So many hosts below one suffix have a pool at once. */
  private static final int HOSTS_MAX = 32;

  private final URI endpoint;
  private final OwnPaths ownPaths;
  private final List<String> hosts;
  private final HttpSettings settings;
  private final LongSupplier nanoTime;
  private final Deadlines deadlines;
  private final Duration patience;
  private final Map<URI, HttpEngine> engines = new ConcurrentHashMap<>();

  Downloads(
      URI endpoint,
      OwnPaths ownPaths,
      List<String> hosts,
      HttpSettings settings,
      LongSupplier nanoTime,
      Deadlines deadlines,
      Duration patience) {
    this.endpoint = origin(endpoint);
    this.ownPaths = ownPaths;
    this.hosts = List.copyOf(hosts);
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.deadlines = deadlines;
    this.patience = patience;
  }

  /**
   * Fetches an output.
   *
   * @param proof the headers that prove who asks
   */
  DownloadResult download(
      OutputRef output, OutputSink sink, long maxBytes, Supplier<Map<String, String>> proof)
      throws IOException {
    URI url = output.url();
    boolean own =
        url.getRawUserInfo() == null && url.getHost() != null && origin(url).equals(endpoint);
    if (!own && !allowed(url)) {
      return new DownloadResult.Invalid(
          Code.OUTPUT_INVALID, "its address is not at a host that the descriptor allows");
    }
    if (output.length().orElse(0) > maxBytes) {
      return new DownloadResult.Invalid(
          Code.OUTPUT_INVALID, "announced as longer than " + maxBytes);
    }
    HttpEngine engine = engine(origin(url));
    String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    CheckedDownload download = new CheckedDownload(output, sink, maxBytes);
    long answerBy = nanoTime.getAsLong() + patience.toNanos();
    Map<String, String> headers = own && ownPaths.contain(path) ? proof.get() : Map.of();
    return download.judge(engine.send(HttpCall.get(target, headers, answerBy), download));
  }

  private boolean allowed(URI url) {
    String host = url.getHost() == null ? "" : url.getHost().toLowerCase(Locale.ROOT);
    return "https".equals(url.getScheme())
        && url.getRawUserInfo() == null
        && (url.getPort() < 0 || url.getPort() == 443)
        && hosts.stream()
            .anyMatch(
                allowed -> allowed.startsWith(".") ? host.endsWith(allowed) : host.equals(allowed));
  }

  private HttpEngine engine(URI origin) {
    if (engines.size() > HOSTS_MAX) {
      engines.keySet().stream().findAny().map(engines::remove).ifPresent(HttpEngine::close);
    }
    return engines.computeIfAbsent(
        origin, at -> HttpEngine.open(at, settings, nanoTime, deadlines));
  }

  /** Scheme, host and port of an address with a host. */
  private static URI origin(URI url) {
    String scheme = url.getScheme().toLowerCase(Locale.ROOT);
    int port = url.getPort() >= 0 ? url.getPort() : scheme.equals("https") ? 443 : 80;
    return URI.create(scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port);
  }

  @Override
  public void close() {
    engines.values().forEach(HttpEngine::close);
  }
}
