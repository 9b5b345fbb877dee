package dev.tollgate.embedded;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Optional;
import java.util.function.Supplier;

/** A value made on first use. A failed attempt is repeated by the next use. Thread-safe. */
final class Lazy<T> {
  private final Supplier<T> maker;

  @GuardedBy("this")
  private Optional<T> value = Optional.empty();

  @GuardedBy("this")
  private boolean closed;

  Lazy(Supplier<T> maker) {
    this.maker = maker;
  }

  synchronized T get() {
    if (closed) {
      throw new ServicesException(
          ServicesException.Reason.NOT_RUNNING, "these services are closed; open new ones");
    }
    T made = value.orElseGet(maker);
    value = Optional.of(made);
    return made;
  }

  /** Makes nothing any more; gives what was made. */
  synchronized Optional<T> close() {
    closed = true;
    return value;
  }
}
