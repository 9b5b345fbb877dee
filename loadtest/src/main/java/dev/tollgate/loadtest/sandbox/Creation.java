package dev.tollgate.loadtest.sandbox;

import dev.tollgate.loadtest.sandbox.Reply.Cut;
import dev.tollgate.loadtest.sandbox.Reply.Manner;
import dev.tollgate.loadtest.sandbox.Reply.Reset;
import dev.tollgate.loadtest.sandbox.Reply.Silence;
import dev.tollgate.loadtest.sandbox.Reply.Whole;
import dev.tollgate.loadtest.sandbox.TaskBook.Slot;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Carries out create requests: decides the fault, makes the task or not, writes the ledger line,
 * and says what to do with the answer. Thread-safe; runs on the connection's thread.
 */
final class Creation {
  private final long seed;
  private final InstantSource clock;
  private final TaskBook book;
  private final FaultChoice faults;
  private final Texts texts;
  private final LedgerWriter ledger;
  private final Stats stats;
  private final Reporter reporter;
  private final AtomicLong lastN;

  Creation(
      SandboxOptions options,
      TaskBook book,
      FaultChoice faults,
      Texts texts,
      LedgerWriter ledger,
      Stats stats,
      Reporter reporter,
      long lastN) {
    this.seed = options.seed();
    this.clock = options.clock();
    this.book = book;
    this.faults = faults;
    this.texts = texts;
    this.ledger = ledger;
    this.stats = stats;
    this.reporter = reporter;
    this.lastN = new AtomicLong(lastN);
  }

  /**
   * Carries one out. For a {@code late} fault this waits until the task is made, whether the client
   * is still there or not.
   *
   * @throws InterruptedException when the server closes before a {@code late} task is made
   */
  Reply create(Kind kind, HttpRequest http, boolean authorized) throws InterruptedException {
    long atMs = clock.millis();
    CreateRequest request = CreateRequest.of(kind, lastN.incrementAndGet(), http, authorized);
    stats.request(kind);
    if (request.refusal != null) {
      ledger.request(request, atMs, null, null, false);
      return orderly(request, request.refusal);
    }
    Fault fault = faults.choose(request);
    Slot known = request.key() == null ? null : book.slot(request.key());
    if (fault.family().makesNoTask() && !contradicts(fault, known)) {
      record(request, atMs, fault, null, false);
      return withoutTask(request, fault);
    }
    Fault taken = fault.family().makesNoTask() ? Fault.ACCEPT : fault;
    if (request.key() == null) {
      return spoilt(request, taken, newTask(request, atMs, taken), 0);
    }
    Slot mine = new Slot(request.bodySha256());
    Slot before = book.reserve(request.key(), mine);
    return before == null
        ? reserved(request, atMs, taken, request.key(), mine)
        : again(request, atMs, taken, before);
  }

  /**
   * A refusal means "not created" by contract: it cannot answer a key that has, or awaits, a task.
   */
  private static boolean contradicts(Fault fault, @Nullable Slot known) {
    return fault.family() == Fault.Family.REFUSED && known != null;
  }

  private Reply reserved(CreateRequest request, long atMs, Fault fault, String key, Slot mine)
      throws InterruptedException {
    try {
      SandboxTask task = newTask(request, atMs, fault);
      mine.task = task;
      return spoilt(request, fault, task, 0);
    } finally {
      if (mine.task == null) {
        book.release(key, mine);
      }
    }
  }

  private SandboxTask newTask(CreateRequest request, long atMs, Fault fault)
      throws InterruptedException {
    if (fault.family() == Fault.Family.LATE) {
      try {
        Thread.sleep(fault.amount());
      } catch (InterruptedException e) {
        record(request, atMs, fault, null, false);
        throw e;
      }
    }
    long createdAtMs = fault.family() == Fault.Family.LATE ? clock.millis() : atMs;
    int hidden = fault.family() == Fault.Family.STATUS_404 ? fault.amount() : 0;
    SandboxTask task =
        new SandboxTask(
            request,
            id(request),
            createdAtMs,
            createdAtMs + hidden,
            fault.family() == Fault.Family.FAIL);
    record(request, atMs, fault, task, true);
    book.add(task);
    stats.task(request.kind());
    if (request.kind().reports()) {
      reporter.created(request, task);
    }
    return task;
  }

  private String id(CreateRequest request) {
    int rand = (int) FaultPlan.mix(seed ^ FaultPlan.mix(request.n()));
    return request.kind().path() + '-' + request.n() + '-' + HexFormat.of().toHexDigits(rand);
  }

  /** The same key again: the fault may spoil the answer, never the promise. */
  private Reply again(CreateRequest request, long atMs, Fault fault, Slot before) {
    if (!before.bodySha256.equals(request.bodySha256())) {
      record(request, atMs, Fault.ACCEPT, before.task, false);
      return orderly(
          request,
          HttpAnswer.error(
              422, "idempotency_key_reused", "this key came before with another body"));
    }
    SandboxTask task = before.task;
    if (task == null) {
      record(request, atMs, Fault.ACCEPT, null, false);
      return orderly(
          request,
          HttpAnswer.error(
              409, "idempotency_key_in_use", "the first request with this key still runs"));
    }
    record(request, atMs, fault, task, false);
    long more = fault.family() == Fault.Family.LATE ? fault.amount() : 0;
    return spoilt(request, fault, task, more);
  }

  private static HttpAnswer accepted(SandboxTask task) {
    return HttpAnswer.json(
        202,
        "{\"id\":\""
            + task.id
            + "\",\"status\":\"queued\",\"created_at\":\""
            + Json.time(task.createdAtMs)
            + "\"}");
  }

  private Manner whole(SandboxTask task) {
    return task.kind == Kind.TEXT ? texts.first(task) : new Whole(accepted(task));
  }

  private Manner cut(SandboxTask task, int bytes) {
    return task.kind == Kind.TEXT ? texts.cut(task, bytes) : new Cut(accepted(task), bytes);
  }

  private Reply spoilt(CreateRequest request, Fault fault, SandboxTask task, long delayMs) {
    Manner manner =
        switch (fault.family()) {
          case ACCEPT_DROP -> new Silence();
          case ACCEPT_RST -> new Reset();
          case ACCEPT_500 -> new Whole(HttpAnswer.broken());
          case ACCEPT_503 -> new Whole(HttpAnswer.gateway(503));
          case ACCEPT_504 -> new Whole(HttpAnswer.gateway(504));
          case ACCEPT_CUT -> cut(task, fault.amount());
          case ACCEPT,
              LATE,
              STATUS_404,
              SLOW,
              FAIL,
              HANG,
              THROTTLED,
              REFUSED,
              UNAVAILABLE,
              BROKEN ->
              whole(task);
        };
    boolean slow = fault.family() == Fault.Family.SLOW;
    return new Reply(
        request.n(),
        true,
        delayMs + (slow ? fault.amount() : 0),
        slow || fault.family() == Fault.Family.LATE,
        manner);
  }

  private Reply withoutTask(CreateRequest request, Fault fault) {
    Manner manner =
        switch (fault.family()) {
          case THROTTLED -> new Whole(HttpAnswer.throttled());
          case REFUSED ->
              new Whole(HttpAnswer.error(400, "invalid_input", "the input is not acceptable"));
          case UNAVAILABLE -> new Whole(HttpAnswer.gateway(503));
          case BROKEN -> new Whole(HttpAnswer.broken());
          case HANG,
              ACCEPT,
              ACCEPT_DROP,
              ACCEPT_RST,
              ACCEPT_500,
              ACCEPT_503,
              ACCEPT_504,
              ACCEPT_CUT,
              LATE,
              STATUS_404,
              SLOW,
              FAIL ->
              new Silence();
        };
    return new Reply(request.n(), true, 0, false, manner);
  }

  private Reply orderly(CreateRequest request, HttpAnswer answer) {
    return new Reply(request.n(), true, 0, false, new Whole(answer));
  }

  private void record(
      CreateRequest request, long atMs, Fault fault, @Nullable SandboxTask task, boolean created) {
    ledger.request(request, atMs, fault, task, created);
    stats.fault(request.kind(), fault);
  }
}
