package dev.tollgate.worker.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class FolderStoreTest extends OutputStoreContract {
  @Override
  OutputStore store() {
    return new FolderStore(folder);
  }

  @Test
  void place_followsFromTheKeyAlone() throws IOException {
    Kept kept = store().keep(key("place"), file("a film"));
    String hash = key("place").hash().toString();
    Path place = folder.resolve("video").resolve(hash.substring(0, 2)).resolve(hash);
    assertThat(kept.address()).isEqualTo(place.toAbsolutePath().toUri());
    assertThat(place).hasContent("a film");
  }

  @Test
  void sweep_deletesWhatNobodyWroteToForADay() throws IOException {
    Instant now = Instant.parse("2026-03-01T12:00:00Z");
    Scratch scratch = new Scratch(folder);
    Path old = Files.writeString(scratch.file(key("old")), "half a film");
    Path fresh = Files.writeString(scratch.file(key("fresh")), "half a film");
    Files.setLastModifiedTime(old, FileTime.from(now.minus(Duration.ofHours(25))));
    Files.setLastModifiedTime(fresh, FileTime.from(now.minus(Duration.ofHours(23))));
    scratch.sweep(now);
    assertThat(old).doesNotExist();
    assertThat(fresh).exists();
    new Scratch(folder.resolve("not there")).sweep(now);
  }
}
