package dev.tollgate.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PublicAddressesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "fc00::1",
        "fdff::1",
        "ff02::1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "2001::1",
        "100::1"
      })
  void address_thatIsNotPublic_isRefused(String address) {
    assertThat(PublicAddresses.objection(InetAddress.ofLiteral(address))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "203.0.113.5",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450::1",
        "64:ff9b::101:101",
        "2002:101:101::"
      })
  void publicAddress_isNot(String address) {
    assertThat(PublicAddresses.objection(InetAddress.ofLiteral(address))).isEmpty();
  }

  /** The JDK reads such an address as one of the other family; a resolver may not. */
  @Test
  void mappedAddress_isWhatItMaps() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = mapped[11] = (byte) 0xff;
    mapped[12] = (byte) 169;
    mapped[13] = (byte) 254;
    InetAddress address = Inet6Address.getByAddress("x", mapped, 0);
    assertThat(address.getAddress()).hasSize(16);
    assertThat(PublicAddresses.objection(address)).isPresent();
  }

  @Test
  void host_withOnePrivateAddress_isRefusedAsAWhole() throws UnknownHostException {
    InetAddress open = InetAddress.ofLiteral("203.0.113.5");
    PublicAddresses some =
        new PublicAddresses(_ -> List.of(open, InetAddress.ofLiteral("10.1.2.3")));
    assertThatThrownBy(() -> some.resolve("both.example")).isInstanceOf(UnknownHostException.class);
    assertThat(some.refusal()).contains("an address of its host is IPv4 and private");
    PublicAddresses one = new PublicAddresses(_ -> List.of(open));
    assertThat(one.resolve("one.example")).containsExactly(open);
    assertThat(one.refusal()).isEmpty();
  }
}
