package dev.tollgate.worker.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import dev.tollgate.schema.store.Chunks;
import dev.tollgate.schema.store.Chunks.Chunk;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Fixture;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.worker.provider.RawAnswer;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.provider.ScriptedAdapter;
import dev.tollgate.worker.provider.Submission;
import dev.tollgate.worker.provider.SubmitResult;
import dev.tollgate.worker.provider.Verdict;
import dev.tollgate.worker.provider.stream.StreamReader;
import dev.tollgate.worker.provider.stream.StreamResult;
import dev.tollgate.worker.provider.stream.Streams;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Streams whose reader is not, or not alone, the one who was accepted. */
final class TakenUpStreamsIT extends StreamerRig {
  @Test
  void createThatIsNotTaken_writesNothing() {
    Claim claim = sending();
    SubmitResult refused =
        new SubmitResult(new Verdict.Unknown("no answer"), RawAnswer.none(true, ""));
    ScriptedAdapter provider =
        ScriptedAdapter.of(Fixture.PROVIDER, Recourse.NONE, 4)
            .streaming(
                new Streams() {
                  @Override
                  public StreamResult open(Submission submission, StreamReader reader) {
                    return new StreamResult.NotAccepted(refused);
                  }

                  @Override
                  public boolean consecutive() {
                    return false;
                  }

                  @Override
                  public boolean resumable() {
                    return false;
                  }

                  @Override
                  public StreamResult resume(
                      String remoteId, OptionalLong cursor, StreamReader reader) {
                    throw new AssertionError("nothing to resume");
                  }
                });
    assertThat(create(provider, claim)).contains(refused);
    assertThat(standing(claim.key()).state()).isEqualTo("sending");
  }

  @Test
  void claimThatIsNoLongerTheNewest_storesNoChunk() {
    Claim claim = sending();
    store.apply(List.of(Fixture.unknown(claim)));
    assertThat(create(provider(false, ends(endingAt(0, 5))), claim)).isEmpty();
    Standing standing = standing(claim.key());
    assertThat(standing.state()).isEqualTo("unknown");
    assertThat(standing.chunks()).isEmpty();
  }

  @Test
  void readerThatDied_anotherTakesItUpWhereItStood() throws IOException {
    Claim claim = sending();
    Change accepted = Fixture.accepted(claim, "task-x");
    store.apply(List.of(accepted));
    Follow follow = follow(claim, "task-x");
    chunks.append(
        Map.of(
            new Chunks.Stream(claim.key(), claim.seq(), "task-x"),
            IntStream.range(0, 4)
                .mapToObj(
                    n ->
                        new Chunk(
                            n,
                            100L + n,
                            Fixture.utf8("\"<" + n + ">\""),
                            Fixture.utf8("{\"n\":" + n + "}"),
                            null))
                .toList()));
    streamer.takeUp(provider(true, ends(endingAt(4, 7))), List.of(follow), Runnable::run);
    assertThat(offsets(await(claim, OperationState.COMPLETE))).isEqualTo(upTo(7));
    assertThat(cursors).containsExactly(103L);
    assertThat(output(claim.key())).isEqualTo("<0><1><2><3><4><5><6>");
  }

  @Test
  void readerThatDiedBehindTheLastWord_anotherFinishesFromTheDatabaseAlone() throws IOException {
    Claim claim = sending();
    store.apply(List.of(Fixture.accepted(claim, "task-y")));
    chunks.append(
        Map.of(
            new Chunks.Stream(claim.key(), claim.seq(), "task-y"),
            List.of(
                new Chunk(0, null, Fixture.utf8("\"whole\""), Fixture.utf8("{}"), End.SUCCEEDED))));
    Follow follow = follow(claim, "task-y");
    streamer.takeUp(provider(false), List.of(follow), Runnable::run);
    streamer().takeUp(provider(false), List.of(follow), Runnable::run);
    await(claim, OperationState.COMPLETE);
    assertThat(output(claim.key())).isEqualTo("whole");
  }

  @Test
  void twoWhoReadTheSameStream_storeItOnce() throws IOException {
    Claim claim = sending();
    store.apply(List.of(Fixture.accepted(claim, "task-z")));
    Follow follow = follow(claim, "task-z");
    List<Thread> readers = new ArrayList<>();
    for (Streamer one : List.of(streamer, streamer())) {
      one.takeUp(
          provider(true, ends(endingAt(0, 2000))),
          List.of(follow),
          reading -> readers.add(Thread.ofVirtual().unstarted(reading)));
    }
    readers.forEach(Thread::start);
    assertThat(offsets(await(claim, OperationState.COMPLETE))).isEqualTo(upTo(2000));
    assertThat(output(claim.key())).endsWith("<1999>");
  }

  @Test
  void stop_leavesWhatCanBeResumedToOthers() {
    Claim claim =
        create(
            provider(
                true,
                reader -> {
                  reader.event(event(0));
                  streamer.stop();
                  boolean more = reader.event(event(1));
                  return more ? new StreamResult.Ended("") : new StreamResult.Stopped();
                }));
    Standing standing = standing(claim.key());
    assertThat(standing.state()).isEqualTo("accepted");
    assertThat(standing.review()).isEmpty();
    assertThat(offsets(standing)).isEqualTo(upTo(2));
    assertThat(store.follow(Fixture.PROVIDER, 100, ANY, ANY))
        .as("due at once for others")
        .extracting(Follow::key)
        .contains(claim.key());
  }
}
