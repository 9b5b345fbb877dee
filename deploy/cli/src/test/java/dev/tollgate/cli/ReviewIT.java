package dev.tollgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Database;
import dev.tollgate.schema.store.DatabaseSettings;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.schema.store.Look;
import dev.tollgate.schema.store.OperationReader;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.OperationSummary;
import dev.tollgate.schema.store.PostgresOperationStore;
import dev.tollgate.schema.store.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions, as they are typed. */
final class ReviewIT {
  @TempDir Path folder;
  private Path config;
  private Database database;
  private OperationStore store;

  @BeforeEach
  void store() throws IOException {
    DatabaseSettings settings = TestDatabase.migrated(ReviewIT.class);
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
    database = new Database(settings, "test", 1, null);
    store = new PostgresOperationStore(database.dsl());
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Claim sending(int n) {
    UUID id = Fixture.claimId();
    store.insert(List.of(Fixture.sendNow(n)), id, Fixture.OWNER, Fixture.ALL_TERMS);
    return store.claimed(Fixture.PROVIDER, id).getFirst();
  }

  private void apply(Change change) {
    assertThat(store.apply(List.of(change))).hasSize(1);
  }

  /** Unknown, for a person. */
  private OperationKey unknown(int n) {
    Claim claim = sending(n);
    apply(Fixture.unknown(claim));
    Look look =
        store.look(List.of(claim.key()), Set.of(), Fixture.claimId(), Fixture.LEASE).getFirst();
    apply(Fixture.looked(look, OperationState.UNKNOWN, Code.NO_WAY_TO_KNOW, Code.NO_WAY_TO_KNOW));
    return claim.key();
  }

  /** Accepted, its output gone, for a person. */
  private OperationKey gone(int n) {
    Claim claim = sending(n);
    apply(Fixture.accepted(claim, "job-" + n));
    Follow follow =
        new Follow(
            claim.key(),
            Fixture.PROVIDER,
            claim.fence(),
            claim.claim(),
            "job-" + n,
            claim.seq(),
            Fixture.SENDS_TO);
    apply(Fixture.troubled(follow, Code.OUTPUT_GONE, Code.OUTPUT_GONE));
    return claim.key();
  }

  private OperationSummary summary(OperationKey key) {
    return new OperationReader(database.dsl()).show(key).orElseThrow().summary();
  }

  private Typed review(String... words) {
    String[] all = new String[words.length + 3];
    all[0] = "review";
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--config";
    all[words.length + 2] = config.toString();
    return Typed.type(all);
  }

  @Test
  void list_showsWhatWaitsForAPerson_byReason() {
    OperationKey unknown = unknown(1);
    OperationKey gone = gone(2);
    sending(3);
    assertThat(review("list", "--json").outLines()).hasSize(2);
    assertThat(review("list", "--code", "OUTPUT_GONE").out())
        .contains(gone.toString(), "1 shown of 2 that wait for a person")
        .doesNotContain(unknown.toString());
    assertThat(review("list", "--older-than", "1h", "--json").out()).isEmpty();
  }

  @Test
  void why_namesTheRuleAndWhatCanBeDecided() throws IOException {
    OperationKey key = unknown(1);
    Typed without = review("why", key.toString());
    assertThat(without.code()).as(without.err()).isZero();
    assertThat(without.out())
        .contains("no rule of tollgate.unknowns fits it")
        .containsPattern("absent +not now: until .* an attempt may still arrive")
        .containsPattern("found +its task is REMOTE_ID");
    Files.writeString(config, "tollgate.unknowns.10-all.then=wait\n", StandardOpenOption.APPEND);
    assertThat(review("why", key.toString()).out()).contains("policy: rule 10-all waits until");
    assertThat(review("show", key.toString()).out()).contains("evidence", "attempts");
  }

  @Test
  void settle_found_isAccepted_andSaysWhoAndWhy() {
    OperationKey key = unknown(1);
    Typed typed =
        review("settle", key.toString(), "--found", "job-77", "--why", "seen", "--who", "ada");
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.out()).contains("decided: found", "1 of 1 decided");
    assertThat(summary(key).state()).isEqualTo(OperationState.ACCEPTED);
    assertThat(Typed.type("operations", "show", key.toString(), "-c", config.toString()).out())
        .contains("by ada: seen");
  }

  @Test
  void settle_withFilter_dryRunFirst() {
    OperationKey one = gone(1);
    OperationKey two = gone(2);
    OperationKey other = unknown(3);
    String[] words = {"settle", "--code", "OUTPUT_GONE", "--again", "--why", "back", "--dry-run"};
    assertThat(review(words).out()).contains("2 of 2 would be decided");
    assertThat(summary(one).review()).isEqualTo(Code.OUTPUT_GONE);
    words[6] = "--json";
    assertThat(review(words).outLines())
        .hasSize(2)
        .allMatch(line -> line.contains("\"result\":\"stored\""));
    assertThat(summary(two).review()).isNull();
    assertThat(summary(other).review()).isEqualTo(Code.NO_WAY_TO_KNOW);
  }

  @Test
  void settle_whatCannotBe_isRefused_andTheRestIsDone() {
    OperationKey gone = gone(1);
    OperationKey unknown = unknown(2);
    Typed typed =
        review("settle", gone.toString(), unknown.toString(), "--resend", "--why", "worth it");
    assertThat(typed.code()).isEqualTo(1);
    assertThat(typed.out())
        .contains("not decided: its task is known and paid", "decided: resend", "1 of 2 decided");
  }

  @Test
  void settle_resendAboveThePrice_takesTwo() throws IOException {
    Files.writeString(config, "tollgate.review.two-people-above=0.10\n", StandardOpenOption.APPEND);
    OperationKey key = unknown(1);
    String[] ada = {"settle", key.toString(), "--resend", "--why", "late", "--who", "ada"};
    assertThat(review(ada).out()).contains("proposed:");
    assertThat(review(ada).out()).contains("proposed:");
    assertThat(summary(key).state()).isEqualTo(OperationState.UNKNOWN);
    ada[6] = "bob";
    assertThat(review(ada).out()).contains("decided: resend");
    assertThat(summary(key).reason()).isEqualTo(Code.RISK_ACCEPTED);
  }

  @Test
  void settle_thatIsNotMeantSo_isAUsageError() {
    OperationKey key = unknown(1);
    for (String[] words :
        List.of(
            new String[] {"settle", "--again", "--why", "w"},
            new String[] {"settle", key.toString(), "--why", "w"},
            new String[] {"settle", key.toString(), "--again", "--failed", "--why", "w"},
            new String[] {"settle", key.toString(), "-p", "x", "--again", "--why", "w"},
            new String[] {"settle", key.toString(), "--again", "--why", " "},
            new String[] {"settle", "--code", "OUTPUT_GONE", "--found", "x", "--why", "w"})) {
      assertThat(review(words).code()).as(String.join(" ", words)).isEqualTo(2);
    }
    assertThat(summary(key).review()).isEqualTo(Code.NO_WAY_TO_KNOW);
  }

  /** Accepted, with another task that our own answer named. */
  private OperationKey duplicated(int n) {
    Claim claim = sending(n);
    apply(Fixture.accepted(claim, "job-" + n));
    store.lateEvidence(Map.of(claim.key(), "extra-" + n));
    return claim.key();
  }

  @Test
  void duplicates_areListedWithWhatTheyCost_untilSomebodyClearsThem() {
    OperationKey one = duplicated(1);
    OperationKey two = duplicated(2);
    assertThat(review("duplicates").out())
        .contains("SUSPECTED_DUPLICATE", one.toString(), "extra-2")
        .contains("2 listed, 2 open, 0 paid; they may have cost 0.70 USD");
    assertThat(review("duplicates", "--json").outLines())
        .hasSize(3)
        .last()
        .asString()
        .contains("\"open\":2", "\"cost\":\"0.70\"");
    assertThat(review("duplicates", "--provider", "other", "--json").outLines()).hasSize(1);
    Typed cleared =
        review("clear", two.toString(), "--task", "extra-2", "--why", "credited", "--who", "ada");
    assertThat(cleared.code()).as(cleared.err()).isZero();
    assertThat(review("duplicates").out())
        .contains(one.toString(), "1 listed, 1 open")
        .doesNotContain(two.toString());
    assertThat(review("duplicates", "--all").out()).contains("settled: by ada: credited");
    assertThat(review("clear", "f".repeat(64), "--why", "w").code()).isEqualTo(1);
    assertThat(review("clear", one.toString(), "--why", " ").code()).isEqualTo(2);
  }
}
