package dev.tollgate.worker.provider.described;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tollgate.worker.provider.http.HttpProtocol;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * FC-98 by the kernel's word: in a network of its own, in which every address there is leads to
 * listeners that refuse, nobody comes but for the one address that is allowed. Needs what a Linux
 * usually has, and is skipped where it is not there.
 */
final class NoConnectionLeavesIT {
  /** Every address of either family is this machine's. */
  private static final String NETWORK =
      "ip link set lo up && ip route add local 0.0.0.0/0 dev lo && ip -6 route add local ::/0 dev lo";

  private static Process inItsNetwork(List<String> command) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of("unshare", "-rn", "/bin/sh", "-c", NETWORK + " && exec \"$@\"", "sh"));
    all.addAll(command);
    return new ProcessBuilder(all).redirectErrorStream(true).start();
  }

  private static boolean canBeMade() throws InterruptedException {
    try {
      return inItsNetwork(List.of("true")).waitFor() == 0;
    } catch (IOException _) {
      return false; // there is no such program
    }
  }

  @Test
  void fc98_noConnectionLeavesTheAllowedSet_fromAnyAddressOfTheTable() throws Exception {
    assumeTrue(canBeMade(), "no network can be made here");
    Process process =
        inItsNetwork(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                EveryAddressMain.class.getName()));
    List<String> lines = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      out.lines().forEach(lines::add);
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(lines)
        .contains("tried " + Elsewhere.ADDRESSES.size() * HttpProtocol.values().length);
    assertThat(lines.stream().filter(line -> line.startsWith("connected")))
        .as("the one that is allowed, so that it is known to be seen, and no other")
        .isNotEmpty()
        .containsOnly("connected 203.0.113.5:443 by control");
  }
}
