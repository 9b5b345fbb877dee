package dev.tollgate.worker.provider.described;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Days are simulated; the times of files are the file system's, or set to be old. */
class KeptAnswersTest {
  private static final byte[] ANSWER = "paid".getBytes(StandardCharsets.UTF_8);
  private static final Instant FIRST_DAY = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir Path folder;

  @Test
  void oldByEveryWitness_isForgotten() throws IOException {
    keepOnDays(0, 20);
    age(Duration.ofDays(8));
    keepOnDays(20, 21);
    assertThat(found(21))
        .as("the newest 14 days")
        .containsExactlyElementsOf(IntStream.range(7, 21).boxed().toList());
  }

  @Test
  void writtenLately_isKept_howeverFarAheadThisClockIs() throws IOException {
    keepOnDays(0, 20);
    keepOnDays(1_000, 1_020);
    assertThat(found(1_020)).hasSize(40);
  }

  @Test
  void ofToday_isKept_howeverOldTheTimesOfFilesLook() throws IOException {
    keepOnDays(0, 20);
    age(Duration.ofDays(1_000));
    keepOnDays(-2, -1); // another day, by whose clock nothing is old
    assertThat(found(20)).hasSize(20);
  }

  @Test
  void newestDays_areKept_whenTheOneClockThereIsSteps() throws IOException {
    keepOnDays(0, KeptAnswers.DAYS_KEPT - 1);
    age(Duration.ofDays(1_000));
    keepOnDays(1_000, 1_001);
    assertThat(found(20)).hasSize(KeptAnswers.DAYS_KEPT - 1);
  }

  @Test
  void writtenByAClockThatIsBehind_isKept() throws IOException {
    keepOnDays(0, 20);
    age(Duration.ofDays(8));
    keepOnDays(-1_000, -999);
    keepOnDays(20, 21);
    assertThat(found(-1_000, 20)).contains(-1_000);
  }

  @Test
  void emptiedFolder_isDeletedWhenItIsOldItself() throws IOException {
    keepOnDays(0, 20);
    age(Duration.ofDays(8));
    keepOnDays(20, 21);
    assertThat(days()).as("emptied just now").hasSize(21);
    age(Duration.ofDays(8));
    keepOnDays(21, 22);
    assertThat(days()).hasSize(KeptAnswers.DAYS_KEPT + 1);
  }

  @Test
  void faultInForgetting_losesNothing() throws IOException {
    keepOnDays(0, 20);
    Files.createDirectories(day(0).resolve("folder").resolve("in it"));
    age(Duration.ofDays(8));
    keepOnDays(20, 21);
    assertThat(found(21)).contains(20);
  }

  private void keepOnDays(int from, int to) throws IOException {
    for (int day = from; day < to; day++) {
      kept(day).keep("answer" + day, ANSWER);
    }
  }

  private KeptAnswers kept(int day) {
    return new KeptAnswers(folder, InstantSource.fixed(FIRST_DAY.plus(Duration.ofDays(day))));
  }

  private Path day(int day) {
    return folder.resolve(FIRST_DAY.plus(Duration.ofDays(day)).toString().substring(0, 10));
  }

  private List<Integer> found(int to) {
    return found(0, to);
  }

  private List<Integer> found(int from, int to) {
    KeptAnswers any = kept(0);
    return IntStream.range(from, to)
        .filter(day -> any.find("answer" + day).isPresent())
        .boxed()
        .toList();
  }

  private List<Path> days() throws IOException {
    try (Stream<Path> days = Files.list(folder)) {
      return days.toList();
    }
  }

  /** Makes everything that is there look so much older. */
  private void age(Duration by) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.toList()) {
        Instant then = Files.getLastModifiedTime(path).toInstant().minus(by);
        Files.setLastModifiedTime(path, FileTime.from(then));
      }
    }
  }
}
