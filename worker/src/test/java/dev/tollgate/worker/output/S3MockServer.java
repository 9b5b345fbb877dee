package dev.tollgate.worker.output;

import static org.awaitility.Awaitility.await;

import dev.tollgate.embedded.Folders;
import dev.tollgate.embedded.Leash;
import dev.tollgate.embedded.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * An object store of its own for tests: S3Mock, a real server with real objects and conditional
 * writes, as a child process that ends with this one. Started with its first use; shared.
 */
final class S3MockServer {
  static final String BUCKET = "outputs";

  private static final Duration START_PATIENCE = Duration.ofSeconds(90);

  private final Path folder;
  private final int port;

  private S3MockServer(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  static S3MockServer shared() {
    return Holder.SERVER;
  }

  private static final class Holder {
    static final S3MockServer SERVER = start();
  }

  private static S3MockServer start() {
    try {
      Path folder = Files.createTempDirectory("s3mock-");
      int port = Ports.free();
      List<String> command =
          List.of(
              ProcessHandle.current().info().command().orElse("java"),
              "-XX:TieredStopAtLevel=1",
              "-Xmx256m",
              "-jar",
              jar().toString(),
              "--server.port=0",
              "--http.port=" + port,
              "--com.adobe.testing.s3mock.store.root=" + folder.resolve("root"),
              "--com.adobe.testing.s3mock.store.initialBuckets=" + BUCKET);
      Files.createDirectory(folder.resolve("root"));
      Process process =
          new ProcessBuilder(Leash.command("s3mock", "KILL", command))
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("log").toFile())
              .start();
      S3MockServer server = new S3MockServer(folder, port);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> server.end(process)));
      await()
          .atMost(START_PATIENCE)
          .until(
              () -> {
                if (!process.isAlive()) {
                  throw new IllegalStateException(Files.readString(folder.resolve("log")));
                }
                return answers(port);
              });
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server's jar holds all it needs, and is on the class path for nothing but to be found. */
  private static Path jar() {
    try {
      Class<?> launcher =
          Class.forName(
              "org.springframework.boot.loader.launch.JarLauncher",
              false,
              S3MockServer.class.getClassLoader());
      return Path.of(
          URI.create(
              Objects.requireNonNull(launcher.getProtectionDomain().getCodeSource())
                  .getLocation()
                  .toString()));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("S3Mock is not on the class path", e);
    }
  }

  private static boolean answers(int port) {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException _) {
      return false; // not up yet
    }
  }

  private void end(Process process) {
    process.destroyForcibly();
    try {
      process.waitFor();
      Folders.delete(folder);
    } catch (IOException | InterruptedException _) {
      // a temporary folder stays behind
    }
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }
}
