package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tollgate.worker.provider.descriptor.Descriptor;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A list whose pages are cut by position, and which changes while it is read. */
class MovingPagesIT {
  private static final Descriptor BY_POSITION =
      Adapters.descriptor("http-json", "paging: cursor", "paging: position");
  private static final Instant FROM = Instant.parse("2026-01-02T00:00:00Z");
  private static final Instant TO = Instant.parse("2026-01-03T00:00:00Z");

  /** Between the pages a task of the first one is deleted: ours moves up, past the reader. */
  @Test
  void taskThatMovedPastTheReader_isNoAbsence() throws IOException {
    LookupResult result = listed("[1,2]", "[4]", "[1,3]", "[4]");
    assertThat(result)
        .isInstanceOfSatisfying(
            LookupResult.Candidates.class,
            candidates -> {
              assertThat(candidates.complete()).isFalse();
              assertThat(candidates.candidates())
                  .extracting(Candidate::remoteId)
                  .containsExactly("t-1", "t-2", "t-4", "t-3");
            });
  }

  @Test
  void listThatStandsStill_isShownWhole_andATaskShownTwiceIsOne() throws IOException {
    assertThat(listed("[1,2]", "[2,3]", "[1,2]", "[2,3]"))
        .isInstanceOfSatisfying(
            LookupResult.Candidates.class,
            candidates -> {
              assertThat(candidates.complete()).isTrue();
              assertThat(candidates.candidates()).hasSize(3);
            });
  }

  @Test
  void oneShortPage_needsNoSecondLook() throws IOException {
    assertThat(listed("[]"))
        .isInstanceOfSatisfying(
            LookupResult.Candidates.class,
            candidates -> assertThat(candidates.complete()).isTrue());
  }

  /** Pages in the order in which they are asked for, as the numbers of their tasks. */
  private static LookupResult listed(String... pages) throws IOException {
    AtomicInteger asked = new AtomicInteger();
    try (RawServer server =
            new RawServer(
                (_, socket) -> {
                  String tasks =
                      pages[asked.getAndIncrement()].replaceAll(
                          "([0-9])", "{\"id\":\"t-$1\",\"created_at\":\"2026-01-02T03:04:05Z\"}");
                  boolean more = pages.length > 1 && asked.get() % 2 == 1;
                  String body =
                      "{\"tasks\":" + tasks + ",\"next_cursor\":" + (more ? "\"2\"}" : "null}");
                  return RawServer.write(socket, RawServer.answer(200, body));
                });
        ProviderAdapter adapter =
            Adapters.described(
                BY_POSITION, server.base(""), Recourse.LIST_BY_TIME, Adapters.NOWHERE)) {
      LookupResult result = adapter.list(FROM, TO);
      assertThat(asked).hasValue(pages.length);
      return result;
    }
  }
}
