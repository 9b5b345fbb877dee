package dev.tollgate.worker.provider;

import dev.tollgate.worker.provider.http.Resolver;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets connections be made to public addresses alone: a host with any other address is refused as a
 * whole, since nobody says to which of them the next connection goes. Thread-safe.
 */
public final class PublicAddresses implements Resolver {
  private final Resolver names;

  /** Of the last resolution; for words, and nothing is allowed by it. */
  private volatile @Nullable String refusal;

  /** An address of this network is none of the other's. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Net(byte[] prefix, int bits, String what) {
    static Net of(String address, int bits, String what) {
      return new Net(InetAddress.ofLiteral(address).getAddress(), bits, what);
    }

    boolean holds(byte[] address) {
      if (address.length != prefix.length) {
        return false;
      }
      int whole = bits / 8;
      int rest = bits % 8;
      int mask = rest == 0 ? 0 : 0xff << (8 - rest) & 0xff;
      return Arrays.equals(address, 0, whole, prefix, 0, whole)
          && (rest == 0 || (address[whole] & mask) == (prefix[whole] & mask));
    }
  }

  private static final List<Net> REFUSED =
      List.of(
          Net.of("0.0.0.0", 8, "this host"),
          Net.of("10.0.0.0", 8, "private"),
          Net.of("100.64.0.0", 10, "of a carrier"),
          Net.of("127.0.0.0", 8, "loopback"),
          Net.of("169.254.0.0", 16, "link-local"),
          Net.of("172.16.0.0", 12, "private"),
          Net.of("192.0.0.0", 24, "reserved"),
          Net.of("192.168.0.0", 16, "private"),
          Net.of("198.18.0.0", 15, "for measurements"),
          Net.of("224.0.0.0", 4, "multicast"),
          Net.of("240.0.0.0", 4, "reserved"),
          // loopback, unspecified and addresses of the other family are in it
          Net.of("::", 96, "of no network"),
          Net.of("64:ff9b:1::", 48, "translated"),
          Net.of("100::", 64, "discarded"),
          Net.of("2001::", 32, "of a tunnel"),
          Net.of("fc00::", 7, "unique-local"),
          Net.of("fe80::", 10, "link-local"),
          Net.of("fec0::", 10, "site-local"),
          Net.of("ff00::", 8, "multicast"));

  /** Where an address of the other family stands in one of this, and at which byte. */
  private static final List<Holder> HOLDERS =
      List.of(
          new Holder(mapped(), 12),
          new Holder(Net.of("64:ff9b::", 96, "translated"), 12),
          new Holder(Net.of("2002::", 16, "of a tunnel"), 2));

  private record Holder(Net net, int at) {}

  /**
   * {@code ::ffff:0:0/96}, which cannot be written as a literal: it is read as the other family.
   */
  private static Net mapped() {
    byte[] prefix = new byte[16];
    prefix[10] = (byte) 0xff;
    prefix[11] = (byte) 0xff;
    return new Net(prefix, 96, "mapped");
  }

  public PublicAddresses(Resolver names) {
    this.names = names;
  }

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    refusal = null;
    List<InetAddress> addresses = names.resolve(host);
    for (InetAddress address : addresses) {
      Optional<String> why = objection(address);
      if (why.isPresent()) {
        refusal = "an address of its host is " + why.get();
        throw new UnknownHostException(refusal);
      }
    }
    return addresses;
  }

  /** Why the last resolution was refused, if it was. */
  public Optional<String> refusal() {
    return Optional.ofNullable(refusal);
  }

  /** Why no connection may be made to an address; empty for a public one. Pure. */
  static Optional<String> objection(InetAddress address) {
    return objection(address.getAddress()).map(what -> kind(address) + " and " + what);
  }

  private static Optional<String> objection(byte[] address) {
    for (Holder holder : HOLDERS) {
      if (holder.net.holds(address)) {
        return objection(Arrays.copyOfRange(address, holder.at, holder.at + 4));
      }
    }
    return REFUSED.stream().filter(net -> net.holds(address)).map(Net::what).findFirst();
  }

  private static String kind(InetAddress address) {
    return switch (address) {
      case Inet4Address _ -> "IPv4";
      case Inet6Address _ -> "IPv6";
      default -> "of a family we do not know";
    };
  }
}
