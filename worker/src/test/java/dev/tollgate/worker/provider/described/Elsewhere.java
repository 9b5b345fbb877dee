package dev.tollgate.worker.provider.described;

import java.util.List;

/**
 * Section 10 of the faults, "SSRF by output URL": addresses that lead somewhere else than they
 * should, and their neighbours. {@code PORT} is the only port that hosts may have. The last seven
 * are of an allowed host: at another port or over another scheme, or resolved to an address that is
 * not public.
 */
final class Elsewhere {
  static final List<String> ADDRESSES =
      List.of(
          "http://169.254.169.254/",
          "http://[::ffff:169.254.169.254]/",
          "http://2130706433/",
          "http://0177.0.0.1/",
          "http://127.1/",
          "http://0/",
          "http://[::1]/",
          "http://0x7f000001/",
          "http://017700000001/",
          "http://[::]/",
          "http://[64:ff9b::7f00:1]/",
          "https://127.0.0.1:PORT/",
          "https://[::ffff:127.0.0.1]:PORT/",
          "https://2130706433:PORT/",
          "https://other.example:PORT/",
          "https://cdn.example.other.example:PORT/",
          "https://xcdn.example:PORT/",
          "https://cdn.example@other.example:PORT/",
          "https://ok@cdn.example:PORT/",
          "https://endpoint.example:PORT/",
          "https://xn--dn-jlc.example:PORT/",
          "https://\u0441dn.example:PORT/",
          "https://cdn\u3002example:PORT/",
          "https://[fd00:ec2::254]:PORT/",
          "file:///etc/passwd",
          "file://cdn.example/etc/passwd",
          "jar:https://cdn.example!/x",
          "gopher://cdn.example:PORT/",
          "ftp://cdn.example:PORT/",
          "//cdn.example:PORT/",
          "/etc/passwd",
          "cdn.example",
          "http://cdn.example:PORT/",
          "https://cdn.example:6379/",
          "https://cdn.example:5432/",
          "https://cdn.example:9092/",
          "https://cdn.example/",
          "https://cdn.example:PORT/",
          "https://CDN.example:PORT/",
          "https://a.b.cdn.example:PORT/",
          "https://localtest.test:PORT/",
          "https://cdn.example:PORT#@other.example/");

  private Elsewhere() {}
}
