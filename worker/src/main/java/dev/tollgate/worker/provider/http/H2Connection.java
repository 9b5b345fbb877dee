package dev.tollgate.worker.provider.http;

import dev.tollgate.worker.provider.http.H2Stream.End;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hc.core5.http2.H2Error;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection: who may use it, and how each of its streams ends. Thread-safe. A thread of
 * its own reads frames as long as it lives ({@link H2Receiver}), another writes them; neither ever
 * waits for a sender, and a sender waits for nothing but its own stream. Everything that changes in
 * it is guarded by the engine's lock.
 */
final class H2Connection {
  private static final Duration GOODBYE_MAX = Duration.ofSeconds(1);

  /** How much of all bodies together may be under way to us; given back as it comes. */
  static final int WINDOW = 16 * 1024 * 1024;

  private enum State {
    /** The peer has not shown yet that it speaks HTTP/2. */
    OPENING,
    READY,
    /** What is open runs on; nothing new comes. */
    DRAINING,
    CLOSED
  }

  private final H2Link link;
  private final H2Shared shared;
  private final ReentrantLock lock;
  private final Condition work;
  private final Condition settled;

  private final H2Sending sending;
  private final H2Liveness liveness = new H2Liveness();
  private State state = State.OPENING;
  private String ending = ""; // why it is not to be used any more
  private boolean lastWords; // nothing is to be written after what is queued
  private boolean suspect; // the peer did not react: nothing it might still read is to reach it
  private int inUse; // reserved, waiting or open
  private long written; // the last batch that was handed over whole
  private @Nullable Future<?> closing; // when it is closed for being idle, or by force
  private @Nullable Future<?> probe;

  private H2Connection(H2Link link, H2Shared shared) {
    this.link = link;
    this.shared = shared;
    this.lock = shared.lock();
    this.work = lock.newCondition();
    this.settled = lock.newCondition();
    this.sending = new H2Sending(shared.nanoTime());
  }

  /** Starts to speak HTTP/2 on a fresh link, which is the connection's from now on. */
  static H2Connection start(H2Link link, H2Shared shared) {
    H2Connection connection = new H2Connection(link, shared);
    connection.greet();
    Thread.ofVirtual().name("http2-write").start(connection::write);
    Thread.ofVirtual().name("http2-read").start(new H2Receiver(link, connection, connection.lock));
    return connection;
  }

  private void greet() {
    lock.lock();
    try {
      sending.control(H2Frame.PREFACE);
      sending.control(
          H2Frame.settings(
              H2Frame.ENABLE_PUSH,
              0,
              H2Frame.INITIAL_WINDOW_SIZE,
              H2Stream.WINDOW,
              H2Frame.MAX_HEADER_LIST_SIZE,
              H2Receiver.BLOCK_MAX));
      sending.control(H2Frame.windowUpdate(0, WINDOW - H2Frame.WINDOW_DEFAULT));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the peer has sent its settings, by which it shows that it speaks HTTP/2.
   *
   * @return empty if it did, else what stands in the way
   */
  String awaitReady(Duration patience) throws InterruptedException {
    lock.lock();
    try {
      long left = patience.toNanos();
      while (state == State.OPENING && left > 0) {
        left = settled.awaitNanos(left);
      }
      if (state == State.OPENING) {
        shut(true, "the peer did not begin HTTP/2 within " + patience);
      }
      return state == State.READY ? "" : ending;
    } finally {
      lock.unlock();
    }
  }

  // what the engine and the senders ask for

  /** Whether new requests may go over it, now or when there is room; with the lock held. */
  boolean isReady() {
    return state == State.READY;
  }

  /** Whether it is of no use to anybody; with the lock held. */
  boolean isClosed() {
    return state == State.CLOSED;
  }

  /** Takes room for one stream if there is some; with the lock held. */
  boolean reserve() {
    if (state != State.READY || !sending.hasRoomFor(inUse)) {
      return false;
    }
    inUse++;
    if (closing != null) {
      closing.cancel(false);
      closing = null;
    }
    return true;
  }

  /** Has {@code stream}, for which there is room, written as soon as possible. */
  void enqueue(H2Stream stream) {
    lock.lock();
    try {
      if (stream.isOver()) {
        return; // its deadline was there first
      }
      if (state != State.READY) {
        over(stream, End.MOVED, ending);
        return;
      }
      sending.enqueue(stream);
      work.signal();
      if (probe == null) {
        liveness.start();
        probe = shared.deadlines().after(shared.settings().connectTimeout().toNanos(), this::probe);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the next piece of the body, or for the end.
   *
   * @param sendWithinNanos how long the first byte may still take to leave
   * @return null if nothing more comes
   */
  byte @Nullable [] take(H2Stream stream, long sendWithinNanos) {
    lock.lock();
    try {
      long left = sendWithinNanos;
      for (byte[] piece = stream.poll(); ; piece = stream.poll()) {
        if (piece != null) {
          return piece;
        }
        if (stream.isOver()) {
          return null;
        }
        if (stream.mayHaveLeft()) {
          stream.changed.await();
        } else if (left > 0) {
          left = stream.changed.awaitNanos(left);
        } else {
          over(stream, End.NOT_SENT, "nothing could be written until the send deadline");
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      cut(stream, "interrupted while the answer was awaited");
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** So many bytes of the body are done with, and more is wanted. */
  void taken(H2Stream stream, int bytes) {
    lock.lock();
    try {
      int increment = stream.isOver() ? 0 : stream.confirm(bytes);
      if (increment > 0) {
        say(H2Frame.windowUpdate(stream.id, increment));
      }
    } finally {
      lock.unlock();
    }
  }

  /** The sender wants no more of the body. */
  void giveUp(H2Stream stream, String why) {
    lock.lock();
    try {
      if (!stream.isOver()) {
        reset(stream, H2Error.CANCEL, why);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends {@code stream} because its time is over. The others go on, unless the peer has stopped
   * reading in the middle of it: what hangs there could be taken for a request at any later time.
   */
  void cut(H2Stream stream, String why) {
    lock.lock();
    try {
      if (stream.isOver()) {
        return;
      }
      if (!stream.mayHaveLeft()) {
        over(stream, End.NOT_SENT, why + ", and nothing had left");
        return;
      }
      if (stream.framesBefore == liveness.frames()) {
        suspect = true;
        drain("the peer said nothing until a deadline");
      }
      if (stream.batch > written) {
        over(stream, End.BROKEN, why);
        shut(true, "the peer stopped reading");
      } else {
        reset(stream, H2Error.CANCEL, why);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Cuts everything at once. */
  void abort(String why) {
    lock.lock();
    try {
      shut(true, why);
    } finally {
      lock.unlock();
    }
  }

  // what the receiver saw; each with the lock held

  H2Sending sending() {
    return sending;
  }

  void frameCame() {
    liveness.frameCame();
  }

  void settingsCame() {
    say(H2Frame.settingsAck());
    if (state == State.OPENING) {
      state = State.READY;
      settled.signalAll();
    }
    shared.room().signalAll();
  }

  /** Has a frame written that belongs to no body. */
  void say(byte[] frame) {
    if (state == State.CLOSED) {
      return;
    }
    if (sending.control(frame)) {
      wakeWriter();
    } else {
      shut(true, "the peer asks for more answers than it reads");
    }
  }

  void wakeWriter() {
    work.signal();
  }

  /** The answer is complete, or says so. */
  void complete(H2Stream stream) {
    boolean uploading = !stream.bodyIsSent();
    if (stream.isShorterThanAnnounced()) {
      over(stream, End.BROKEN, "shorter than its content-length");
    } else {
      over(stream, End.WHOLE, "");
    }
    if (uploading) { // the peer does not want to hear the rest
      say(H2Frame.reset(stream.id, H2Error.CANCEL));
    }
  }

  /** Ends one stream by a reset of ours. */
  void reset(H2Stream stream, H2Error code, String why) {
    say(H2Frame.reset(stream.id, code));
    over(stream, End.BROKEN, why);
  }

  /** One stream is over; what it leaves behind is settled. */
  void over(H2Stream stream, End how, String why) {
    if (stream.isOver()) {
      return;
    }
    sending.forget(stream);
    stream.over(how, why);
    inUse--;
    shared.room().signal();
    if (state == State.READY && inUse == 0) {
      closing = shared.deadlines().after(shared.settings().idleLife().toNanos(), this::closeIfIdle);
    }
    if (state == State.DRAINING && sending.nothingOpen()) {
      shut(suspect, ending);
    }
    if (sending.hasWaiting()) { // one of them may have found its place
      wakeWriter();
    }
  }

  /** Nothing new goes over it; what has not begun goes elsewhere. */
  void drain(String why) {
    if (state == State.DRAINING || state == State.CLOSED) {
      return;
    }
    state = State.DRAINING;
    ending = why;
    settled.signalAll();
    sending.waiting().forEach(stream -> over(stream, End.MOVED, why));
    shared.room().signalAll();
    if (sending.nothingOpen()) {
      shut(suspect, why);
    }
  }

  /** The peer broke the protocol: tells it so, and closes. */
  void violated(H2Violation violation) {
    String what = String.valueOf(violation.getMessage());
    lock.lock();
    try {
      String why = state == State.OPENING ? "the peer does not speak HTTP/2: " + what : what;
      say(H2Frame.goAway(violation.code()));
      shut(false, why);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends everything.
   *
   * @param now whether by a reset at once, or after what is queued was written
   */
  private void shut(boolean now, String why) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    ending = ending.isEmpty() ? why : ending;
    List<H2Stream> left = new ArrayList<>(sending.waiting());
    left.forEach(stream -> over(stream, End.MOVED, why));
    sending.opened().forEach(stream -> over(stream, End.BROKEN, why));
    for (Future<?> timer : new Future<?>[] {closing, probe}) {
      if (timer != null) {
        timer.cancel(false);
      }
    }
    settled.signalAll();
    shared.room().signalAll();
    lastWords = !now;
    wakeWriter();
    if (now) {
      link.reset();
    } else {
      closing = shared.deadlines().after(GOODBYE_MAX.toNanos(), link::reset);
    }
  }

  // its own threads and timers

  private void write() {
    H2Output out = new H2Output(H2Frame.PAYLOAD_MAX);
    try {
      while (render(out)) {
        out.writeTo(link.out());
      }
      link.close();
    } catch (IOException | RuntimeException e) {
      writeFailed(Evidence.describe(e));
    }
  }

  /** Renders the next batch, the one before being written; false if there is none any more. */
  private boolean render(H2Output out) throws IOException {
    lock.lock();
    try {
      written = sending.batch();
      while (state != State.CLOSED || lastWords) {
        List<H2Stream> late = new ArrayList<>(0);
        sending.render(out, liveness.frames(), late);
        for (H2Stream stream : late) {
          over(stream, End.NOT_SENT, "the send deadline passed before the first byte");
        }
        if (!out.isEmpty()) {
          return true;
        }
        if (lastWords) {
          return false;
        }
        work.awaitUninterruptibly();
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** What the peer said before is still to be read: the receiver ends what is open. */
  private void writeFailed(String why) {
    lock.lock();
    try {
      suspect = true;
      drain(why);
    } finally {
      lock.unlock();
    }
  }

  private void closeIfIdle() {
    lock.lock();
    try {
      if (state == State.READY && inUse == 0) {
        say(H2Frame.goAway(H2Error.NO_ERROR));
        shut(false, "idle for too long");
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Asks a peer that has been silent for a while whether it is there. If it stays silent nothing
   * new is given to it; what it has may still be answered.
   */
  private void probe() {
    lock.lock();
    try {
      probe = null;
      if (state != State.READY || inUse == 0) {
        return;
      }
      switch (liveness.look()) {
        case TRUST -> {}
        case ASK -> say(H2Frame.ping());
        case GIVE_UP -> {
          suspect = true;
          drain("the peer does not answer a PING");
          return;
        }
      }
      probe = shared.deadlines().after(shared.settings().connectTimeout().toNanos(), this::probe);
    } finally {
      lock.unlock();
    }
  }
}
