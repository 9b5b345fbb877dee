package dev.tollgate.loadtest.sandbox;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** One create request as it was understood. Immutable. */
public final class CreateRequest {
  private final Kind kind;
  private final long n;
  private final @Nullable String key;
  private final @Nullable String reference;
  private final @Nullable String inputJson;
  private final @Nullable URI callback;
  private final String bodySha256;
  private final List<Fault> script;

  /** Why nothing could be made of it; null when it can be served. */
  final @Nullable HttpAnswer refusal;

  private CreateRequest(
      Kind kind, long n, @Nullable String key, String bodySha256, Body body, boolean authorized) {
    this.kind = kind;
    this.n = n;
    this.key = key;
    this.bodySha256 = bodySha256;
    this.reference = body.reference;
    this.inputJson = body.inputJson;
    this.callback = body.callback;
    this.script = List.copyOf(body.script);
    this.refusal = refusal(kind, key, body, authorized);
  }

  static CreateRequest of(Kind kind, long n, HttpRequest request, boolean authorized) {
    String key = kind == Kind.KEYED ? unquoted(request.headers.idempotencyKey) : null;
    return new CreateRequest(
        kind, n, key, sha256(request.body), Body.parse(kind, request.body), authorized);
  }

  private static @Nullable HttpAnswer refusal(
      Kind kind, @Nullable String key, Body body, boolean authorized) {
    if (!authorized) {
      return HttpAnswer.error(401, "unauthorized", "a valid bearer token is needed");
    }
    if (body.error != null) {
      return HttpAnswer.error(400, "invalid_request", body.error);
    }
    if (kind == Kind.KEYED && key == null) {
      return HttpAnswer.error(
          400, "idempotency_key_invalid", "Idempotency-Key must be a quoted string");
    }
    return null;
  }

  /** A structured-field string of plain printable ASCII, without its quotes; null otherwise. */
  private static @Nullable String unquoted(@Nullable String header) {
    if (header == null || header.length() < 3 || header.length() > 257) {
      return null;
    }
    int last = header.length() - 1;
    boolean plain = header.charAt(0) == '"' && header.charAt(last) == '"';
    for (int i = 1; i < last; i++) {
      char c = header.charAt(i);
      plain &= c >= ' ' && c <= '~' && c != '"' && c != '\\';
    }
    return plain ? header.substring(1, last) : null;
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Which provider it came to. */
  public Kind kind() {
    return kind;
  }

  /** Its number in the ledger, over all kinds. */
  public long n() {
    return n;
  }

  /** The idempotency key without quotes; keyed kind only. */
  public @Nullable String key() {
    return key;
  }

  /** The client reference in the body. */
  public @Nullable String reference() {
    return reference;
  }

  /**
   * The {@code input} as sent, of a text its canonical string (line breaks between its tokens
   * become spaces).
   */
  public @Nullable String inputJson() {
    return inputJson;
  }

  /** Where its task is to be reported. */
  public @Nullable URI callback() {
    return callback;
  }

  /** Hex digest of the whole body. */
  public String bodySha256() {
    return bodySha256;
  }

  List<Fault> script() {
    return script;
  }

  /** What the body says. Confined to the parse. */
  private static final class Body {
    @Nullable String reference;
    @Nullable String inputJson;
    @Nullable URI callback;
    @Nullable String error;
    boolean stream;
    List<Fault> script = List.of();

    static Body parse(Kind kind, byte[] bytes) {
      Body body = new Body();
      try (JsonParser parser = Json.MAPPER.createParser(bytes)) {
        body.read(parser, bytes);
        if (body.error == null && body.inputJson == null) {
          body.error = "input is missing";
        }
        if (body.error == null && kind == Kind.TEXT && !body.stream) {
          body.error = "only streams are served";
        }
      } catch (JacksonException e) {
        body.error = "not JSON: " + e.getOriginalMessage();
      } catch (IllegalArgumentException e) {
        body.error = e.getMessage();
      }
      return body;
    }

    private void read(JsonParser parser, byte[] bytes) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("the body is not an object");
      }
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        JsonToken value = parser.nextToken();
        if (name.equals("input") && value == JsonToken.START_OBJECT) {
          readInput(parser, bytes);
        } else if (name.equals("input") && value == JsonToken.VALUE_STRING) {
          inputJson = Json.quoted(parser.getString());
        } else if (name.equals("stream")) {
          stream = value == JsonToken.VALUE_TRUE;
        } else if (name.equals("sandbox_script") && value == JsonToken.START_ARRAY) {
          script = readScript(parser); // beside an input that is a string
        } else if (name.equals("client_reference") && value == JsonToken.VALUE_STRING) {
          reference = parser.getString();
        } else if (name.equals("callback_url") && value == JsonToken.VALUE_STRING) {
          callback = URI.create(parser.getString());
          if (!Reporting.isAddress(callback)) {
            throw new IllegalArgumentException("callback_url is not an address of http");
          }
        } else {
          parser.skipChildren();
        }
      }
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("more than one JSON value");
      }
    }

    private void readInput(JsonParser parser, byte[] bytes) {
      long from = parser.currentTokenLocation().getByteOffset();
      for (String name = parser.nextName(); name != null; name = parser.nextName()) {
        JsonToken value = parser.nextToken();
        if (name.equals("sandbox_script") && value == JsonToken.START_ARRAY) {
          script = readScript(parser);
        } else {
          parser.skipChildren();
        }
      }
      long to = parser.currentLocation().getByteOffset();
      if (from < 0 || to <= from) {
        throw new IllegalArgumentException("the body is not in UTF-8");
      }
      // line breaks can only stand between tokens; the ledger has one line per request
      inputJson =
          new String(bytes, (int) from, (int) (to - from), StandardCharsets.UTF_8)
              .replace('\n', ' ')
              .replace('\r', ' ');
    }

    private static List<Fault> readScript(JsonParser parser) {
      List<Fault> faults = new ArrayList<>();
      while (parser.nextToken() == JsonToken.VALUE_STRING) {
        faults.add(Fault.parse(parser.getString()));
      }
      if (parser.currentToken() != JsonToken.END_ARRAY) {
        throw new IllegalArgumentException("sandbox_script is not a list of fault names");
      }
      return faults;
    }
  }
}
