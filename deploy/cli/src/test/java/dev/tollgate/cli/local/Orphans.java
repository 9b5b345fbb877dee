package dev.tollgate.cli.local;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A program that starts a sandbox, prints its process id, and waits to be killed. */
final class Orphans {
  private Orphans() {}

  public static void main(String[] args) throws InterruptedException {
    Path folder = Path.of(args[0]);
    Processes processes = new Processes(folder);
    ChildProcess child =
        processes.sandbox(
            "orphan", Map.of("port", args[1], "ledger", folder.resolve("ledger").toString()));
    System.out.println(child.pid());
    System.out.flush();
    new CountDownLatch(1).await();
  }
}
