package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.NewIntent;
import dev.tollgate.schema.store.OutboxRow;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.schema.store.PostgresTombstones;
import dev.tollgate.schema.store.Terms;
import dev.tollgate.schema.store.TestDatabase;
import dev.tollgate.schema.store.Tombstones;
import dev.tollgate.worker.provider.Recourse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OperationsIT {
  @TempDir Path folder;
  private Path config;
  private OperationKey first;
  private OperationKey second;
  private DatabaseSettings settings;

  @BeforeEach
  void store() throws IOException {
    settings = TestDatabase.migrated(OperationsIT.class);
    config = folder.resolve("tollgate.properties");
    Files.writeString(
        config,
        """
        tollgate.kafka.bootstrap-servers=unused:1
        tollgate.database.url=%s
        tollgate.database.user=%s
        tollgate.database.password=%s
        """
            .formatted(settings.url(), settings.user(), settings.password()));
    try (Database database = new Database(settings, "test", 1, null)) {
      PostgresOperationStore store = new PostgresOperationStore(database.dsl());
      first = store(store, "keyed", "p-1");
      second = store(store, "blind", "p-2");
    }
  }

  private static OperationKey store(PostgresOperationStore store, String provider, String product) {
    String line =
        "{\"kind\":\"video\",\"product\":\"%s\",\"provider\":\"%s\",\"params\":{\"prompt\":\"secret kite\"}}"
            .formatted(product, provider);
    RequestWriter.Ready ready = (RequestWriter.Ready) RequestWriter.fromJsonLine(line);
    NewIntent intent =
        new NewIntent(
            ready.key(),
            provider,
            ready.requestHash().bytes(),
            new byte[16],
            false,
            null,
            null,
            ready.dimensions(),
            "{\"prompt\":\"secret kite\"}".getBytes(StandardCharsets.UTF_8),
            0,
            7,
            null,
            null);
    Terms terms =
        new Terms(
            provider,
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(5),
            Duration.ZERO,
            Recourse.bits(List.of(Recourse.LOOKUP_BY_REFERENCE)),
            7);
    store.insert(List.of(intent), UUID.randomUUID(), "test", List.of(terms));
    return ready.key();
  }

  @Test
  void list_allAndFiltered() {
    Typed all = operations("list");
    assertThat(all.code()).as(all.err()).isZero();
    assertThat(all.out()).contains(first.toString(), second.toString(), "in all: 2 prepared");
    assertThat(operations("list", "--provider", "blind").out())
        .contains(second.toString())
        .doesNotContain(first.toString());
    assertThat(operations("list", "--state", "complete", "--json").out()).isEmpty();
    assertThat(operations("list", "--state", "Prepared", "-s", "unknown", "--json").outLines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("{\"key\":\"video:"));
    assertThat(operations("list", "--limit", "1", "--json").outLines()).hasSize(1);
    assertThat(operations("list", "--limit", "0", "--json").outLines()).hasSize(2);
    assertThat(operations("list", "--review", "--json").out()).isEmpty();
  }

  @Test
  void list_ofAProviderThatNobodyKnows_saysSo() throws IOException {
    Files.writeString(
        config,
        "tollgate.providers.keyed.concurrency=1\ntollgate.providers.lookup.concurrency=1\n",
        StandardOpenOption.APPEND);
    Typed typo = operations("list", "--provider", "keyd", "--state", "unknown", "--json");
    assertThat(typo.code()).isZero();
    assertThat(typo.out()).isEmpty();
    assertThat(typo.errLines())
        .containsExactly(
            "tollgate: no operation of a provider keyd is stored; configured are keyed, lookup");
    assertThat(operations("list", "--provider", "lookup").errLines())
        .containsExactly("tollgate: no operation of a provider lookup is stored");
    assertThat(operations("list", "--provider", "keyed", "--state", "unknown").err()).isEmpty();
  }

  @Test
  void show_wholeKeyOrUniqueBeginning() {
    String key = first.toString();
    for (String typed :
        List.of(key, key.substring(0, 14), key.substring(6, 14), key.substring(6, 15))) {
      Typed shown = operations("show", typed);
      assertThat(shown.code()).as(shown.err()).isZero();
      assertThat(shown.out()).contains("operation   " + key, "state       prepared", "none yet");
      assertThat(shown.out()).doesNotContain("secret kite");
    }
    assertThat(operations("show", "image:" + key.substring(6, 14)).code())
        .isEqualTo(Failure.REFUSED);
    assertThat(operations("show", "image:" + key.substring(6)).code()).isEqualTo(Failure.REFUSED);
  }

  @Test
  void show_json_withContentsOnlyWhenAsked() {
    Typed plain = operations("show", first.toString(), "--json");
    assertThat(plain.outLines()).hasSize(1);
    assertThat(plain.out())
        .contains("\"source_offset\":7", "\"attempt_list\":[]", "\"dimensions\":{")
        .doesNotContain("secret kite");
    assertThat(operations("show", first.toString(), "--json", "--contents").out())
        .contains("\"params\":{\"prompt\":\"secret kite\"}");
    assertThat(operations("show", first.toString(), "--contents").out()).contains("secret kite");
  }

  @Test
  void show_whereStreamsAreRead_printsTheAddress() throws IOException {
    assertThat(operations("show", first.toString()).out()).doesNotContain("/stream/");
    assertThat(operations("show", first.toString(), "--json").out()).contains("\"stream\":null");
    Files.writeString(
        config,
        "tollgate.streams.url=https://streams.example.com/tollgate/\n",
        StandardOpenOption.APPEND);
    String address =
        "https://streams\\.example\\.com/tollgate/operations/" + first + "/stream/[0-9a-f]{32}";
    assertThat(operations("show", first.toString()).out())
        .containsPattern("(?m)^stream      " + address + "$");
    assertThat(operations("show", first.toString(), "--json").out())
        .containsPattern("\"stream\":\"" + address + "\"");
  }

  @Test
  void migrate_isSafeToRepeat() {
    Typed typed = Typed.type("migrate", "--config", config.toString());
    assertThat(typed.code()).as(typed.err()).isZero();
  }

  private Typed operations(String command, String... words) {
    List<String> all = new java.util.ArrayList<>(List.of("operations", command));
    all.addAll(List.of(words));
    all.addAll(List.of("--config", config.toString()));
    return Typed.type(all.toArray(String[]::new));
  }

  @Test
  void show_ofWhatIsForgotten_saysHowItEnded() {
    OperationKey key = Fixture.key(1);
    try (Database database = new Database(settings, "test", 1, null)) {
      PostgresOperationStore store = new PostgresOperationStore(database.dsl());
      UUID claim = Fixture.claimId();
      store.insert(List.of(Fixture.sendNow(1)), claim, Fixture.OWNER, Fixture.ALL_TERMS);
      store.apply(
          List.of(
              Fixture.sent(
                  store.claimed(Fixture.PROVIDER, claim).getFirst(),
                  OperationState.FAILED,
                  Code.PROVIDER_REJECTED,
                  null)));
      store.relayed(store.outbox(10).stream().map(OutboxRow::id).distinct().toList());
      Tombstones tombstones = new PostgresTombstones(database.dsl());
      List<Tombstones.Place> buried =
          tombstones.bury(null, 10, new Tombstones.Keep(Map.of(), Duration.ZERO)).buried();
      tombstones.clear(buried, 10);
      assertThat(tombstones.remove(buried)).isEqualTo(1);
    }
    Typed page = operations("show", key.toString());
    assertThat(page.code()).as(page.err()).isZero();
    assertThat(page.out())
        .contains(key.toString(), "failed", "PROVIDER_REJECTED", "its key answers for ever");
    assertThat(operations("show", "--json", key.toString()).out())
        .contains("\"state\":\"failed\"", "\"price\":\"0.35\"", "\"forgotten\":true");
  }
}
