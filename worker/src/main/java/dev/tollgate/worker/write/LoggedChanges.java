package dev.tollgate.worker.write;

import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.state.OperationState;
import dev.tollgate.schema.store.Change;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Tells the log what became of changes, one event each, with key, code and fence as fields of their
 * own; then hands them on. What goes as usual is told at level debug only, where it costs nothing
 * while nobody asks. Nothing that a provider or a producer wrote is in it, but ids. Called by the
 * writer's thread.
 */
public final class LoggedChanges implements WriteListener {
  private static final Logger log = LoggerFactory.getLogger(LoggedChanges.class);

  private final WriteListener next;

  public LoggedChanges(WriteListener next) {
    this.next = next;
  }

  @Override
  public void applied(Change change) {
    tell(level(change), change, "the operation changed");
    next.applied(change);
  }

  private static Level level(Change change) {
    boolean unusual =
        change.to() == OperationState.UNKNOWN
            || change.to() == OperationState.FAILED
            || change.from() == OperationState.UNKNOWN
            || change.review() != null;
    return unusual ? Level.INFO : Level.DEBUG;
  }

  @Override
  public void stale(Change change) {
    tell(Level.INFO, change, "the change came too late, its evidence is kept");
    next.stale(change);
  }

  @Override
  public void suspectedDuplicate(Change change) {
    tell(Level.WARN, change, "a second remote task is suspected");
    next.suspectedDuplicate(change);
  }

  @Override
  public void duplicateOutput(Change change, OperationKey other) {
    next.duplicateOutput(change, other);
  }

  @Override
  public void refused(Change change, RuntimeException why) {
    next.refused(change, why);
  }

  @Override
  public void wrote(int changes, Duration took) {
    next.wrote(changes, took);
  }

  private static void tell(Level level, Change change, String what) {
    LoggingEventBuilder event =
        log.atLevel(level)
            .addKeyValue("key", change.key())
            .addKeyValue("code", change.reason())
            .addKeyValue("fence", change.fence())
            .addKeyValue("provider", change.provider())
            .addKeyValue("from", change.from())
            .addKeyValue("to", change.to());
    if (change.review() != null) {
      event = event.addKeyValue("review", change.review());
    }
    if (change.evidence().remoteId() != null) {
      event = event.addKeyValue("task", change.evidence().remoteId());
    }
    event.log(what);
  }
}
