package dev.tollgate.loadtest.demo;

import java.util.List;

/** The processes that a run is made of. Called by two threads; implementations are thread-safe. */
public interface Fleet {
  /** Names of the workers, whether they run or not. */
  List<String> workers();

  /** Ends a worker at once (SIGKILL) and returns when it is gone. */
  void kill(String worker);

  /** Starts a worker that was killed. */
  void start(String worker);

  /** Freezes a worker (SIGSTOP): its connections stay open, nothing in it runs. */
  void freeze(String worker);

  /** Ends {@link #freeze} (SIGCONT). */
  void thaw(String worker);

  /** How many workers run and are not frozen. */
  int up();

  /**
   * Starts again what ended by itself, as a supervisor would: a process that finds a server slow at
   * its start gives up. Returns what cannot be helped: processes that end again and again, or whose
   * end spoils the run, each with its status and the end of its log.
   */
  List<String> tend();

  /** Tells workers and reconciler to end and returns when they have; the provider stays. */
  void stop();
}
