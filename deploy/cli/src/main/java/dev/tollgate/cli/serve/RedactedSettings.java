package dev.tollgate.cli.serve;

import dev.tollgate.schema.config.OutputsConfig;
import dev.tollgate.schema.config.TollgateConfig;
import java.net.URI;
import java.util.StringJoiner;
import java.util.TreeMap;

/** The configuration on one line for people: where things are, and no credential. */
public final class RedactedSettings {
  private RedactedSettings() {}

  /** The line, without a line end. */
  public static String of(TollgateConfig config) {
    StringJoiner line = new StringJoiner(" ");
    line.add("kafka=" + config.kafka().bootstrapServers());
    line.add("topics=" + config.kafka().topicPrefix() + ".*");
    line.add("database=" + withoutQuery(config.database().url()));
    line.add("user=" + config.database().user());
    line.add("redis=" + config.redis().url().map(RedactedSettings::address).orElse("none"));
    StringJoiner providers = new StringJoiner(",", "providers=", "");
    providers.setEmptyValue("providers=none");
    new TreeMap<>(config.providers())
        .forEach(
            (name, provider) ->
                providers.add(
                    "%s(%s %s)"
                        .formatted(
                            name,
                            provider.adapter().or(provider::descriptor).orElse(name),
                            provider
                                .endpoint()
                                .map(RedactedSettings::address)
                                .orElse("as described"))));
    line.add(providers.toString());
    line.add("outputs=" + outputs(config.outputs()));
    line.add(
        "http="
            + (config.http().port().isPresent()
                ? config.http().host() + ":" + config.http().port().getAsInt()
                : "none"));
    return line.toString();
  }

  private static String outputs(OutputsConfig outputs) {
    return switch (outputs.store()) {
      case FOLDER -> outputs.folder().toString();
      case S3 ->
          "s3://%s/%s(%s)"
              .formatted(
                  outputs.s3().bucket().orElse("?"),
                  outputs.s3().prefix().orElse(""),
                  outputs.s3().endpoint().map(RedactedSettings::address).orElse("AWS"));
    };
  }

  /** A JDBC URL may carry a user, a password, even a key after its question mark. */
  public static String withoutQuery(String jdbcUrl) {
    int query = jdbcUrl.indexOf('?');
    String plain = query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
    int at = plain.lastIndexOf('@');
    int slashes = plain.indexOf("//");
    return at > slashes && slashes >= 0
        ? plain.substring(0, slashes + 2) + plain.substring(at + 1)
        : plain;
  }

  private static String address(URI uri) {
    if (uri.getHost() == null) {
      return "?"; // what was meant as the user may stand anywhere in it
    }
    String path = uri.getRawPath() == null ? "" : uri.getRawPath();
    String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
    return uri.getScheme() + "://" + uri.getHost() + port + path;
  }
}
