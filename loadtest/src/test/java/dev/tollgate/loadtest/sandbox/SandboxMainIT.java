package dev.tollgate.loadtest.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sandbox as a process of its own. */
final class SandboxMainIT {
  @TempDir Path folder;

  @Test
  void process_saysWhenItIsReady_andSigtermLeavesACompleteLedger() throws Exception {
    Path ledger = folder.resolve("ledger.jsonl");
    Process process = start("--ledger=" + ledger, "--port=0", "--answer-delay-ms=1");
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        HttpClient client = HttpClient.newHttpClient()) {
      String ready = out.readLine();
      assertThat(ready).startsWith("sandbox ready port=").doesNotContain("sandbox-key");
      String port = ready.substring("sandbox ready port=".length(), ready.indexOf(" ledger="));
      HttpRequest post =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/blind/tasks"))
              .header("Authorization", "Bearer sandbox-key")
              .POST(BodyPublishers.ofString("{\"input\":{}}"))
              .build();
      assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(202);
      process.destroy();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(Ledger.read(ledger).tasks()).hasSize(1).allMatch(Ledger.Task::answered);
    } finally {
      process.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--port=x",
        "--faults=some",
        "--colour=red",
        "port=1",
        "--port=70000",
        "--webhooks=ftp://127.0.0.1/webhooks",
        "--webhooks=",
        "--webhooks=http://a b",
        "--webhook-secret=whsec_",
        "--webhook-faults=some"
      })
  void wrongSetting_endsWithStatus2(String argument) throws Exception {
    Process process = start("--ledger=" + folder.resolve("l"), argument);
    try {
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(2);
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process start(String... args) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(SandboxMain.class.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }
}
