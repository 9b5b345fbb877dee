package dev.tollgate.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BinariesIT {
  @Test
  void unpackedOnce_andAgainWhenSomethingIsMissing(@TempDir Path cache) throws IOException {
    Path program = new Binaries(cache).redis();
    assertThat(program).isExecutable();
    FileTime unpacked = Files.getLastModifiedTime(program);

    assertThat(new Binaries(cache).redis()).isEqualTo(program);
    assertThat(Files.getLastModifiedTime(program)).isEqualTo(unpacked);

    Files.writeString(program, "swept away");
    assertThat(new Binaries(cache).redis()).isEqualTo(program);
    assertThat(Files.size(program)).isGreaterThan(1_000_000);
    assertThat(program).isExecutable();
  }
}
