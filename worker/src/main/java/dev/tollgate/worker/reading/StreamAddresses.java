package dev.tollgate.worker.reading;

import dev.tollgate.schema.key.OperationKey;
import java.net.URI;
import java.util.Optional;

/**
 * The addresses at which streams are read from outside. Immutable.
 *
 * @param base the public address below which readers reach them; absent: nobody does
 * @param secret the installation's; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
public record StreamAddresses(Optional<URI> base, byte[] secret) {
  /** The whole address of an operation's stream, which entitles its bearer to read that. */
  public Optional<URI> of(OperationKey key) {
    return base.map(url -> URI.create(StreamAddress.of(secret, key).below(url)));
  }
}
