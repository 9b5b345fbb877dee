package dev.tollgate.loadtest.sandbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Appends lines to the ledger's file. Requests that come together share one write: who gets the
 * file writes everything that waits. Thread-safe.
 *
 * <p>A request line is in the file when {@link #request} returns; any other follows within {@value
 * #ANSWER_LAG_MS} ms, or with the next request line. Nothing is forced to the disk: the ledger must
 * outlive its process, not its machine.
 */
final class LedgerWriter implements AutoCloseable {
  private static final int ANSWER_LAG_MS = 10;

  private final Path file;
  private final ReentrantLock queue = new ReentrantLock();
  private final ReentrantLock write = new ReentrantLock();

  // not a channel: an interrupted thread would close it for everybody
  @GuardedBy("write")
  private final FileOutputStream out;

  @GuardedBy("write")
  private byte[] spare = new byte[64 << 10];

  @GuardedBy("queue")
  private byte[] waiting = new byte[64 << 10];

  @GuardedBy("queue")
  private int waitingBytes;

  @GuardedBy("queue")
  private long appended;

  /** Lines in the file; volatile so that a thread whose line another wrote need not write. */
  private volatile long written;

  /** Volatile: set by the closing thread, read by the flusher. */
  private volatile boolean closed;

  private final Thread flusher;

  LedgerWriter(Path file) {
    this.file = file;
    try {
      cutHalfLine(file);
      out = new FileOutputStream(file.toFile(), true);
    } catch (IOException e) {
      throw new LedgerException("ledger " + file + " cannot be opened; sandbox not started", e);
    }
    flusher = Thread.ofPlatform().daemon().name("sandbox-ledger").start(this::flushAnswers);
  }

  private static void cutHalfLine(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (RandomAccessFile content = new RandomAccessFile(path.toFile(), "rw")) {
      long length = content.length();
      long keep = length;
      while (keep > 0) {
        content.seek(keep - 1);
        if (content.read() == '\n') {
          break;
        }
        keep--;
      }
      if (keep < length) {
        content.setLength(keep);
      }
    }
  }

  /** Writes what became of one create request, before anything of its answer is sent. */
  void request(
      CreateRequest request,
      long atMs,
      @Nullable Fault fault,
      @Nullable SandboxTask task,
      boolean created) {
    StringBuilder line = new StringBuilder(512);
    line.append("{\"event\":\"request\",\"n\":").append(request.n());
    line.append(",\"at\":\"").append(Json.time(atMs));
    line.append("\",\"kind\":\"").append(request.kind().path());
    line.append("\",\"fault\":");
    Json.quoteOrNull(line, fault == null ? null : fault.toString());
    line.append(",\"task\":");
    Json.quoteOrNull(line, task == null ? null : task.id);
    line.append(",\"created\":").append(created);
    if (task != null && created) {
      line.append(",\"created_at\":\"").append(Json.time(task.createdAtMs)).append('"');
      if (task.visibleAtMs > task.createdAtMs) {
        line.append(",\"visible_at\":\"").append(Json.time(task.visibleAtMs)).append('"');
      }
      if (task.fails) {
        line.append(",\"fails\":true");
      }
    }
    line.append(",\"key\":");
    Json.quoteOrNull(line, request.key());
    line.append(",\"ref\":");
    Json.quoteOrNull(line, request.reference());
    if (task != null && created && request.kind() == Kind.TEXT) {
      TextStream text = TextStream.of(task.id, task.fails);
      line.append(",\"stream\":{\"events\":").append(text.events());
      line.append(",\"sha256\":\"").append(text.sha256()).append("\"}");
    }
    line.append(",\"body_sha256\":\"").append(request.bodySha256());
    line.append("\",\"input\":").append(request.inputJson()).append("}\n");
    append(line, true);
  }

  /**
   * Writes what became of the answer.
   *
   * @param status the status that was sent, or was to be sent; 0 when there was none
   */
  void answer(long n, boolean answered, int status) {
    StringBuilder line = new StringBuilder(64);
    line.append("{\"event\":\"answer\",\"n\":").append(n);
    line.append(",\"answered\":").append(answered);
    line.append(",\"status\":").append(status == 0 ? "null" : Integer.toString(status));
    line.append("}\n");
    append(line, false);
  }

  /** Writes that a stream is sent again from one of its events on. */
  void resumed(String task, int from) {
    StringBuilder line = new StringBuilder(64);
    line.append("{\"event\":\"resumed\",\"task\":\"").append(task);
    line.append("\",\"from\":").append(from).append("}\n");
    append(line, false);
  }

  private void append(StringBuilder line, boolean now) {
    byte[] bytes = line.toString().getBytes(StandardCharsets.UTF_8);
    long mine;
    queue.lock();
    try {
      if (waitingBytes + bytes.length > waiting.length) {
        waiting = Arrays.copyOf(waiting, Math.max(waiting.length * 2, waitingBytes + bytes.length));
      }
      System.arraycopy(bytes, 0, waiting, waitingBytes, bytes.length);
      waitingBytes += bytes.length;
      mine = ++appended;
    } finally {
      queue.unlock();
    }
    if (now) {
      writeUpTo(mine);
    }
  }

  private void writeUpTo(long line) {
    write.lock();
    try {
      if (written >= line) {
        return;
      }
      byte[] batch;
      int bytes;
      long last;
      queue.lock();
      try {
        batch = waiting;
        bytes = waitingBytes;
        last = appended;
        waiting = spare;
        waitingBytes = 0;
      } finally {
        queue.unlock();
      }
      spare = batch;
      out.write(batch, 0, bytes);
      written = last;
    } catch (IOException e) {
      throw new LedgerException("ledger " + file + " cannot be written; the answer is withheld", e);
    } finally {
      write.unlock();
    }
  }

  private void flushAnswers() {
    while (!closed) {
      LockSupport.parkNanos(ANSWER_LAG_MS * 1_000_000L);
      flush();
    }
  }

  private void flush() {
    long last;
    queue.lock();
    try {
      last = appended;
    } finally {
      queue.unlock();
    }
    if (written < last) {
      writeUpTo(last);
    }
  }

  /** Writes what waits and closes the file. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    LockSupport.unpark(flusher);
    try {
      flusher.join(1000);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    flush();
    write.lock();
    try {
      out.close();
    } catch (IOException e) {
      throw new LedgerException("ledger " + file + " was not closed; its lines are written", e);
    } finally {
      write.unlock();
    }
  }
}
