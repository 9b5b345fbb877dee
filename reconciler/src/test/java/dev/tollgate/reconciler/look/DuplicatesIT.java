package dev.tollgate.reconciler.look;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.OperationStore;
import dev.tollgate.schema.store.PostgresHarness;
import dev.tollgate.schema.store.PostgresSuspicions;
import dev.tollgate.schema.store.Suspicions;
import dev.tollgate.schema.store.Suspicions.Fate;
import dev.tollgate.schema.store.Suspicions.Suspected;
import dev.tollgate.schema.store.TestDatabase;
import dev.tollgate.worker.provider.CancelResult;
import dev.tollgate.worker.provider.DownloadResult;
import dev.tollgate.worker.provider.LookupResult;
import dev.tollgate.worker.provider.OutputRef;
import dev.tollgate.worker.provider.OutputSink;
import dev.tollgate.worker.provider.ProviderAdapter;
import dev.tollgate.worker.provider.ProviderProfile;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.StatusResult;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Extra tasks are ended once, where the provider allows; what became of each is on record. */
final class DuplicatesIT {
  private final PostgresHarness harness =
      new PostgresHarness(TestDatabase.migrated(DuplicatesIT.class));
  private final OperationStore store = harness.store();
  private final Suspicions suspicions = new PostgresSuspicions(harness.sql());
  private final Provider provider = new Provider();
  private final List<String> heard = new ArrayList<>();
  private final Duplicates duplicates =
      new Duplicates(
          store,
          suspicions,
          List.of(provider),
          new LookListener() {
            @Override
            public void looked(String provider, String result) {}

            @Override
            public void duplicate(String provider, String ended) {
              heard.add(ended);
            }
          });

  @BeforeEach
  void accept() {
    UUID claim = UUID.randomUUID();
    store.insert(List.of(Fixture.sendNow(1)), claim, Fixture.OWNER, Fixture.ALL_TERMS);
    Claim sending = store.claimed(Fixture.PROVIDER, claim).getFirst();
    store.apply(List.of(Fixture.accepted(sending, "job-1")));
    suspicions.extra(Fixture.key(1), "job-extra", "it carries the reference");
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private Suspected listed() {
    return suspicions.list(null, true, 10).getFirst();
  }

  @Test
  void extraTask_isEndedOnce_andSettled() {
    provider.answer = new CancelResult.Cancelled();
    duplicates.runOnce();
    duplicates.runOnce();
    assertThat(provider.cancelled).containsExactly("job-extra");
    assertThat(listed().fate()).isEqualTo(Fate.SETTLED);
    assertThat(heard).containsExactly("cancelled");
  }

  @Test
  void providerThatEndsNothing_isAskedOnce_andTheTaskIsPaid() {
    duplicates.runOnce();
    duplicates.runOnce();
    assertThat(provider.cancelled).hasSize(1);
    assertThat(listed().fate()).isEqualTo(Fate.PAID);
  }

  @Test
  void providerThatDoesNotAnswer_isAskedAgain() {
    provider.answer = new CancelResult.Unavailable("no answer");
    duplicates.runOnce();
    assertThat(listed().fate()).isEqualTo(Fate.OPEN);
    provider.answer = new CancelResult.TooLate();
    duplicates.runOnce();
    assertThat(provider.cancelled).hasSize(2);
    assertThat(listed().fate()).isEqualTo(Fate.PAID);
  }

  /** The one that is kept is never ended, whatever is suspected. */
  @Test
  void taskOnRecord_isNeverEnded() {
    suspicions.extra(Fixture.key(1), "job-1", "its own");
    store.lateEvidence(Map.of(Fixture.key(1), "job-reported"));
    provider.answer = new CancelResult.Cancelled();
    duplicates.runOnce();
    assertThat(provider.cancelled).containsExactly("job-extra");
  }

  /** Notes what it is asked to end. */
  private static final class Provider implements ProviderAdapter {
    private final ScriptedAdapter usual =
        ScriptedAdapter.of(Fixture.PROVIDER, Recourse.LOOKUP_BY_REFERENCE, 4);
    private final List<String> cancelled = new ArrayList<>();
    private CancelResult answer = new CancelResult.NotSupported();

    @Override
    public CancelResult cancel(String remoteId) {
      cancelled.add(remoteId);
      return answer;
    }

    @Override
    public ProviderProfile profile() {
      return usual.profile();
    }

    @Override
    public SubmitResult submit(Submission submission) {
      return usual.submit(submission);
    }

    @Override
    public StatusResult status(String remoteId) {
      return usual.status(remoteId);
    }

    @Override
    public LookupResult findByReference(String reference) {
      return usual.findByReference(reference);
    }

    @Override
    public LookupResult list(Instant from, Instant to) {
      return usual.list(from, to);
    }

    @Override
    public DownloadResult download(OutputRef output, OutputSink sink, long maxBytes)
        throws IOException {
      return usual.download(output, sink, maxBytes);
    }

    @Override
    public void close() {}
  }
}
