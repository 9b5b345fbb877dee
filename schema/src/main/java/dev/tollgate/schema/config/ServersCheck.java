package dev.tollgate.schema.config;

import java.net.URI;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Whether the addresses of the servers are such that their clients take them. The clients would
 * otherwise say themselves what is wrong, and repeat the address, with the password in it.
 */
final class ServersCheck {
  private static final String POSTGRES = "jdbc:postgresql:";

  /** One server: a name or an address, and a port. Whoever connects does not stand before it. */
  private static final Pattern SERVER =
      Pattern.compile("(?:[^@:\\[\\]]*|\\[[^@\\[\\]]*])(?::0*(?<port>[0-9]{1,5}))?");

  /** A text in which every percent sign begins an escape. */
  private static final Pattern ESCAPED = Pattern.compile("(?:[^%]|%[0-9A-Fa-f]{2})*+");

  private static final Pattern REDIS_NUMBER = Pattern.compile("(?:/[0-9]{0,4})?");
  private static final int PORT_MAX = 65_535;

  private ServersCheck() {}

  static void check(TollgateConfig config, Consumer<String> found) {
    if (!isDatabase(config.database().url())) {
      found.accept(
          "tollgate.database.url is not jdbc:postgresql://HOST[:PORT]/NAME (who connects is told by"
              + " tollgate.database.user and tollgate.database.password)");
    }
    if (config.redis().url().isPresent() && !isRedis(config.redis().url().get())) {
      found.accept("tollgate.redis.url is not redis(s)://[USER:PASSWORD@]HOST:PORT[/NUMBER]");
    }
  }

  private static boolean isDatabase(String url) {
    if (!url.startsWith(POSTGRES)) {
      return false;
    }
    String rest = url.substring(POSTGRES.length());
    if (!rest.startsWith("//")) {
      return !rest.startsWith("/") && ESCAPED.matcher(rest).matches();
    }
    int servers = rest.indexOf('/', 2);
    int parameters = rest.indexOf('?');
    if (servers < 0
        || (parameters >= 0 && parameters < servers)
        || !ESCAPED.matcher(rest.substring(servers)).matches()) {
      return false;
    }
    for (String server : rest.substring(2, servers).split(",", -1)) {
      var matcher = SERVER.matcher(server);
      if (!matcher.matches() || (matcher.group("port") != null && !port(matcher.group("port")))) {
        return false;
      }
    }
    return true;
  }

  private static boolean port(String digits) {
    int port = Integer.parseInt(digits);
    return port >= 1 && port <= PORT_MAX;
  }

  private static boolean isRedis(URI url) {
    String user = url.getUserInfo();
    return ("redis".equals(url.getScheme()) || "rediss".equals(url.getScheme()))
        && url.getHost() != null
        && url.getPort() >= 1
        && url.getPort() <= PORT_MAX
        && (user == null || user.contains(":"))
        && REDIS_NUMBER.matcher(url.getPath()).matches();
  }
}
