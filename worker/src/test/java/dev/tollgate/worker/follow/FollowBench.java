package dev.tollgate.worker.follow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.schema.store.TestDatabase;
import dev.tollgate.worker.loop.Loop;
import dev.tollgate.worker.loop.Step;
import dev.tollgate.worker.output.Completion;
import dev.tollgate.worker.output.FolderStore;
import dev.tollgate.worker.output.OutputListener;
import dev.tollgate.worker.output.OutputPolicy;
import dev.tollgate.worker.output.Scratch;
import dev.tollgate.worker.provider.OwnEndpoint;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.WriteListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * What it takes to follow many accepted tasks: a real database, a real socket, and a provider in
 * this JVM whose work counts as ours. Prints cores, calls and statements for each second.
 */
final class FollowBench {
  private static final int TASKS = 100_000;
  private static final Duration CADENCE = Duration.ofSeconds(10);
  private static final Duration WARM_UP = Duration.ofSeconds(20);
  private static final Duration MEASURED = Duration.ofSeconds(30);
  private static final Duration EVERY = Duration.ofMillis(200);

  private static final String FILL =
      """
      WITH n AS (
        SELECT g AS seq, sha256(convert_to('task ' || g, 'UTF8')) || 'video'::bytea AS op_key, 'task-' || g AS remote_id
        FROM generate_series(1, ?) AS g
      ), intents AS (
        INSERT INTO intent (op_key, provider, request_hash, submission_key, created_at, source_partition, source_offset,
                            dimensions, params, first_claim, first_owner, first_send_deadline, first_absent_after,
                            first_carried, first_sent_to)
        SELECT op_key, 'sandbox', sha256(op_key), substring(sha256(op_key) FOR 16), now(), 0, seq, '{}', '{}',
               gen_random_uuid(), 'w1', now(), now(), 0, ? FROM n
      ), operations AS (
        INSERT INTO operation (seq, op_key, claim, changed_at, fence, version, attempts, looks, state, remote_id)
        SELECT seq, op_key, gen_random_uuid(), now(), 1, 2, 1, 0, 'accepted', remote_id FROM n
      ), tasks AS (
        INSERT INTO remote_task (provider, remote_id, op_key, known_at) SELECT 'sandbox', remote_id, op_key, now() FROM n
      )
      INSERT INTO wake (seq, op_key, at, role, provider)
      SELECT seq, op_key, now() + seq * interval '0.1 ms', 'follow', 'sandbox' FROM n
      """;

  private FollowBench() {}

  public static void main(String[] arguments) throws Exception {
    AtomicLong calls = new AtomicLong();
    AtomicLong answers = new AtomicLong();
    HttpServer server = server(calls);
    Path folder = Files.createTempDirectory("follow-bench");
    try (Database database =
            new Database(TestDatabase.migrated(FollowBench.class), "bench", 2, null);
        ProviderAdapter adapter =
            OwnEndpoint.open(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))) {
      database.dsl().execute(FILL, TASKS, adapter.profile().sendsTo().digest());
      database.dsl().execute("ANALYZE");
      PostgresOperationStore store = new PostgresOperationStore(database.dsl());
      AtomicLong statements = new AtomicLong();
      try (ChangeWriter writer =
              new ChangeWriter(
                  "follows", store, new WriteListener() {}, 100, Duration.ZERO, System::nanoTime);
          Loop loop =
              new Loop(
                  "follow",
                  EVERY,
                  System::nanoTime,
                  counted(
                      statements,
                      new Follower(
                          store,
                          List.of(adapter),
                          new Completion(
                              new FolderStore(folder),
                              new Scratch(folder),
                              store,
                              _ -> {},
                              new OutputPolicy(1, CADENCE, CADENCE, 3, CADENCE, CADENCE),
                              new OutputListener() {}),
                          writer,
                          new FollowPolicy(CADENCE, CADENCE, 32),
                          new FollowListener() {
                            @Override
                            public void asked(String provider, String answer) {
                              if (answer.equals("processing")) {
                                answers.incrementAndGet();
                              }
                            }
                          },
                          System::nanoTime,
                          Optional.empty())))) {
        loop.start();
        pass(WARM_UP);
        long cpu = cpuMillis();
        long callsBefore = calls.get();
        long answersBefore = answers.get();
        long statementsBefore = statements.get();
        pass(MEASURED);
        double seconds = MEASURED.toSeconds();
        System.out.printf(
            "%d tasks each %d s: %.0f answers, %.1f calls, %.1f statements a second; %.2f cores%n",
            TASKS,
            CADENCE.toSeconds(),
            (answers.get() - answersBefore) / seconds,
            (calls.get() - callsBefore) / seconds,
            (statements.get() - statementsBefore) / seconds,
            (cpuMillis() - cpu) / 1000.0 / seconds);
      }
    } finally {
      server.stop(0);
    }
    System.exit(0);
  }

  private static void pass(Duration time) throws InterruptedException {
    new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Step counted(AtomicLong statements, Follower follower) {
    return () -> {
      statements.incrementAndGet();
      return follower.runOnce();
    };
  }

  /** Of this process and of the servers that it started. */
  private static long cpuMillis() {
    return Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .mapToLong(Duration::toMillis)
        .sum();
  }

  private static HttpServer server(AtomicLong calls) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            calls.incrementAndGet();
            String ids = exchange.getRequestURI().getQuery().substring("ids=".length());
            StringJoiner tasks = new StringJoiner(",", "{\"tasks\":[", "]}");
            for (String id : ids.split(",", -1)) {
              tasks.add(
                  "{\"id\":\""
                      + id
                      + "\",\"status\":\"processing\",\"created_at\":\"2026-01-02T03:04:05.678Z\"}");
            }
            byte[] body = tasks.toString().getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
    return server;
  }
}
