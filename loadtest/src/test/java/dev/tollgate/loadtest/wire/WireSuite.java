package dev.tollgate.loadtest.wire;

import dev.tollgate.loadtest.wire.WireRun.Run;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases of one run, which a suite starts before its tests; each is a test of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WireSuite {
  final WireRun run = new WireRun(getClass());

  @AfterAll
  void close() {
    run.close();
  }

  Stream<Run> runs() {
    return run.runs().stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("runs")
  void case_endsAsItsDocumentsSay(Run one) {
    run.check(one);
  }
}
