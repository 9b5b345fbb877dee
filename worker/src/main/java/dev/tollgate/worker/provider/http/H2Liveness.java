package dev.tollgate.worker.provider.http;

/**
 * Whether the peer of a connection is still there: any frame of its shows that it is. Guarded by
 * the engine's lock.
 */
final class H2Liveness {
  private long frames;
  private long framesBefore;
  private boolean asked;

  /** What to do with a peer that owes answers. */
  enum Step {
    /** It has said something since the last look. */
    TRUST,
    /** It has not: it is to be asked. */
    ASK,
    /** It was asked, and did not answer. */
    GIVE_UP
  }

  void frameCame() {
    frames++;
  }

  /** How many frames the peer has sent so far. */
  long frames() {
    return frames;
  }

  /** Begins to watch. */
  void start() {
    framesBefore = frames;
    asked = false;
  }

  /** Looks again; to be called at even intervals while answers are owed. */
  Step look() {
    boolean silent = frames == framesBefore;
    framesBefore = frames;
    if (silent && asked) {
      return Step.GIVE_UP;
    }
    asked = silent;
    return silent ? Step.ASK : Step.TRUST;
  }
}
