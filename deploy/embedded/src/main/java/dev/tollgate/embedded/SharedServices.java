package dev.tollgate.embedded;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * One set of servers for all tests of a JVM. Each server starts on first use; a shutdown hook stops
 * them. Test classes stay apart by databases and topic prefixes of their own, see {@link
 * #freshDatabase} and {@link #topicPrefix}. A test that stops a server starts its own {@link
 * Services} instead.
 *
 * <p>The system property {@value Services#PROPERTY} chooses between {@code embedded} (the default)
 * and {@code containers}. Thread-safe.
 */
public final class SharedServices {
  /** A database of its own, with everything that a connection needs. */
  public record Database(String name, String jdbcUrl, String user, String password) {}

  /** Half an hour off the hour, and summer time in the south: finds sums that leave out a zone. */
  private static final Map<String, String> HOSTILE_POSTGRES =
      Map.of("timezone", "Australia/Lord_Howe");

  private static final Pattern NOT_FOR_NAMES = Pattern.compile("[^a-z0-9]");

  private static final int MAX_OWNER = 30;

  /** Opened on first use, so that a failure comes to each test as it is. */
  private static final Lazy<Services> SHARED = new Lazy<>(SharedServices::open);

  private SharedServices() {}

  private static Services open() {
    Services services =
        Services.chosen(ServicesOptions.temporary().withPostgresSettings(HOSTILE_POSTGRES));
    Runtime.getRuntime().addShutdownHook(new Thread(services::close, "shared-services-close"));
    return services;
  }

  /** The shared PostgreSQL. */
  public static PostgresServer postgres() {
    return SHARED.get().postgres();
  }

  /** The shared Redis. */
  public static RedisServer redis() {
    return SHARED.get().redis();
  }

  /** The shared broker. */
  public static KafkaBroker kafka() {
    return SHARED.get().kafka();
  }

  /** An empty database that no other test knows, named after the test class. */
  public static Database freshDatabase(Class<?> owner) {
    return freshDatabase(owner, "template1");
  }

  /**
   * A copy of a database (say, a migrated one) that no other test knows. Nobody may be connected to
   * the template meanwhile.
   */
  public static Database freshDatabase(Class<?> owner, String template) {
    String name = uniqueName(owner).replace('-', '_');
    PostgresServer server = postgres();
    String url = server.createDatabase(name, template);
    return new Database(name, url, server.user(), server.password());
  }

  /** A prefix for topics and groups that no other test uses, without a dot at its end. */
  public static String topicPrefix(Class<?> owner) {
    return uniqueName(owner);
  }

  private static String uniqueName(Class<?> owner) {
    String plain =
        NOT_FOR_NAMES.matcher(owner.getSimpleName().toLowerCase(Locale.ROOT)).replaceAll("");
    String shortened = plain.substring(0, Math.min(plain.length(), MAX_OWNER));
    // 48 random bits: containers could outlive this JVM, so counting would not do
    long random = ThreadLocalRandom.current().nextLong(1L << 48);
    return "t%s-%012x".formatted(shortened, random);
  }
}
