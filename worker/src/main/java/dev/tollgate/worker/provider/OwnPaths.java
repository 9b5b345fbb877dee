package dev.tollgate.worker.provider;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The places at a provider's own origin whose downloads carry its credential: whoever can name an
 * output may name any other address there. Immutable.
 */
public final class OwnPaths {
  /** Whoever decodes these, or takes segments out, arrives at another place. */
  private static final Pattern LEADS_AWAY =
      Pattern.compile("(?i)/\\.{1,2}(;|/|$)|%(2e|2f|5c|25)|//");

  private final List<String> below;

  private OwnPaths(List<String> below) {
    this.below = below;
  }

  /**
   * The places below an endpoint's path.
   *
   * @param endpoint the endpoint's own path, without a slash at its end
   * @param below paths that begin and end with a slash; none: nothing carries the credential
   */
  public static OwnPaths of(String endpoint, List<String> below) {
    return new OwnPaths(below.stream().map(path -> endpoint + path).toList());
  }

  /** Whether a path, as it is sent, is at one of the places. */
  public boolean contain(String rawPath) {
    return below.stream().anyMatch(rawPath::startsWith) && !LEADS_AWAY.matcher(rawPath).find();
  }
}
