package dev.tollgate.schema.client;

import static dev.tollgate.schema.client.Told.event;
import static dev.tollgate.schema.client.Told.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.event.RequestWriter;
import dev.tollgate.schema.event.ResultEvent;
import dev.tollgate.schema.event.ResultEvent.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AwaitedTest {
  private static final int KEPT = 3;

  private final List<ResultEvent> progress = new ArrayList<>();
  private final Awaited awaited = new Awaited(KEPT, progress::add);

  private Submission submit(RequestWriter.Ready request) {
    return awaited.join(request).request().submission();
  }

  private void letter(RequestWriter.Ready request) {
    awaited.refused(
        request.key(),
        String.valueOf(request.message().headers().get("ce_id")),
        Code.UNKNOWN_PROVIDER,
        "no such provider");
  }

  @Test
  void told_complete_isTheResult() {
    Submission submission = submit(request(1));
    awaited.told(event(1, State.ACCEPTED, 2));
    assertThat(submission.result()).isNotDone();
    awaited.told(event(1, State.COMPLETE, 3));
    assertThat(submission.result())
        .isCompletedWithValue(new Result.Completed(Told.output(1), event(1, State.COMPLETE, 3)));
  }

  @Test
  void told_failed_isTheResultWithItsCode() {
    Submission submission = submit(request(1));
    awaited.told(event(1, State.FAILED, 2));
    Result.Failed failed = (Result.Failed) submission.result().join();
    assertThat(failed.code()).isEqualTo(Code.PROVIDER_REJECTED);
    assertThat(failed.reason()).isEqualTo("it said no");
    assertThat(failed.key()).isEqualTo(request(1).key());
  }

  @Test
  void told_repeatsAndOlderVersions_areHeardOnce() {
    submit(request(1));
    awaited.told(event(1, State.UNKNOWN, 2));
    awaited.told(event(1, State.UNKNOWN, 2));
    awaited.told(event(1, State.ACCEPTED, 3));
    awaited.told(event(1, State.UNKNOWN, 2));
    awaited.told(event(2, State.ACCEPTED, 2));
    assertThat(progress).extracting(ResultEvent::version).containsExactly(2L, 3L);
  }

  @Test
  void told_listenerFails_theRestIsHeard() {
    Awaited unlucky =
        new Awaited(
            KEPT,
            _ -> {
              throw new IllegalStateException("a listener's own fault");
            });
    Submission submission = unlucky.join(request(1)).request().submission();
    unlucky.told(event(1, State.ACCEPTED, 2));
    unlucky.told(event(1, State.COMPLETE, 3));
    assertThat(submission.result()).isCompleted();
  }

  @Test
  void join_sameRequestTwice_isPublishedOnceAndBothHear() {
    Awaited.Joined first = awaited.join(request(1));
    Awaited.Joined second = awaited.join(request(1));
    assertThat(first.publish()).isTrue();
    assertThat(second.publish()).isFalse();
    Submission one = first.request().submission();
    Submission two = second.request().submission();
    assertThat(one.result().cancel(true)).as("the caller's own").isTrue();
    awaited.published(first.request());
    assertThat(two.published()).isCompleted();
    awaited.told(event(1, State.COMPLETE, 3));
    assertThat(two.result()).isCompleted();
  }

  @Test
  void join_afterTheEnd_isAnsweredAtOnce() {
    submit(request(1));
    awaited.told(event(1, State.COMPLETE, 3));
    awaited.told(event(2, State.FAILED, 3)); // nobody asked yet
    for (int n : List.of(1, 2)) {
      Awaited.Joined joined = awaited.join(request(n));
      Submission submission = joined.request().submission();
      assertThat(submission.result()).isCompleted();
      assertThat(joined.publish()).as("the key decides").isTrue();
      awaited.notPublished(joined.request(), new IllegalStateException("no answer"));
      assertThat(submission.result())
          .isCompletedWithValueMatching(r -> r.key().equals(request(n).key()));
      assertThat(submission.published()).isCompletedExceptionally();
    }
  }

  @Test
  void join_endsBeyondTheBound_areForgottenEldestFirst() {
    for (int n = 0; n <= KEPT; n++) {
      awaited.told(event(n, State.COMPLETE, 3));
    }
    assertThat(submit(request(0)).result()).isNotDone();
    assertThat(submit(request(1)).result()).isCompleted();
  }

  /** The film of another request is not passed off as this one's. */
  @Test
  void told_ofARequestWithOtherParameters_isARefusal() {
    Submission first = submit(request(1));
    Submission other = submit(request(1, 8));
    awaited.told(event(1, State.COMPLETE, 3));
    assertThat(first.result().join()).isInstanceOf(Result.Completed.class);
    assertThat(other.result().join())
        .isInstanceOfSatisfying(
            Result.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo(Code.KEY_PARAMETERS_MISMATCH));
    assertThat(submit(request(1, 9)).result().join()).isInstanceOf(Result.Refused.class);
  }

  @Test
  void told_byAnEarlierBuild_theKeyHasToDo() {
    Submission submission = submit(request(1));
    awaited.told(event(1, State.COMPLETE, 3, null));
    assertThat(submission.result().join()).isInstanceOf(Result.Completed.class);
  }

  @Test
  void refused_oneOfTwoWithOneKey_theOtherGoesOn() {
    Submission first = submit(request(1));
    Submission other = submit(request(1, 8));
    letter(request(1, 8));
    assertThat(other.result())
        .isCompletedWithValue(
            new Result.Refused(request(1).key(), Code.UNKNOWN_PROVIDER, "no such provider"));
    assertThat(first.result()).isNotDone();
    awaited.told(event(1, State.COMPLETE, 3));
    assertThat(first.result()).isCompleted();
  }

  @Test
  void refused_submittedAgain_isPublishedAgain() {
    Submission first = submit(request(1));
    letter(request(1));
    assertThat(first.result()).isCompleted();
    Awaited.Joined again = awaited.join(request(1));
    assertThat(again.publish()).isTrue();
    assertThat(again.request().submission().result()).isNotDone();
  }

  @Test
  void notPublished_isNoResult_andWhatComesAllTheSameIsKept() {
    Awaited.Joined first = awaited.join(request(1));
    Submission submission = first.request().submission();
    awaited.notPublished(first.request(), new IllegalStateException("no answer"));
    for (var future : List.of(submission.published(), submission.result())) {
      assertThat(future)
          .failsWithin(1, TimeUnit.SECONDS)
          .withThrowableOfType(java.util.concurrent.ExecutionException.class)
          .withCauseInstanceOf(ClientException.NotPublished.class)
          .withMessageContaining(request(1).key().toString());
    }
    awaited.told(event(1, State.COMPLETE, 3)); // the broker had it
    assertThat(submit(request(1)).result()).isCompleted();
  }

  /** Its letter came, it was submitted again, and then the first try's time was up. */
  @Test
  void notPublished_ofAnEarlierTry_leavesTheNextAlone() {
    Awaited.Joined first = awaited.join(request(1));
    letter(request(1));
    Submission again = submit(request(1));
    awaited.notPublished(first.request(), new IllegalStateException("no answer"));
    assertThat(again.result()).isNotDone();
  }

  @Test
  void abandon_endsWhatIsOpen_andNothingIsTakenInAfterwards() {
    Submission submission = submit(request(1));
    awaited.close();
    assertThatThrownBy(() -> awaited.join(request(2))).isInstanceOf(ClientException.Closed.class);
    awaited.abandon();
    awaited.abandon();
    assertThat(submission.result())
        .failsWithin(1, TimeUnit.SECONDS)
        .withThrowableOfType(java.util.concurrent.ExecutionException.class)
        .withCauseInstanceOf(ClientException.Closed.class);
  }
}
