package dev.tollgate.worker.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.OutputTrouble;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.worker.output.Completion;
import dev.tollgate.worker.output.FolderStore;
import dev.tollgate.worker.output.OutputListener;
import dev.tollgate.worker.output.OutputPolicy;
import dev.tollgate.worker.output.Scratch;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.SendsTo;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.TaskError;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.WriteListener;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FollowerTest {
  private static final Duration ANY = Duration.ofSeconds(1);
  private static final OutputRef OUTPUT =
      new OutputRef(
          URI.create("https://a.example.com/o"),
          Optional.empty(),
          OptionalLong.empty(),
          Optional.empty());

  @TempDir Path folder;
  private final Queue<Change> written = new ConcurrentLinkedQueue<>();
  private final Store store = new Store();
  private final ScriptedAdapter provider =
      ScriptedAdapter.of("keyed", Recourse.IDEMPOTENT_CREATE, 1);
  private final ChangeWriter writer =
      new ChangeWriter(
          "follows", store, new WriteListener() {}, 1, Duration.ZERO, System::nanoTime);

  private final Queue<String> answers = new ConcurrentLinkedQueue<>();

  private final class Store extends ScriptedStore {
    private int due = 1;
    private long sentTo = ScriptedAdapter.SENDS_TO.digest();

    @Override
    public List<Follow> follow(String name, int limit, Duration atLeast, Duration atMost) {
      return IntStream.range(due == 1 ? 1 : 0, due == 1 ? 2 : Math.min(due, limit))
          .mapToObj(
              n -> new Follow(Fixture.key(n), name, 1, Fixture.claimId(), "task-" + n, 1, sentTo))
          .toList();
    }

    @Override
    public Set<OperationKey> apply(List<Change> changes) {
      written.addAll(changes);
      return changes.stream().map(Change::key).collect(Collectors.toSet());
    }

    @Override
    public OutputTrouble outputTrouble(Follow follow, Set<Code> codes) {
      return new OutputTrouble(0, Duration.ZERO);
    }

    @Override
    public Set<OperationKey> lateEvidence(Map<OperationKey, String> remoteIds) {
      return Set.of();
    }
  }

  @AfterEach
  void close() {
    writer.close();
  }

  @Test
  void failedTask_isToldInWords_withItsCodeAndNotItsMessage() {
    assertThat(noteOf(Optional.of(new TaskError("nsfw", "a red kite"))))
        .isEqualTo("failed: code nsfw");
    assertThat(noteOf(Optional.empty())).isEqualTo("failed: no reason given");
  }

  @Test
  void manyDue_areAskedAboutInFewCalls_andThoseThatEndAreTold() {
    provider.batches(100);
    store.due = 450;
    IntStream.range(0, 450).forEach(n -> provider.exists("task-" + n));
    for (int n = 0; n < 450; n += 150) {
      provider.status(
          "task-" + n,
          new StatusResult.Status(TaskState.CANCELLED, Optional.empty(), Optional.empty()));
    }
    writer.start();
    Follower follower = follower(8);
    assertThat(follower.runOnce()).as("fewer than could be asked about").isFalse();
    await().until(() -> written.size() == 3);
    assertThat(provider.asked())
        .containsExactlyInAnyOrder(
            "statuses 100", "statuses 100", "statuses 100", "statuses 100", "statuses 50");
  }

  @Test
  void taskThatWasCreatedElsewhere_isNotAskedAbout() {
    store.sentTo = new SendsTo("there", "scripted").digest();
    provider.exists("task-1");
    writer.start();
    follower(1).runOnce();
    assertThat(answers).containsExactly("elsewhere");
    assertThat(provider.asked()).isEmpty();
    store.sentTo = new SendsTo("here", "another form").digest();
    follower(1).runOnce();
    await().until(() -> answers.contains("processing"));
  }

  @Test
  void taskThatIsNotThere_isTroubleOnRecord() {
    writer.start();
    follower(1).runOnce();
    await().until(() -> !written.isEmpty());
    assertThat(written.element().reason()).isEqualTo(Code.TASK_MISSING);
    assertThat(written.element().to()).isEqualTo(OperationState.ACCEPTED);
  }

  @Test
  void stateThatIsNotKnown_isOnRecord_andStaysAccepted() {
    provider.status("task-1", new StatusResult.UnknownWord("reticulating"));
    writer.start();
    follower(1).runOnce();
    await().until(() -> !written.isEmpty());
    assertThat(written.element().reason()).isEqualTo(Code.STATE_UNKNOWN);
    assertThat(written.element().to()).isEqualTo(OperationState.ACCEPTED);
    assertThat(written.element().review()).isNull();
  }

  @Test
  void slowOutputs_holdUpNoQuestion() {
    CompletableFuture<Boolean> fetched = new CompletableFuture<>();
    provider
        .exists("task-1")
        .status(
            "task-0",
            new StatusResult.Status(TaskState.SUCCEEDED, Optional.of(OUTPUT), Optional.empty()))
        .downloads(
            (_, _) -> {
              fetched.join();
              return new DownloadResult.Unavailable("away");
            });
    store.due = 2;
    writer.start();
    Follower follower = follower(2);
    follower.runOnce();
    await().until(() -> answers.contains("processing") && answers.contains("succeeded"));
    await()
        .until(
            () -> {
              follower.runOnce();
              return Collections.frequency(List.copyOf(answers), "processing") > 5;
            });
    assertThat(Collections.frequency(List.copyOf(answers), "succeeded"))
        .as("what is being fetched is not asked about again")
        .isEqualTo(1);
    fetched.complete(true);
  }

  private Follower follower(int concurrency) {
    return new Follower(
        store,
        List.of(provider),
        new Completion(
            new FolderStore(folder),
            new Scratch(folder),
            store,
            written::add,
            new OutputPolicy(1000, ANY, ANY, 3, ANY, ANY),
            new OutputListener() {}),
        writer,
        new FollowPolicy(ANY, ANY, concurrency),
        new FollowListener() {
          @Override
          public void asked(String name, String answer) {
            answers.add(answer);
          }
        },
        System::nanoTime,
        Optional.empty());
  }

  private String noteOf(Optional<TaskError> error) {
    written.clear();
    provider.status("task-1", new StatusResult.Status(TaskState.FAILED, Optional.empty(), error));
    writer.start();
    follower(1).runOnce();
    await().until(() -> !written.isEmpty());
    Change change = written.element();
    assertThat(change.to()).isEqualTo(OperationState.FAILED);
    return String.valueOf(change.evidence().note());
  }
}
