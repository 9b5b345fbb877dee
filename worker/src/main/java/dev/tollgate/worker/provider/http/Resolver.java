package dev.tollgate.worker.provider.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Says to which addresses a connection to a host may be made. It is asked once for each new
 * connection, and that is made to one of the addresses it names; the host's name stays what TLS
 * checks and what the request is addressed to. Called by many threads at once; may block.
 */
@FunctionalInterface
public interface Resolver {
  /** What the system says. */
  Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  /**
   * The addresses, at least one.
   *
   * @param host a name or an address, without brackets
   * @throws UnknownHostException if there is none to which a connection may be made
   */
  List<InetAddress> resolve(String host) throws UnknownHostException;
}
