package dev.tollgate.worker.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.key.OperationKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store of outputs has to do. */
abstract class OutputStoreContract {
  /** Of a store that has parts, more than one of them. */
  static final int LONG = 6 * 1024 * 1024;

  @TempDir Path folder = Path.of("");

  private int files;

  abstract OutputStore store();

  /** A key of its own for each name and class. */
  final OperationKey key(String name) {
    return Outputs.key(getClass().getSimpleName() + "-" + name);
  }

  final Verified file(String content) throws IOException {
    return file(content.getBytes(StandardCharsets.UTF_8));
  }

  final Verified file(byte[] content) throws IOException {
    Path scratch = Files.createDirectories(folder.resolve(".partial"));
    Path file = Files.write(scratch.resolve("file-" + files++), content);
    return new Verified(file, content.length, digest(content), Optional.of("video/mp4"));
  }

  static byte[] noise(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  static String digest(byte[] content) throws IOException {
    return Digests.of(new ByteArrayInputStream(content)).sha256();
  }

  @Test
  void find_whereNothingLies_isEmpty() throws IOException {
    assertThat(store().find(key("nothing"))).isEmpty();
  }

  @Test
  void keep_thenFind_isWhatWasKept() throws IOException {
    Verified file = file("a film");
    Kept kept = store().keep(key("kept"), file);
    assertThat(kept.sha256()).isEqualTo(file.sha256());
    assertThat(kept.length()).isEqualTo(6);
    assertThat(kept.address().isAbsolute()).isTrue();
    assertThat(store().find(key("kept"))).contains(kept);
  }

  @Test
  void keepLong_thenFind_isWhatWasKept() throws IOException {
    Verified file = file(noise(1, LONG));
    Kept kept = store().keep(key("long"), file);
    assertThat(kept.sha256()).isEqualTo(file.sha256());
    assertThat(store().find(key("long"))).contains(kept);
  }

  @Test
  void keepAgain_theSameBytes_isTheSameObject() throws IOException {
    Kept first = store().keep(key("again"), file("a film"));
    assertThat(store().keep(key("again"), file("a film"))).isEqualTo(first);
  }

  @Test
  void keepAgain_otherBytes_leavesWhatLies() throws IOException {
    Kept first = store().keep(key("other"), file("a film"));
    assertThat(store().keep(key("other"), file("another film"))).isEqualTo(first);
    assertThat(store().find(key("other"))).contains(first);
  }

  @Test
  void keepLongAgain_otherBytes_leavesWhatLies() throws IOException {
    Kept first = store().keep(key("other-long"), file(noise(2, LONG)));
    assertThat(store().keep(key("other-long"), file(noise(3, LONG)))).isEqualTo(first);
  }

  @Test
  void manyAtOnce_withDifferentBytes_agreeOnOneObject() throws Exception {
    List<Future<Kept>> all = new ArrayList<>();
    CountDownLatch go = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        Verified file = file("film " + i);
        all.add(
            threads.submit(
                () -> {
                  go.await();
                  return store().keep(key("many"), file);
                }));
      }
      go.countDown();
    }
    List<Kept> kept = new ArrayList<>();
    for (Future<Kept> one : all) {
      kept.add(result(one));
    }
    assertThat(kept).containsOnly(store().find(key("many")).orElseThrow());
  }

  private static Kept result(Future<Kept> one) throws InterruptedException {
    try {
      return one.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
