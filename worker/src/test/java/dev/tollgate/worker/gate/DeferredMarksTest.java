package dev.tollgate.worker.gate;

import static dev.tollgate.worker.gate.GateKeys.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class DeferredMarksTest {
  private final InMemoryGate.Store store = new InMemoryGate.Store();
  private final Slow slow = new Slow(new InMemoryGate(store, "1-1", "w1"));
  private final DeferredMarks gate = new DeferredMarks(slow);

  /** Marks nothing until it may, and notes which threads marked. */
  private static final class Slow implements Gate {
    private final Gate gate;
    private final Thread caller = Thread.currentThread();
    private final CountDownLatch may = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private boolean closed;

    Slow(Gate gate) {
      this.gate = gate;
    }

    @Override
    public List<GateAnswer> ask(List<GateKey> keys) {
      return gate.ask(keys);
    }

    @Override
    public List<GateAnswer> look(List<GateKey> keys) {
      return gate.look(keys);
    }

    @Override
    public void consumed(List<GateKey> keys) {
      threads.add(Thread.currentThread());
      try {
        if (!Thread.currentThread().equals(caller)) {
          may.await();
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
      gate.consumed(keys);
    }

    @Override
    public void release(List<GateKey> keys) {
      gate.release(keys);
    }

    @Override
    public void close() {
      closed = true;
      gate.close();
    }
  }

  @Test
  void marks_areWrittenWithoutTheCallersWaiting() {
    gate.consumed(keys(2));
    assertThat(gate.ask(keys(2))).doesNotContain(GateAnswer.CONSUMED_SAME);
    slow.may.countDown();
    await().until(() -> gate.look(keys(2)).stream().allMatch(GateAnswer.CONSUMED_SAME::equals));
    gate.close();
  }

  @Test
  void marks_whereTooManyWait_areWrittenByTheCaller() {
    for (int batch = 0; batch < 4; batch++) {
      gate.consumed(keys(1));
    }
    await().until(() -> slow.threads.size() == 2);
    assertThat(slow.threads).contains(Thread.currentThread());
    slow.may.countDown();
    gate.close();
  }

  @Test
  void close_writesWhatWaits_thenClosesTheGate() {
    gate.consumed(keys(1));
    gate.consumed(keys(1));
    slow.may.countDown();
    gate.close();
    assertThat(slow.threads).hasSize(2);
    assertThat(slow.closed).isTrue();
  }
}
