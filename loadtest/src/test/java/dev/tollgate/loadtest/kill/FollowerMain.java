package dev.tollgate.loadtest.kill;

import dev.tollgate.schema.config.ConfigFile;
import dev.tollgate.schema.config.TollgateConfig;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.worker.Providers;
import dev.tollgate.worker.Worker;
import dev.tollgate.worker.follow.FollowListener;
import dev.tollgate.worker.follow.FollowPolicy;
import dev.tollgate.worker.follow.Follower;
import dev.tollgate.worker.loop.Loop;
import dev.tollgate.worker.output.Completion;
import dev.tollgate.worker.output.FolderStore;
import dev.tollgate.worker.output.Kept;
import dev.tollgate.worker.output.OutputListener;
import dev.tollgate.worker.output.OutputPolicy;
import dev.tollgate.worker.output.OutputStore;
import dev.tollgate.worker.output.Scratch;
import dev.tollgate.worker.output.Verified;
import dev.tollgate.worker.provider.OutputSink;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.WriteListener;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * What a worker follows tasks with, as a process of its own that dies at one step: the parts are
 * the worker's, wired as it wires them, and the points at which it dies lie around them.
 *
 * <p>Arguments: the configuration's file, and the {@link Step}. Ends by itself only where it dies.
 */
final class FollowerMain {
  /** What tells this end from a defect's. */
  static final int DIED = 86;

  private final Step last;

  /** Where it dies; each is over when it does, and what comes next has not begun. */
  enum Step {
    HALF_DOWNLOADED,
    DOWNLOADED,
    PROBED,
    FINALLY_PUT,
    RECORDED,
    NEVER
  }

  private FollowerMain(Step last) {
    this.last = last;
  }

  public static void main(String[] args) throws InterruptedException {
    new FollowerMain(Step.valueOf(args[1])).run(Path.of(args[0]));
  }

  /** Nothing of a process that is halted runs any more: no hook, no finally, no buffer's flush. */
  private void over(Step step) {
    if (step == last) {
      Runtime.getRuntime().halt(DIED);
    }
  }

  private void run(Path file) throws InterruptedException {
    TollgateConfig config = ConfigFile.read(Optional.of(file), Map.of());
    Database database = new Database(Worker.settings(config), "follower", 4, null);
    OperationStore store = new PostgresOperationStore(database.dsl());
    ChangeWriter writer =
        new ChangeWriter(
            "outcomes", store, new Recorded(), 100, Duration.ofMillis(2), System::nanoTime);
    writer.start();
    List<ProviderAdapter> adapters =
        new Providers(config, database.submissionSecret(), InstantSource.system(), System::nanoTime)
            .adapters().stream().map(this::mortal).toList();
    Completion completion =
        new Completion(
            new Mortal(new FolderStore(config.outputs().folder())),
            new Scratch(config.outputs().folder()),
            store,
            change -> writer.write(change, () -> {}),
            new OutputPolicy(
                1 << 20,
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                7,
                Duration.ofHours(1),
                Duration.ofHours(1)),
            new OutputListener() {});
    Follower follower =
        new Follower(
            store,
            adapters,
            completion,
            writer,
            new FollowPolicy(Duration.ofMillis(100), Duration.ofSeconds(1), 8),
            new FollowListener() {},
            System::nanoTime,
            Optional.empty());
    new Loop("follow", Duration.ofMillis(100), System::nanoTime, follower).start();
    new CountDownLatch(1).await();
  }

  private final class Recorded implements WriteListener {
    @Override
    public void applied(Change change) {
      if (change.to() == OperationState.COMPLETE) {
        over(Step.RECORDED);
      }
    }
  }

  /** The probe is over where the store is given what passed it. */
  private final class Mortal implements OutputStore {
    private final OutputStore real;

    Mortal(OutputStore real) {
      this.real = real;
    }

    @Override
    public Optional<Kept> find(OperationKey key) throws IOException {
      return real.find(key);
    }

    @Override
    public Kept keep(OperationKey key, Verified file) throws IOException {
      over(Step.PROBED);
      Kept kept = real.keep(key, file);
      over(Step.FINALLY_PUT);
      return kept;
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private ProviderAdapter mortal(ProviderAdapter real) {
    return (ProviderAdapter)
        Proxy.newProxyInstance(
            FollowerMain.class.getClassLoader(),
            new Class<?>[] {ProviderAdapter.class},
            (_, method, arguments) -> {
              boolean download = method.getName().equals("download");
              if (download) {
                arguments[1] = halving((OutputSink) arguments[1]);
              }
              try {
                Object answer = method.invoke(real, arguments);
                if (download) {
                  over(Step.DOWNLOADED);
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private OutputSink halving(OutputSink real) {
    return (buffer, offset, length) -> {
      real.write(buffer, offset, length / 2);
      over(Step.HALF_DOWNLOADED);
      real.write(buffer, offset + length / 2, length - length / 2);
    };
  }
}
