package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.cli.local.LocalPorts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class WelcomeTest {
  private static String printed(Set<String> providers) {
    StringWriter text = new StringWriter();
    new Welcome(Project.data(), new LocalPorts(19090), "postgresql://somewhere", providers)
        .print(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void banner_saysWhereWebhooksGo_andWhichProvidersWereAdded() {
    assertThat(printed(new TreeSet<>(Set.of("orders", "kling"))))
        .contains("  webhooks     http://127.0.0.1:19097/webhooks/{provider}, /callbacks/...")
        .contains("  to watch one http://127.0.0.1:19098/#ADDRESS")
        .contains("  added        providers kling, orders");
  }

  @Test
  void banner_addsNothing_whereNothingWasAdded() {
    assertThat(printed(Set.of())).contains("  sandbox      ").doesNotContain("added");
  }
}
