package dev.tollgate.worker.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.OutputTrouble;
import dev.tollgate.schema.store.ScriptedStore;
import dev.tollgate.schema.store.StoredOutput;
import dev.tollgate.worker.output.FaultyHttp.Killed;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.TaskState;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From a task that succeeded to one object, over any store. Changes are caught, not stored. */
abstract class CompletionContract {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration AGAIN = Duration.ofSeconds(60);
  private static final OutputPolicy POLICY =
      new OutputPolicy(1 << 20, SOON, AGAIN, 4, Duration.ofHours(1), Duration.ofHours(24));

  @TempDir Path folder = Path.of("");

  private final List<Change> changes = new ArrayList<>();
  private final Set<Step> kills = EnumSet.noneOf(Step.class);
  private Set<Code> counted = Set.of();
  private OutputTrouble trouble = new OutputTrouble(0, Duration.ZERO);

  /** Where a process can die: before or after each step. */
  enum Step {
    BEFORE_LOOK,
    AFTER_LOOK,
    MID_DOWNLOAD,
    AFTER_DOWNLOAD,
    BEFORE_KEEP,
    AFTER_KEEP,
    BEFORE_RECORD,
    AFTER_RECORD
  }

  abstract OutputStore real();

  private void at(Step step) {
    if (kills.remove(step)) {
      throw new Killed();
    }
  }

  /** The real store, in a process that may die. */
  private final class Mortal implements OutputStore {
    @Override
    public Optional<Kept> find(OperationKey key) throws IOException {
      at(Step.BEFORE_LOOK);
      Optional<Kept> found = real().find(key);
      at(Step.AFTER_LOOK);
      return found;
    }

    @Override
    public Kept keep(OperationKey key, Verified file) throws IOException {
      at(Step.BEFORE_KEEP);
      Kept kept = real().keep(key, file);
      at(Step.AFTER_KEEP);
      return kept;
    }

    @Override
    public void close() {}
  }

  private final ScriptedStore evidence =
      new ScriptedStore() {
        @Override
        public OutputTrouble outputTrouble(Follow follow, Set<Code> codes) {
          counted = codes;
          return trouble;
        }
      };

  private void complete(String name, ScriptedAdapter adapter, Optional<String> type)
      throws IOException {
    Consumer<Change> caught =
        change -> {
          at(Step.BEFORE_RECORD);
          changes.add(change);
          at(Step.AFTER_RECORD);
        };
    OutputRef ref =
        new OutputRef(
            URI.create("https://cdn.example/film"), Optional.empty(), OptionalLong.empty(), type);
    new Completion(
            new Mortal(), new Scratch(folder), evidence, caught, POLICY, new OutputListener() {})
        .complete(
            adapter,
            follow(name),
            new StatusResult.Status(TaskState.SUCCEEDED, Optional.of(ref), Optional.empty()));
  }

  private Follow follow(String name) {
    OperationKey key = key(name);
    return new Follow(key, "p", 1, UUID.nameUUIDFromBytes(key.bytes()), "task", 1, 0);
  }

  private OperationKey key(String name) {
    return Outputs.key(getClass().getSimpleName() + "-" + name);
  }

  private ScriptedAdapter serving(byte[] film) {
    return adapter(
        (_, sink) -> {
          sink.write(film, 0, film.length / 2);
          at(Step.MID_DOWNLOAD);
          sink.write(film, film.length / 2, film.length - film.length / 2);
          at(Step.AFTER_DOWNLOAD);
          return new DownloadResult.Downloaded(film.length, sha256(film));
        });
  }

  private static ScriptedAdapter adapter(ScriptedAdapter.Download download) {
    return ScriptedAdapter.of("p", Recourse.NONE, 1).downloads(download);
  }

  private static String sha256(byte[] bytes) throws IOException {
    return Digests.of(new ByteArrayInputStream(bytes)).sha256();
  }

  private static StoredOutput output(Change change) {
    return Objects.requireNonNull(change.output());
  }

  @Test
  void film_isStored_andWhatItIsIsOnRecord() throws IOException {
    byte[] film = Media.movie("film");
    complete("film", serving(film), Optional.empty());
    Change change = changes.getFirst();
    assertThat(change.to()).isEqualTo(OperationState.COMPLETE);
    assertThat(HexFormat.of().formatHex(output(change).sha256())).isEqualTo(sha256(film));
    assertThat(output(change).contentType()).isEqualTo("video/mp4");
    assertThat(output(change).address())
        .isEqualTo(real().find(key("film")).orElseThrow().address().toString());
    assertThat(change.evidence().note())
        .isEqualTo(film.length + " bytes, sha256 " + sha256(film) + "; movie: H.264 320x180");
    assertThat(leftOver()).isEmpty();
  }

  /** P27: whatever it dies of, and wherever, a repeat ends with one object of the right bytes. */
  @ParameterizedTest
  @EnumSource(Step.class)
  void killedAtAStep_andRepeated_isOneObject(Step step) throws IOException {
    byte[] film = Media.movie("film " + step);
    String name = "killed-" + step;
    kills.add(step);
    ScriptedAdapter adapter = serving(film);
    assertThatThrownBy(() -> complete(name, adapter, Optional.empty())).isInstanceOf(Killed.class);
    complete(name, adapter, Optional.empty());
    assertThat(changes.getLast().to()).isEqualTo(OperationState.COMPLETE);
    assertThat(HexFormat.of().formatHex(output(changes.getLast()).sha256()))
        .isEqualTo(sha256(film));
    assertThat(real().find(key(name)).orElseThrow().sha256()).isEqualTo(sha256(film));
    long downloads = adapter.asked().stream().filter(a -> a.startsWith("download")).count();
    boolean stored = step.compareTo(Step.AFTER_KEEP) >= 0;
    assertThat(downloads)
        .as("what is stored is not fetched again")
        .isEqualTo(stored || step.compareTo(Step.MID_DOWNLOAD) < 0 ? 1 : 2);
  }

  /** P28, P29: it died after storing, and the provider gives other bytes now. */
  @Test
  void storedBefore_isCompletedAsItLies() throws IOException {
    byte[] first = Media.movie("first");
    kills.add(Step.AFTER_KEEP);
    assertThatThrownBy(() -> complete("other", serving(first), Optional.empty()))
        .isInstanceOf(Killed.class);
    complete("other", serving(Media.movie("second")), Optional.empty());
    assertThat(HexFormat.of().formatHex(output(changes.getFirst()).sha256()))
        .isEqualTo(sha256(first));
  }

  @Test
  void errorPage_isInvalid_andNothingIsStored() throws IOException {
    complete("page", serving(Media.ascii("<html>busy</html>")), Optional.empty());
    isTrouble(Code.OUTPUT_INVALID, null, AGAIN);
    assertThat(real().find(key("page"))).isEmpty();
    assertThat(leftOver()).isEmpty();
  }

  /** What no disk has failed for is on record, or it would be tried for ever. */
  @Test
  void headsThatEndOrNestWithoutEnd_areInvalid() throws IOException {
    ByteBuffer boxes = ByteBuffer.allocate(8 * 100_000);
    for (int left = 100_000; left > 0; left--) {
      boxes.putInt(8 * left).put(Media.ascii("trak"));
    }
    byte[] nested = Media.join(Media.brand(), Media.mdat("film"), Media.box("moov", boxes.array()));
    complete("nested", serving(nested), Optional.of("video/mp4"));
    isTrouble(Code.OUTPUT_INVALID, null, AGAIN);
    changes.clear();
    complete("cut", serving(Arrays.copyOf(Media.jpeg(), 12)), Optional.of("image/jpeg"));
    isTrouble(Code.OUTPUT_INVALID, null, AGAIN);
  }

  /** FC-74, the end: cut exactly where nobody sees it but a player. */
  @Test
  void fc74_movieWithoutItsHead_isInvalid() throws IOException {
    byte[] film = Media.join(Media.brand(), Media.mdat("film"), Media.box("free"));
    complete("headless", serving(film), Optional.of("video/mp4"));
    isTrouble(Code.OUTPUT_INVALID, null, AGAIN);
    assertThat(real().find(key("headless"))).isEmpty();
  }

  @Test
  void cutOrAway_isOnRecord_andTriedAgainSoon() throws IOException {
    ScriptedAdapter away = adapter((_, _) -> new DownloadResult.Unavailable("status 503"));
    complete("away", away, Optional.empty());
    isTrouble(Code.OUTPUT_UNAVAILABLE, null, SOON);
    assertThat(changes.getFirst().evidence().note()).isEqualTo("status 503");
  }

  @Test
  void awayForADay_isForAPerson_andTriedFourTimesAnHourUntilThen() throws IOException {
    ScriptedAdapter away = adapter((_, _) -> new DownloadResult.Unavailable("status 503"));
    trouble = new OutputTrouble(90, Duration.ofHours(23));
    complete("away", away, Optional.empty());
    isTrouble(Code.OUTPUT_UNAVAILABLE, null, Duration.ofMinutes(15));
    changes.clear();
    trouble = new OutputTrouble(94, Duration.ofHours(24));
    complete("away", away, Optional.empty());
    isTrouble(Code.OUTPUT_UNAVAILABLE, Code.OUTPUT_UNAVAILABLE, Duration.ofMinutes(15));
  }

  /** A night without the provider must not use up the tries that its return deserves. */
  @Test
  void goneAfterItWasAway_isNewTrouble() throws IOException {
    complete("away", adapter((_, _) -> new DownloadResult.Unavailable("cut")), Optional.empty());
    assertThat(counted).doesNotContain(Code.OUTPUT_GONE);
    complete("away", adapter((_, _) -> new DownloadResult.Gone("status 410")), Optional.empty());
    assertThat(counted).contains(Code.OUTPUT_GONE).doesNotContain(Code.OUTPUT_UNAVAILABLE);
  }

  /** FC-73: the address is dead; the provider is asked for another one soon, the first time. */
  @Test
  void fc73_goneOnce_isAskedAboutAgainSoon() throws IOException {
    ScriptedAdapter gone = adapter((_, _) -> new DownloadResult.Gone("status 403, expired"));
    complete("gone", gone, Optional.empty());
    isTrouble(Code.OUTPUT_GONE, null, SOON);
    complete("gone", serving(Media.movie("film")), Optional.empty());
    assertThat(changes.getLast().to()).isEqualTo(OperationState.COMPLETE);
  }

  /** FC-73: it stays gone; a person decides, and nothing is sent. */
  @Test
  void fc73_goneForLong_isForAPerson() throws IOException {
    ScriptedAdapter gone = adapter((_, _) -> new DownloadResult.Gone("status 404"));
    trouble = new OutputTrouble(3, Duration.ofMinutes(59));
    complete("gone-long", gone, Optional.empty());
    isTrouble(Code.OUTPUT_GONE, null, AGAIN.multipliedBy(4));
    changes.clear();
    trouble = new OutputTrouble(2, Duration.ofHours(2));
    complete("gone-long", gone, Optional.empty());
    isTrouble(Code.OUTPUT_GONE, null, AGAIN.multipliedBy(2));
    changes.clear();
    trouble = new OutputTrouble(3, Duration.ofHours(1));
    complete("gone-long", gone, Optional.empty());
    isTrouble(Code.OUTPUT_GONE, Code.OUTPUT_GONE, AGAIN.multipliedBy(4));
    assertThat(gone.submissions()).isEmpty();
  }

  @Test
  void invalidAgainAndAgain_isForAPerson_howeverSoon() throws IOException {
    ScriptedAdapter bad =
        adapter((_, _) -> new DownloadResult.Invalid(Code.CHECKSUM_MISMATCH, "other bytes"));
    trouble = new OutputTrouble(2, Duration.ofSeconds(5));
    complete("bad", bad, Optional.empty());
    isTrouble(Code.CHECKSUM_MISMATCH, null, AGAIN.multipliedBy(4));
    changes.clear();
    trouble = new OutputTrouble(3, Duration.ofSeconds(6));
    complete("bad", bad, Optional.empty());
    isTrouble(Code.CHECKSUM_MISMATCH, Code.CHECKSUM_MISMATCH, AGAIN.multipliedBy(8));
  }

  @Test
  void pause_isBounded() {
    assertThat(POLICY.pause(1000, Trouble.WRONG)).isEqualTo(Duration.ofHours(6));
    assertThat(POLICY.pause(Integer.MAX_VALUE, Trouble.GONE)).isEqualTo(Duration.ofHours(6));
  }

  private void isTrouble(Code code, @Nullable Code review, Duration pause) {
    assertThat(changes).hasSize(1);
    Change change = changes.getFirst();
    assertThat(change.to()).isEqualTo(OperationState.ACCEPTED);
    assertThat(change.reason()).isEqualTo(code);
    assertThat(change.review()).isEqualTo(review);
    assertThat(change.wakeAfter()).isEqualTo(pause);
    assertThat(change.evidence().code()).isEqualTo(code);
  }

  private List<Path> leftOver() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(".partial"))) {
      return files.toList();
    }
  }
}
