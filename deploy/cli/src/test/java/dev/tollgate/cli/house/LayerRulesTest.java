package dev.tollgate.cli.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every rule holds for the project, and fails for the tree that was made to break it. */
final class LayerRulesTest {
  private static final String ROOT = "dev.tollgate";
  private static final String SEEDED = "dev.tollgate.cli.house.seeded";

  private final JavaClasses project =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(ROOT);

  private final JavaClasses seeded = new ClassFileImporter().importPackages(SEEDED);

  @TestFactory
  Stream<DynamicTest> projectKeepsTheRule() {
    return LayerRules.of(ROOT).entrySet().stream()
        .map(rule -> DynamicTest.dynamicTest(rule.getKey(), () -> rule.getValue().check(project)));
  }

  @TestFactory
  Stream<DynamicTest> seededViolationBreaksTheRule() {
    return LayerRules.of(SEEDED).entrySet().stream()
        .map(
            rule ->
                DynamicTest.dynamicTest(
                    rule.getKey(), () -> assertThat(broken(rule.getValue())).isTrue()));
  }

  private boolean broken(ArchRule rule) {
    return rule.evaluate(seeded).hasViolation();
  }
}
