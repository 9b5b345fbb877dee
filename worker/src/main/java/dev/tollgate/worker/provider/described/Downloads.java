package dev.tollgate.worker.provider.described;

import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.OutputFetch;
import dev.tollgate.worker.provider.OutputFetch.Route;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OutputSink;
import dev.tollgate.worker.provider.OwnPaths;
import dev.tollgate.worker.provider.PublicAddresses;
import dev.tollgate.worker.provider.http.Deadlines;
import dev.tollgate.worker.provider.http.HttpEngine;
import dev.tollgate.worker.provider.http.HttpSettings;
import dev.tollgate.worker.provider.http.Resolver;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Fetches outputs from the endpoint's own origin and from the hosts that the descriptor names, with
 * a pool of connections for each. Output addresses carry what proves who may have them, and whoever
 * can name one must not get our credential: it goes along only to the paths of the endpoint that
 * the descriptor names. Hosts of the descriptor are asked at public addresses alone. Thread-safe.
 */
final class Downloads implements AutoCloseable {
  /** So many hosts below one suffix have a pool at once. */
  private static final int HOSTS_MAX = 32;

  private static final int HTTPS = 443;
  private static final Route REFUSED =
      new Route.Refused("its address is not at a host that the descriptor allows");

  private final URI endpoint;
  private final OwnPaths ownPaths;
  private final List<String> hosts;
  private final HttpSettings settings;
  private final LongSupplier nanoTime;
  private final Deadlines deadlines;
  private final Duration patience;
  private final Resolver names;
  private final int hostsPort;

  /** The first to be opened is the first to be closed. */
  private final Map<URI, Line> lines = new LinkedHashMap<>();

  Downloads(
      URI endpoint,
      OwnPaths ownPaths,
      List<String> hosts,
      HttpSettings settings,
      LongSupplier nanoTime,
      Deadlines deadlines,
      Duration patience) {
    this(
        endpoint, ownPaths, hosts, settings, nanoTime, deadlines, patience, Resolver.SYSTEM, HTTPS);
  }

  /**
   * @param names how hosts are resolved
   * @param hostsPort the only port of hosts that is asked
   */
  Downloads(
      URI endpoint,
      OwnPaths ownPaths,
      List<String> hosts,
      HttpSettings settings,
      LongSupplier nanoTime,
      Deadlines deadlines,
      Duration patience,
      Resolver names,
      int hostsPort) {
    this.endpoint = origin(endpoint);
    this.ownPaths = ownPaths;
    this.hosts = List.copyOf(hosts);
    this.settings = settings;
    this.nanoTime = nanoTime;
    this.deadlines = deadlines;
    this.patience = patience;
    this.names = names;
    this.hostsPort = hostsPort;
  }

  /**
   * Fetches an output.
   *
   * @param proof the headers that prove who asks
   */
  DownloadResult download(
      OutputRef output, OutputSink sink, long maxBytes, Supplier<Map<String, String>> proof)
      throws IOException {
    List<Line> used = new ArrayList<>();
    try {
      return new OutputFetch(url -> route(url, proof, used), nanoTime, patience)
          .fetch(output, sink, maxBytes);
    } finally {
      release(used);
    }
  }

  /** Asked for each address anew, those that redirects name included. */
  private Route route(URI url, Supplier<Map<String, String>> proof, List<Line> used) {
    if (url.getScheme() == null || url.getHost() == null || url.getRawUserInfo() != null) {
      return REFUSED;
    }
    URI origin = origin(url);
    boolean own = origin.equals(endpoint);
    if (!own && !allowed(url)) {
      return REFUSED;
    }
    Line line = line(origin, own);
    used.add(line);
    Map<String, String> headers =
        own && ownPaths.contain(url.getRawPath()) ? proof.get() : Map.of();
    return new Route.Open(line.engine, headers, line.addresses::refusal);
  }

  private boolean allowed(URI url) {
    String host = url.getHost() == null ? "" : url.getHost().toLowerCase(Locale.ROOT);
    return "https".equals(url.getScheme())
        && (url.getPort() < 0 ? HTTPS : url.getPort()) == hostsPort
        && hosts.stream()
            .anyMatch(
                allowed -> allowed.startsWith(".") ? host.endsWith(allowed) : host.equals(allowed));
  }

  /** Opens the way to a host, or finds it, and keeps it open until it is released. */
  private synchronized Line line(URI origin, boolean own) {
    Line line = lines.get(origin);
    if (line == null) {
      PublicAddresses addresses = new PublicAddresses(names);
      // where the endpoint is was written by an operator, and calls go there anyway
      Resolver resolver = own ? names : addresses;
      line = new Line(HttpEngine.open(origin, settings, resolver, nanoTime, deadlines), addresses);
      lines.put(origin, line);
    }
    line.users++;
    return line;
  }

  private synchronized void release(List<Line> used) {
    used.forEach(line -> line.users--);
    Iterator<Line> all = lines.values().iterator();
    while (lines.size() > HOSTS_MAX && all.hasNext()) {
      Line line = all.next();
      if (line.users == 0) {
        all.remove();
        line.engine.close();
      }
    }
  }

  /** An engine, the addresses that it may connect to, and how many downloads have it in hand. */
  private static final class Line {
    private final HttpEngine engine;
    private final PublicAddresses addresses;
    private int users;

    Line(HttpEngine engine, PublicAddresses addresses) {
      this.engine = engine;
      this.addresses = addresses;
    }
  }

  /** Scheme, host and port of an address with a host. */
  private static URI origin(URI url) {
    String scheme = url.getScheme().toLowerCase(Locale.ROOT);
    int port = url.getPort() >= 0 ? url.getPort() : scheme.equals("https") ? HTTPS : 80;
    return URI.create(scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port);
  }

  @Override
  public synchronized void close() {
    lines.values().forEach(line -> line.engine.close());
  }
}
