package dev.tollgate.schema.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jooq.codegen.DefaultGeneratorStrategy;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.Definition;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.Logging;
import org.jooq.meta.jaxb.Strategy;
import org.jooq.meta.jaxb.Target;
import org.junit.jupiter.api.Test;

/**
 * The classes that name tables and columns are made from the migrated database and checked in, so
 * that nobody needs a database to compile. This makes them again and compares.
 */
final class GeneratedCodeIsCurrentIT {
  private static final Path CHECKED_IN = Path.of("src", "generated", "java");
  private static final Path FRESH = Path.of("target", "generated-again");
  private static final String COMMAND =
      "mvn -pl schema -am test -Dtest=GeneratedCodeIsCurrentIT -Dgenerate=write"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  @Test
  void checkedInClasses_areWhatTheMigratedDatabaseGives() throws Exception {
    delete(FRESH);
    GenerationTool.generate(configuration());
    Map<String, String> fresh = files(FRESH);
    assertThat(fresh).hasSizeGreaterThan(10);
    if ("write".equals(System.getProperty("generate"))) {
      delete(CHECKED_IN);
      for (Map.Entry<String, String> file : fresh.entrySet()) {
        Path path = CHECKED_IN.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        Files.writeString(path, file.getValue());
      }
    }
    assertThat(files(CHECKED_IN))
        .as("%s is not what the migration gives; run: %s", CHECKED_IN, COMMAND)
        .isEqualTo(fresh);
  }

  /**
   * The generator names classes in the default locale: a Turkish one would write {@code İntent}.
   */
  public static final class Names extends DefaultGeneratorStrategy {
    @Override
    public String getJavaClassName(Definition definition, Mode mode) {
      return super.getJavaClassName(definition, mode).replace('\u0130', 'I');
    }
  }

  private static Configuration configuration() {
    DatabaseSettings settings = TestDatabase.migrated(GeneratedCodeIsCurrentIT.class);
    return new Configuration()
        .withLogging(Logging.WARN)
        .withJdbc(
            new Jdbc()
                .withUrl(settings.url())
                .withUser(settings.user())
                .withPassword(settings.password()))
        .withGenerator(
            new Generator()
                .withStrategy(new Strategy().withName(Names.class.getName()))
                .withDatabase(
                    new Database()
                        .withName("org.jooq.meta.postgres.PostgresDatabase")
                        .withInputSchema("public")
                        .withOutputSchemaToDefault(true)
                        .withOutputCatalogToDefault(true)
                        .withExcludes("flyway_schema_history|operations|installation")
                        .withIncludeRoutines(false)
                        .withIncludeSequences(false)
                        .withIncludeIndexes(false)
                        .withIncludeCheckConstraints(false)
                        .withIncludeTriggers(false))
                .withGenerate(
                    new Generate()
                        .withRecords(false)
                        .withComments(false)
                        .withGlobalCatalogReferences(false)
                        .withGlobalSchemaReferences(false)
                        .withDefaultCatalog(false)
                        .withDefaultSchema(false)
                        .withImplicitJoinPathsToOne(false)
                        .withImplicitJoinPathsToMany(false)
                        .withWhereMethodOverrides(false)
                        .withRenameMethodOverrides(false)
                        .withJavadoc(false)
                        .withJooqVersionReference(false)
                        .withGeneratedAnnotation(false))
                .withTarget(
                    new Target()
                        .withPackageName("dev.tollgate.schema.generated")
                        .withDirectory(FRESH.toString())
                        .withEncoding("UTF-8")
                        .withLocale(Locale.ENGLISH.toLanguageTag())));
  }

  /** Content by path below the folder, with {@code /} on every system. */
  private static Map<String, String> files(Path folder) throws IOException {
    Map<String, String> files = new TreeMap<>();
    if (!Files.exists(folder)) {
      return files;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(file).toString().replace('\\', '/'), Files.readString(file));
      }
    }
    return files;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
