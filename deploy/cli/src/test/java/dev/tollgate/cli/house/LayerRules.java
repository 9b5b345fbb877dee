package dev.tollgate.cli.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.lang.ArchRule;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The rules, for a tree below a root package. */
final class LayerRules {
  private static final Set<String> CLOCKS =
      Set.of(
          "java.time.Instant.now",
          "java.time.LocalDateTime.now",
          "java.time.LocalDate.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.lang.System.currentTimeMillis");

  private LayerRules() {}

  static Map<String, ArchRule> of(String root) {
    Map<String, ArchRule> rules = new LinkedHashMap<>();
    layers(rules, root);
    libraries(rules, root);
    calls(rules, root);
    return rules;
  }

  private static void layers(Map<String, ArchRule> rules, String root) {
    rules.put(
        "the embedded servers know nothing of Tollgate",
        not(
            root + ".embedded..",
            root + ".schema..",
            root + ".worker..",
            root + ".reconciler..",
            root + ".loadtest..",
            root + ".cli.."));
    rules.put(
        "schema depends on no process",
        not(
            root + ".schema..",
            root + ".worker..",
            root + ".reconciler..",
            root + ".loadtest..",
            root + ".cli..",
            root + ".embedded.."));
    rules.put(
        "the worker does not know who reconciles",
        not(
            root + ".worker..",
            root + ".reconciler..",
            root + ".loadtest..",
            root + ".cli..",
            root + ".embedded.."));
    rules.put(
        "the reconciler depends on worker and schema alone",
        not(root + ".reconciler..", root + ".loadtest..", root + ".cli..", root + ".embedded.."));
    rules.put(
        "load tests do not need the command line", not(root + ".loadtest..", root + ".cli.."));
    rules.put(
        "rooms of the worker form no circle",
        slices().matching(root + ".worker.(*)..").should().beFreeOfCycles());
  }

  private static ArchRule not(String from, String... to) {
    return noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(to);
  }

  private static void libraries(Map<String, ArchRule> rules, String root) {
    rules.put(
        "only the store of schema speaks SQL",
        noClasses()
            .that(
                resideInAnyPackage(root + ".schema..", root + ".worker..", root + ".reconciler.."))
            .and()
            .resideOutsideOfPackages(root + ".schema.store..", root + ".schema.generated..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.jooq..", "java.sql..", "org.postgresql.."));
    rules.put(
        "only the gate speaks Redis",
        noClasses()
            .that(
                resideInAnyPackage(root + ".schema..", root + ".worker..", root + ".reconciler.."))
            .and()
            .resideOutsideOfPackage(root + ".worker.gate..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("redis.clients.."));
    rules.put(
        "only the room of outputs knows an object store",
        noClasses()
            .that(
                resideInAnyPackage(root + ".schema..", root + ".worker..", root + ".reconciler.."))
            .and()
            .resideOutsideOfPackage(root + ".worker.output..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon.awssdk.services.."));
    rules.put(
        "only the provider's room and the client speak HTTP",
        noClasses()
            .that(
                resideInAnyPackage(root + ".schema..", root + ".worker..", root + ".reconciler.."))
            .and()
            .resideOutsideOfPackages(root + ".worker.provider..", root + ".schema.client..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.hc..", "java.net.http.."));
    rules.put(
        "only the catalogue makes meters",
        noClasses()
            .that(
                resideInAnyPackage(root + ".schema..", root + ".worker..", root + ".reconciler.."))
            .and()
            .resideOutsideOfPackage(root + ".worker.metrics..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                "io\\.micrometer\\.core\\.instrument\\.(Counter|Gauge|Timer|DistributionSummary)(\\$.*)?"));
    rules.put(
        "decisions see neither Kafka nor Redis nor SQL",
        noClasses()
            .that()
            .resideInAnyPackage(root + ".schema.state..", root + ".reconciler.ladder..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "org.apache.kafka..", "redis.clients..", "org.jooq..", "java.sql.."));
  }

  private static void calls(Map<String, ArchRule> rules, String root) {
    rules.put(
        "nobody reads a clock but what is handed one",
        noClasses()
            .that(
                resideInAnyPackage(root + ".schema..", root + ".worker..", root + ".reconciler.."))
            .should()
            .callMethodWhere(target(CLOCKS)));
    rules.put(
        "only the sender submits",
        noClasses()
            .that(
                resideInAnyPackage(root + ".schema..", root + ".worker..", root + ".reconciler.."))
            .and()
            .doNotHaveSimpleName("Sender")
            .should()
            .callMethodWhere(named(root + ".worker.provider", "submit")));
    rules.put(
        "only the change writer applies changes",
        noClasses()
            .that(resideInAnyPackage(root + ".worker..", root + ".reconciler.."))
            .and()
            .doNotHaveSimpleName("ChangeWriter")
            .should()
            .callMethodWhere(named(root + ".schema.store", "apply")));
  }

  private static DescribedPredicate<JavaMethodCall> target(Set<String> methods) {
    return describe(
        "a call of " + methods,
        call -> methods.contains(call.getTargetOwner().getFullName() + "." + call.getName()));
  }

  private static DescribedPredicate<JavaMethodCall> named(String ownerPackage, String method) {
    return describe(
        "a call of " + ownerPackage + "..." + method,
        call -> {
          AccessTarget.MethodCallTarget target = call.getTarget();
          return target.getName().equals(method)
              && target.getOwner().getPackageName().startsWith(ownerPackage)
              && !call.getOriginOwner().getPackageName().equals(target.getOwner().getPackageName());
        });
  }
}
