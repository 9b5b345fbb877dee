package dev.tollgate.schema.key;

import java.nio.charset.StandardCharsets;

/**
 * What was asked for: SHA-256 over the canonical JSON of {@code {"params":...,"provider":...}}. Two
 * requests with one operation key must have one request hash.
 *
 * @param digest the SHA-256
 */
public record RequestHash(Sha256 digest) implements Comparable<RequestHash> {

  /** The hash of a request to this provider (an accepted provider name) with these parameters. */
  public static RequestHash of(String provider, Params params) {
    return new RequestHash(
        Sha256.of(canonicalJson(provider, params).getBytes(StandardCharsets.UTF_8)));
  }

  /** What is hashed. The members are in canonical order, and a provider's name needs no escapes. */
  static String canonicalJson(String provider, Params params) {
    return "{\"params\":"
        + params.text()
        + ",\"provider\":\""
        + ProviderName.check(provider)
        + "\"}";
  }

  /** The hash from its 32 bytes. */
  public static RequestHash fromBytes(byte[] bytes) {
    return new RequestHash(Sha256.fromBytes(bytes));
  }

  /** The hash from its 64 hexadecimal digits. */
  public static RequestHash parse(String hex) {
    return new RequestHash(Sha256.parse(hex));
  }

  /** The 32 bytes, in a new array. */
  public byte[] bytes() {
    return digest.bytes();
  }

  @Override
  public int compareTo(RequestHash other) {
    return digest.compareTo(other.digest);
  }

  /** 64 lower-case hexadecimal digits. */
  @Override
  public String toString() {
    return digest.toString();
  }
}
