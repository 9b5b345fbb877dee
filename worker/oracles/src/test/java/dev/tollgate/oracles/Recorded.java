package dev.tollgate.oracles;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A request as it came.
 *
 * @param path as it was encoded
 * @param query as it was encoded, empty if there is none
 * @param headers by lower-case name; repeated ones joined with a comma
 */
record Recorded(
    String method, String path, String query, Map<String, String> headers, String body) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Reads one; empty at the end of the connection. */
  static Optional<Recorded> read(InputStream in) throws IOException {
    String line = line(in);
    if (line.isEmpty()) {
      return Optional.empty();
    }
    String[] parts = line.split(" ", 3);
    Map<String, String> headers = new LinkedHashMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.merge(
          header.substring(0, colon).toLowerCase(Locale.ROOT),
          header.substring(colon + 1).strip(),
          (one, other) -> one + "," + other);
    }
    byte[] body =
        headers.getOrDefault("transfer-encoding", "").equals("chunked")
            ? chunks(in)
            : in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    String[] target = parts[1].split("\\?", 2);
    return Optional.of(
        new Recorded(
            parts[0],
            target[0],
            target.length > 1 ? target[1] : "",
            headers,
            new String(body, StandardCharsets.UTF_8)));
  }

  /** The value of a header, by its lower-case name; empty if it was not sent. */
  String header(String name) {
    return headers.getOrDefault(name, "");
  }

  /** The media type alone. */
  String mediaType() {
    return header("content-type").split(";", 2)[0].strip();
  }

  /** The first word of the proof of who asks, such as Bearer. */
  String scheme() {
    return header("authorization").split(" ", 2)[0];
  }

  /** Names of headers, but for the connection's, that another request does without. */
  Set<String> headersBeyond(Recorded other) {
    Set<String> names = new TreeSet<>(headers.keySet());
    names.removeAll(other.headers.keySet());
    names.remove("connection");
    return names;
  }

  /** Query parameters in the order of their names. */
  Set<String> parameters() {
    return new TreeSet<>(Arrays.asList(query.split("&", -1)));
  }

  JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + body, e);
    }
  }

  static JsonNode json(String text) {
    return new Recorded("", "", "", Map.of(), text).json();
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = size(in); size > 0; size = size(in)) {
      body.write(in.readNBytes(size));
      line(in);
    }
    line(in);
    return body.toByteArray();
  }

  private static int size(InputStream in) throws IOException {
    return Integer.parseInt(line(in).split(";", 2)[0], 16);
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      line.write(b);
    }
    return line.toString(StandardCharsets.ISO_8859_1).strip();
  }
}
