package dev.tollgate.worker.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The compare-and-delete script: its text, and the name under which Redis remembers it. Not to be
 * changed.
 */
record ReleaseScript(String text, String sha1) {

  private static final String RESOURCE = "release.lua";

  static ReleaseScript load() {
    try (InputStream in = ReleaseScript.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(
            "the worker's jar lacks " + RESOURCE + "; it was packed wrongly");
      }
      byte[] text = in.readAllBytes();
      // Redis names scripts by SHA-1; nothing about it is a matter of security here
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
      return new ReleaseScript(new String(text, ISO_8859_1), HexFormat.of().formatHex(digest));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java lacks SHA-1", e);
    }
  }
}
