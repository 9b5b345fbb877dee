package dev.tollgate.oracles;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * AWS Signature Version 4 as a service verifies it, written from its documentation and sharing no
 * code with a signer.
 *
 * @param scope date, region, service and the word that ends it
 * @param signedHeaders lower-case names in order
 */
record SigV4(String accessKey, String scope, List<String> signedHeaders, String signature) {
  private static final Pattern HEADER =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=([^/]+)/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\\w+)");

  /** The parts of a request's proof. */
  static SigV4 of(Recorded request) {
    Matcher matcher = HEADER.matcher(request.header("authorization"));
    if (!matcher.matches()) {
      throw new AssertionError("no signature: " + request.header("authorization"));
    }
    return new SigV4(
        matcher.group(1),
        matcher.group(2),
        List.of(matcher.group(3).split(";", -1)),
        matcher.group(4));
  }

  /** The signature that a request has to have. */
  String expected(Recorded request, String secretKey) throws GeneralSecurityException {
    String canonical =
        String.join(
            "\n",
            request.method(),
            path(request.path()),
            query(request.query()),
            signedHeaders.stream()
                .map(name -> name + ":" + request.header(name).replaceAll(" +", " ") + "\n")
                .collect(Collectors.joining()),
            String.join(";", signedHeaders),
            sha256(request.body()));
    String toSign =
        String.join(
            "\n", "AWS4-HMAC-SHA256", request.header("x-amz-date"), scope, sha256(canonical));
    byte[] key = ("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8);
    for (String part : scope.split("/", -1)) {
      key = hmac(key, part);
    }
    return HexFormat.of().formatHex(hmac(key, toSign));
  }

  /** Each segment is encoded once more: every service but S3 wants that. */
  private static String path(String sent) {
    return Arrays.stream(sent.split("/", -1)).map(SigV4::encoded).collect(Collectors.joining("/"));
  }

  private static String query(String sent) {
    return Arrays.stream(sent.split("&", -1)).sorted().collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  private static String sha256(String text) throws GeneralSecurityException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }
}
