package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tollgate.worker.provider.Credentials;
import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Auth;
import dev.tollgate.worker.provider.descriptor.Descriptor.Call;
import dev.tollgate.worker.provider.descriptor.PathTemplate;
import dev.tollgate.worker.provider.jq.Jq;
import dev.tollgate.worker.provider.spi.RequestSigner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Builds requests from a descriptor. Thread-safe. */
final class Requests {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String BEARER = "Bearer ";
  private static final Pattern HEADER_VALUE = Pattern.compile("[\\x20-\\x7e]{1,4096}");

  private final URI endpoint;
  private final Map<String, String> fixed;
  private final Auth auth;
  private final Optional<RequestSigner> signer;
  private final Credentials credentials;

  Requests(
      Descriptor descriptor,
      URI endpoint,
      Optional<RequestSigner> signer,
      Credentials credentials) {
    this.endpoint = endpoint;
    this.fixed = new TreeMap<>(descriptor.endpoint().headers());
    this.fixed.putIfAbsent("Accept", "application/json");
    this.auth = descriptor.auth();
    this.signer = signer;
    this.credentials = credentials;
  }

  /** A request as it is sent. */
  record Built(
      String method,
      String target,
      Map<String, String> headers,
      Optional<byte[]> body,
      Optional<JsonNode> json) {}

  /** It cannot be built; the message says which part has no value, and holds none. */
  static final class NotBuilt extends Exception {
    private static final long serialVersionUID = 1L;

    NotBuilt(String message) {
      super(message);
    }
  }

  /** Builds a call for an input. */
  Built build(Call call, JsonNode input, Map<String, JsonNode> variables) throws NotBuilt {
    String path =
        endpoint.getRawPath()
            + call.path()
                .fill(input, variables)
                .orElseThrow(() -> new NotBuilt("a part of the path has no usable value"));
    String query = query(call, input, variables);
    Map<String, String> headers = headers(call, input, variables);
    Optional<JsonNode> json = Optional.empty();
    if (call.body().isPresent()) {
      json = call.body().get().one(input, variables);
      if (json.isEmpty()) {
        throw new NotBuilt("the body has no value");
      }
    }
    Optional<byte[]> body = json.map(Requests::bytes);
    body.ifPresent(_ -> headers.put("Content-Type", "application/json"));
    prove(call.method(), path, query, headers, body);
    return new Built(
        call.method(), query.isEmpty() ? path : path + "?" + query, headers, body, json);
  }

  private static String query(Call call, JsonNode input, Map<String, JsonNode> variables) {
    StringBuilder query = new StringBuilder();
    call.query()
        .forEach(
            (name, jq) ->
                jq.all(input, variables).stream()
                    .flatMap(value -> plain(value).stream())
                    .forEach(
                        value ->
                            query
                                .append(query.isEmpty() ? "" : "&")
                                .append(PathTemplate.encoded(name))
                                .append('=')
                                .append(PathTemplate.encoded(value))));
    return query.toString();
  }

  private Map<String, String> headers(Call call, JsonNode input, Map<String, JsonNode> variables)
      throws NotBuilt {
    Map<String, String> headers = new HashMap<>(fixed);
    for (Map.Entry<String, Jq> header : call.headers().entrySet()) {
      Optional<JsonNode> value = header.getValue().one(input, variables);
      if (value.isPresent()) {
        String text = plain(value.get()).orElse("");
        if (!HEADER_VALUE.matcher(text).matches()) {
          throw new NotBuilt("header " + header.getKey() + " has a value that no header may have");
        }
        headers.put(header.getKey(), text);
      }
    }
    return headers;
  }

  /** Adds what proves who asks. */
  private void prove(
      String method, String path, String query, Map<String, String> headers, Optional<byte[]> body)
      throws NotBuilt {
    try {
      switch (auth) {
        case Auth.Headers(var templates) ->
            templates.forEach((name, template) -> headers.put(name, filled(template)));
        case Auth.Signer(String name, var _, var _) -> {
          RequestSigner found =
              signer.orElseThrow(() -> new NotBuilt("there is no signer '" + name + "'"));
          Map<String, String> proof =
              found.sign(
                  new RequestSigner.Request(
                      method, endpoint.getRawAuthority(), path, query, Map.copyOf(headers), body));
          headers.putAll(proof);
          String bearer = proof.getOrDefault("Authorization", "");
          if (bearer.startsWith(BEARER)) {
            credentials.issued(Secret.of(bearer.substring(BEARER.length())));
          }
        }
      }
    } catch (RuntimeException e) {
      // its message could hold what it was to sign with
      throw new NotBuilt("it could not be signed: " + e.getClass().getSimpleName());
    }
  }

  /** What a download carries where the descriptor says that it asks for the credential. */
  Map<String, String> ownDownloadHeaders() {
    Map<String, String> headers = new HashMap<>();
    if (auth instanceof Auth.Headers(var templates)) {
      templates.forEach((name, template) -> headers.put(name, filled(template)));
    }
    return headers;
  }

  private String filled(String template) {
    StringBuilder value = new StringBuilder();
    int from = 0;
    for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', from)) {
      int close = template.indexOf('}', open);
      value.append(template, from, open);
      value.append(credentials.get(template.substring(open + 1, close)).reveal());
      from = close + 1;
    }
    return value.append(template.substring(from)).toString();
  }

  private static Optional<String> plain(JsonNode value) {
    return value.isBoolean() || value.isNumber() ? Optional.of(value.asText()) : Jq.asText(value);
  }

  static byte[] bytes(JsonNode json) {
    try {
      return JSON.writeValueAsBytes(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a tree can be written
    }
  }
}
