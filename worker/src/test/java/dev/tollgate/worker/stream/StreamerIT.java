package dev.tollgate.worker.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Chunks.End;
import dev.tollgate.schema.store.Claim;
import dev.tollgate.schema.store.Follow;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.stream.StreamEvent;
import dev.tollgate.worker.provider.stream.StreamResult;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** Streams from the first event to the stored output, on a real database. */
final class StreamerIT extends StreamerRig {
  @Test
  void stream_toItsEnd_isCompleteWithItsText() throws IOException {
    Claim claim = create(provider(false, ends(endingAt(0, 1200))));
    Standing standing = await(claim, OperationState.COMPLETE);
    assertThat(offsets(standing)).isEqualTo(upTo(1200));
    assertThat(output(claim.key())).startsWith("<0><1><2>").endsWith("<1199>");
    assertThat(streamer.live()).isZero();
  }

  @Test
  void fc76_cutWithoutAWayToResume_staysAcceptedForAPerson_chunksAreKept() {
    Claim claim = create(provider(false, cut(events(0, 3))));
    eventually().until(() -> !standing(claim.key()).review().isEmpty());
    Standing standing = standing(claim.key());
    assertThat(standing.state()).isEqualTo("accepted");
    assertThat(standing.review()).isEqualTo(Code.STREAM_CUT.name());
    assertThat(offsets(standing)).isEqualTo(upTo(3));
  }

  @Test
  void fc79_resumeThatBreaksOffAtOnce_asksFromTheStoredCursorEachTime() throws IOException {
    Claim claim =
        create(
            provider(
                true,
                cut(events(0, 10)),
                cut(),
                cut(),
                cut(events(10, 12)),
                ends(endingAt(12, 15))));
    Standing standing = await(claim, OperationState.COMPLETE);
    assertThat(cursors).containsExactly(109L, 109L, 109L, 111L);
    assertThat(offsets(standing)).isEqualTo(upTo(15));
    assertThat(output(claim.key())).endsWith("<13><14>");
  }

  @Test
  void resumedFromTheStart_orWithOverlap_dropsWhatIsStored() {
    Claim claim =
        create(provider(true, cut(events(0, 6)), cut(events(3, 8)), ends(endingAt(0, 12))));
    assertThat(offsets(await(claim, OperationState.COMPLETE))).isEqualTo(upTo(12));
  }

  @Test
  void resumedWithOtherBytes_isForAPerson_andNothingIsRewritten() {
    Claim claim =
        create(
            provider(
                true,
                cut(events(0, 6)),
                ends(event(4), event(5, "{\"n\":6}", Optional.empty()), last(6))));
    eventually().until(() -> !standing(claim.key()).review().isEmpty());
    Standing standing = standing(claim.key());
    assertThat(standing.review()).isEqualTo(Code.STREAM_CONFLICT.name());
    assertThat(offsets(standing)).isEqualTo(upTo(6));
  }

  @Test
  void sameEventTwiceInARow_countsOnce() {
    Claim claim = create(provider(false, ends(event(0), event(1), event(1), last(2))));
    assertThat(offsets(await(claim, OperationState.COMPLETE))).isEqualTo(upTo(3));
  }

  @Test
  void numberThatGoesBackwards_orIsUsedForSomethingElse_isForAPerson() {
    for (StreamEvent wrong : List.of(event(0), event(1, "{\"n\":9}", Optional.empty()))) {
      Claim claim = create(provider(true, ends(event(0), event(1), wrong, last(2))));
      eventually().until(() -> !standing(claim.key()).review().isEmpty());
      assertThat(standing(claim.key()).review()).isEqualTo(Code.STREAM_CONFLICT.name());
      assertThat(offsets(standing(claim.key()))).isEqualTo(upTo(2));
    }
  }

  @Test
  void numberThatIsLeftOut_inTheMiddleOrAfterAResumption_isForAPerson() {
    for (Part[] script :
        List.of(
            new Part[] {ends(event(0), event(2), last(3))},
            new Part[] {cut(event(0)), ends(event(2), last(3))})) {
      Claim claim = create(provider(true, script));
      eventually().until(() -> !standing(claim.key()).review().isEmpty());
      assertThat(standing(claim.key()).review()).isEqualTo(Code.STREAM_CONFLICT.name());
      assertThat(offsets(standing(claim.key()))).isEqualTo(upTo(1));
    }
  }

  @Test
  void lastWordTwice_countsOnce() {
    Claim claim = create(provider(true, cut(endingAt(0, 5)), ends(last(4), last(5))));
    assertThat(offsets(await(claim, OperationState.COMPLETE))).isEqualTo(upTo(5));
    assertThat(cursors).as("what has ended is not asked for again").isEmpty();
  }

  @Test
  void providersFailure_failsIt_chunksAreKept() {
    Claim claim =
        create(provider(true, ends(event(0), event(1, "{\"x\":1}", Optional.of(End.FAILED)))));
    assertThat(offsets(await(claim, OperationState.FAILED))).isEqualTo(upTo(2));
  }

  @Test
  void taskThatIsGone_isAskedForFurtherApart() {
    Claim claim = create(provider(true, cut(events(0, 2)), sends(new StreamResult.Missing())));
    eventually()
        .until(
            () ->
                database
                        .dsl()
                        .fetchCount(
                            DSL.table("evidence"),
                            DSL.condition(
                                "op_key = ? AND code = 'TASK_MISSING'", claim.key().bytes()))
                    == 1);
    assertThat(standing(claim.key()).state()).isEqualTo("accepted");
  }

  @Test
  void halfASurrogatePairAlone_makesTheOutputTheEvents() throws IOException {
    Claim claim =
        create(
            provider(
                false,
                ends(
                    new StreamEvent(
                        OptionalLong.empty(),
                        Optional.of(Bytes.utf8("\"\\ud83d\"")),
                        Bytes.utf8("{\"d\":\"\\ud83d\",\n \"u\":\"\\u0000\"}"),
                        Optional.empty()),
                    last(1))));
    await(claim, OperationState.COMPLETE);
    assertThat(output(claim.key()))
        .isEqualTo("{\"d\":\"\\ud83d\",  \"u\":\"\\u0000\"}\n\"[DONE]\"\n");
  }

  @Test
  void halvesOfAPairInTwoChunks_areOneCharacterOfTheOutput() throws IOException {
    Claim claim =
        create(
            provider(
                false,
                ends(
                    text("\"a\\ud83d\""),
                    text("\"\\ude00b\""),
                    new StreamEvent(
                        OptionalLong.empty(),
                        Optional.empty(),
                        Bytes.utf8("\"[DONE]\""),
                        Optional.of(End.SUCCEEDED)))));
    await(claim, OperationState.COMPLETE);
    assertThat(output(claim.key())).isEqualTo("a\ud83d\ude00b");
  }

  @Test
  void resumptionThatNeverWorks_isForAPersonAfterSomeTries() {
    Claim claim =
        create(provider(true, cut(events(0, 2)), cut(), cut(), cut(), cut(), cut(), cut()));
    Follow follow = follow(claim, "task-of-" + claim.key());
    eventually()
        .until(
            () -> {
              streamer.takeUp(
                  provider(true, cut(), cut(), cut(), cut(), cut(), cut()),
                  List.of(follow),
                  Runnable::run);
              return !standing(claim.key()).review().isEmpty();
            });
    assertThat(standing(claim.key()).review()).isEqualTo(Code.STREAM_CUT.name());
    assertThat(offsets(standing(claim.key()))).isEqualTo(upTo(2));
  }

  @Test
  void defectBehindTheAcceptance_leavesNothingLive() {
    Claim claim =
        create(
            provider(
                false,
                reader -> {
                  reader.event(event(0));
                  throw new StackOverflowError("in the adapter");
                }));
    assertThat(streamer.live()).isZero();
    eventually().until(() -> !standing(claim.key()).review().isEmpty());
    assertThat(standing(claim.key()).review()).isEqualTo(Code.STREAM_CUT.name());
  }

  @Test
  void outputLongerThanAnyText_isForAPerson() {
    String large = "\"" + "x".repeat(900_000) + "\"";
    StreamEvent[] all =
        IntStream.rangeClosed(0, 20)
            .mapToObj(
                n ->
                    new StreamEvent(
                        OptionalLong.of(n),
                        Optional.of(Bytes.utf8(large)),
                        Bytes.utf8("{}"),
                        n == 20 ? Optional.of(End.SUCCEEDED) : Optional.empty()))
            .toArray(StreamEvent[]::new);
    Claim claim = create(provider(false, ends(all)));
    eventually().until(() -> !standing(claim.key()).review().isEmpty());
    assertThat(standing(claim.key()).review()).isEqualTo(Code.OUTPUT_INVALID.name());
  }
}
