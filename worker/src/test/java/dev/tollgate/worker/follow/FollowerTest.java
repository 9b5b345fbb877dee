package dev.tollgate.worker.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.TaskError;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.write.ChangeWriter;
import dev.tollgate.worker.write.WriteListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FollowerTest {
  private static final Duration ANY = Duration.ofSeconds(1);

  @TempDir Path folder;
  private final Queue<Change> written = new ConcurrentLinkedQueue<>();
  private final Store store = new Store();
  private final ScriptedAdapter provider =
      ScriptedAdapter.of("keyed", Recourse.IDEMPOTENT_CREATE, 1);
  private final ChangeWriter writer =
      new ChangeWriter(
          "follows", store, new WriteListener() {}, 1, Duration.ZERO, System::nanoTime);

  private final class Store extends ScriptedStore {
    @Override
    public List<Follow> follow(String name, int limit, Duration atLeast, Duration atMost) {
      return List.of(new Follow(Fixture.key(1), name, 1, Fixture.claimId(), "task-1", 1));
    }

    @Override
    public Set<OperationKey> apply(List<Change> changes) {
      written.addAll(changes);
      return changes.stream().map(Change::key).collect(Collectors.toSet());
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

  private String noteOf(Optional<TaskError> error) {
    written.clear();
    provider.status("task-1", new StatusResult.Status(TaskState.FAILED, Optional.empty(), error));
    writer.start();
    new Follower(
            store,
            List.of(provider),
            new OutputStore(folder),
            writer,
            new FollowPolicy(ANY, ANY, ANY, 1, 1),
            new FollowListener() {})
        .runOnce();
    await().until(() -> !written.isEmpty());
    Change change = written.element();
    assertThat(change.to()).isEqualTo(OperationState.FAILED);
    return String.valueOf(change.evidence().note());
  }
}
