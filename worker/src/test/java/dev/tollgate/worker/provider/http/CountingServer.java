package dev.tollgate.worker.provider.http;

import java.io.Closeable;
import java.net.URI;
import java.util.List;

/** A server of a test that counts what reaches it, in whichever protocol. */
public interface CountingServer extends Closeable {
  /** Its address with a path. */
  URI base(String path);

  /** Every request that came, whatever became of it. */
  List<?> requests();

  /** How many of them were a POST. */
  long posts();

  /** How many connections were made. */
  int connections();
}
