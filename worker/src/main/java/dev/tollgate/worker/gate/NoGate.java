package dev.tollgate.worker.gate;

import java.util.Collections;
import java.util.List;

/** The gate of a worker that runs without Redis: the database decides everything. Stateless. */
public final class NoGate implements Gate {

  @Override
  public List<GateAnswer> ask(List<GateKey> keys) {
    return Collections.nCopies(keys.size(), GateAnswer.UNAVAILABLE);
  }

  @Override
  public List<GateAnswer> look(List<GateKey> keys) {
    return Collections.nCopies(keys.size(), GateAnswer.UNAVAILABLE);
  }

  @Override
  public void consumed(List<GateKey> keys) {}

  @Override
  public void release(List<GateKey> keys) {}

  @Override
  public void close() {}
}
