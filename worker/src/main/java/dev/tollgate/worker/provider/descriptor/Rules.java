package dev.tollgate.worker.provider.descriptor;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a descriptor must keep besides its shape: promises, secrets, addresses. Stateless. */
final class Rules {
  /**
   * Forms of credentials that are known by their look; one in a descriptor is one in a repository.
   */
  private static final List<Pattern> CREDENTIALS =
      List.of(
          Pattern.compile("(?i)\\b(?:bearer|basic|key|token)\\s+[A-Za-z0-9+/=._~-]{16,}"),
          Pattern.compile("\\b(?:sk|pk|rk|fk|key|api|tok|ghp|xox[a-z])[-_][A-Za-z0-9_-]{16,}"),
          Pattern.compile("\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b"),
          Pattern.compile("\\br8_[A-Za-z0-9]{20,}"),
          Pattern.compile("\\bAIza[0-9A-Za-z_-]{30,}"),
          Pattern.compile("\\beyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}"),
          Pattern.compile("\\bwhsec_[A-Za-z0-9+/=]{16,}"));

  private static final Set<String> CREDENTIAL_HEADERS =
      Set.of("authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie");

  private static final Set<String> CONNECTION_HEADERS =
      Set.of(
          "authorization",
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final Set<Integer> SAYS_MISSING = Set.of(200, 400, 404, 410, 422);
  private static final Set<Integer> SAYS_NOTHING = Set.of(408, 409, 425, 429);

  private static final Pattern IN_BRACES = Pattern.compile("\\{([a-z][a-z0-9-]*)}");

  private Rules() {}

  static void check(Descriptor descriptor, Cursor root) {
    addresses(root);
    headers(root);
    madeUpCodes(root);
    credentials(root);
    if (AuthCheck.isFine(root.at("auth"))) {
      secrets(descriptor, root);
    }
    ownHeaders(descriptor, root);
    reference(descriptor, root);
    root.at("capabilities").elements().forEach(at -> promise(at, root));
    if (descriptor.capabilities().stream().map(Capability::kind).distinct().count()
        < descriptor.capabilities().size()) {
      root.at("capabilities").problem("a capability stands here twice");
    }
    answers(descriptor, root.at("create").at("answers"));
    if (root.at("list").has("next") && !root.at("list").has("paging")) {
      root.at("list").problem("needs its paging: by cursor, or by position");
    }
    if (root.at("create").has("outputs") && !root.at("create").text("id").contains("$key")) {
      root.at("create").at("id").problem("must be $key where the answer is the result");
    }
    long ways =
        Stream.of(
                root.has("status"),
                root.at("create").has("outputs"),
                root.at("create").has("stream"))
            .filter(has -> has)
            .count();
    if (ways != 1) {
      root.problem(
          "needs one of: status, create.outputs where the answer is the result, create.stream");
    }
  }

  private static void addresses(Cursor root) {
    Cursor base = root.at("endpoint").at("base");
    if (base.isPresent() && !base.text().startsWith("https://")) {
      base.problem("must begin with https://: credentials and prompts go there");
    }
    if (base.text().matches(".*[@?#].*")) {
      base.problem("must have no user, query or fragment");
    }
    for (String section : List.of("status", "create")) {
      for (Cursor host : root.at(section).at("outputs").at("hosts").elements()) {
        if (host.text().matches("(?i).*(\\.[0-9]+|localhost|\\.internal|\\.local)$")) {
          host.problem("is no public name");
        }
      }
    }
    for (String section : List.of("status", "find")) {
      Cursor missing = root.at(section).at("missing");
      for (int status : missing.statuses("status")) {
        if (!SAYS_MISSING.contains(status) || (status == 200 && !missing.has("codes"))) {
          missing.problem("status " + status + " alone says nothing of a task");
        }
      }
    }
    for (int status : root.at("cancel").statuses("done")) {
      if (status / 100 != 2) {
        root.at("cancel").at("done").problem("status " + status + " is no success");
      }
    }
  }

  /** Headers that are the connection's, or that prove who asks, are not a request's to set. */
  private static void headers(Cursor root) {
    for (Cursor at :
        List.of(
            root.at("endpoint"),
            root.at("create"),
            root.at("status"),
            root.at("find"),
            root.at("list"),
            root.at("cancel"))) {
      at.at("headers")
          .node()
          .fieldNames()
          .forEachRemaining(
              name -> {
                if (CONNECTION_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                  at.at("headers").at(name).problem("is not a request's to set");
                }
              });
    }
  }

  /** A code that the expression itself makes up tells nothing that the status does not. */
  private static void madeUpCodes(Cursor root) {
    String expression = root.at("create").text("error-code");
    for (Cursor answer : root.at("create").at("answers").elements()) {
      boolean speaks =
          answer.statuses("status").stream()
              .allMatch(status -> status / 100 == 4 && !SAYS_NOTHING.contains(status));
      boolean claims = !Set.of("undecided", "key-in-use").contains(answer.text("means"));
      for (String code : answer.texts("codes")) {
        if (claims && !speaks && expression.contains("\"" + code + "\"")) {
          answer.problem("code '" + code + "' is made up by error-code: it proves nothing here");
        }
      }
    }
  }

  private static void credentials(Cursor at) {
    JsonNode node = at.node();
    if (node.isObject()) {
      at.fields(
          field -> {
            credentials(field);
            return field;
          });
    } else if (node.isArray()) {
      at.elements().forEach(Rules::credentials);
    } else if (node.isTextual() && looksLikeCredential(at.text())) {
      at.problem("looks like a credential: name a secret in its place; " + AuthCheck.WHERE);
    }
  }

  static boolean looksLikeCredential(String text) {
    return CREDENTIALS.stream().anyMatch(form -> form.matcher(text).find());
  }

  /** Secrets that are used are declared, and those declared are used. */
  private static void secrets(Descriptor descriptor, Cursor root) {
    Set<String> used = new HashSet<>();
    if (descriptor.auth() instanceof Descriptor.Auth.Headers(var templates)) {
      templates.values().forEach(template -> used.addAll(named(template)));
    } else if (descriptor.auth() instanceof Descriptor.Auth.Signer signer) {
      used.addAll(signer.secrets().values());
    }
    for (String name : used) {
      if (!descriptor.secrets().contains(name) && !descriptor.optionalSecrets().contains(name)) {
        root.at("auth").problem("there is no secret '" + name + "' in secrets");
      }
    }
    String scheme = descriptor.webhook().map(w -> w.verify().path("scheme").asText()).orElse("");
    if (scheme.equals("standard-webhooks") || scheme.equals("hmac-sha256")) {
      used.addAll(Descriptor.Webhook.SECRETS);
    }
    Set<String> declared = new HashSet<>(descriptor.secrets());
    declared.addAll(descriptor.optionalSecrets());
    for (String name : declared) {
      if (!used.contains(name)) {
        root.at("secrets").problem("secret '" + name + "' is not used in auth, nor a webhook's");
      }
    }
  }

  /**
   * What nobody signed is taken at a callback's address alone, which names the operation itself.
   */
  private static void reference(Descriptor descriptor, Cursor root) {
    descriptor
        .webhook()
        .filter(webhook -> webhook.reference().isPresent())
        .filter(webhook -> webhook.verify().path("scheme").asText().equals("none"))
        .ifPresent(
            _ ->
                root.at("webhook")
                    .at("reference")
                    .problem("is of no use with scheme none: the event has to be signed"));
  }

  private static void ownHeaders(Descriptor descriptor, Cursor root) {
    for (String header : descriptor.endpoint().headers().keySet()) {
      if (CREDENTIAL_HEADERS.contains(header.toLowerCase(Locale.ROOT))) {
        root.at("endpoint").at("headers").at(header).problem("credentials belong into auth");
      }
    }
  }

  static Set<String> named(String template) {
    Set<String> names = new HashSet<>();
    Matcher matcher = IN_BRACES.matcher(template);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  private static void promise(Cursor at, Cursor root) {
    String kind = at.text("kind");
    if (!kind.equals("none") && !at.has("source")) {
      at.problem("'" + kind + "' needs the source that promises it");
    }
    if (!kind.equals("none") && !at.text("source").equals("operator") && !at.has("read")) {
      at.problem("'" + kind + "' needs the day on which its source was read");
    }
    switch (kind) {
      case "idempotent-create" -> {
        if (!at.has("retention")) {
          at.problem("needs its retention, or 'unpublished'");
        }
        sent(at, root, "$key");
      }
      case "unique-client-reference" -> sent(at, root, "$key");
      case "lookup-by-reference" -> {
        needs(at, root, "find");
        if (!root.at("find").at("task").has("reference")) {
          at.problem("needs find.task.reference: who else's task it could be");
        }
        sent(at, root, "$key");
      }
      case "echoed-reference" -> {
        needs(at, root, "list");
        if (!root.at("list").at("task").has("reference")) {
          at.problem("needs list.task.reference");
        }
        sent(at, root, "$key", "$callback");
      }
      case "list-by-time" -> {
        needs(at, root, "list");
        if (root.at("list").at("task").has("input") != root.has("compare")) {
          at.problem("needs both list.task.input and compare, or neither");
        }
        if (!root.at("list").at("task").has("created")) {
          at.problem("needs list.task.created");
        }
      }
      case "callback-per-request" -> sent(at, root, "$callback");
      default -> {}
    }
  }

  private static void needs(Cursor at, Cursor root, String section) {
    if (!root.has(section)) {
      at.problem("needs the section '" + section + "'");
    }
  }

  /** A promise about something that the create does not carry is none. */
  private static void sent(Cursor at, Cursor root, String... variables) {
    Cursor create = root.at("create");
    String asking =
        create.text("path")
            + create.text("body")
            + create.at("query").node()
            + create.at("headers").node();
    String spoken = asking.replaceAll("#[^\\n\\r]*", ""); // a comment carries nothing
    for (String variable : variables) {
      if (spoken.contains(variable)) {
        return;
      }
    }
    at.problem("the create does not carry " + String.join(" or ", variables));
  }

  /** A rule behind one that already says all of it would never count. */
  private static void answers(Descriptor descriptor, Cursor at) {
    List<Descriptor.Documented> answers = descriptor.create().answers();
    for (int i = 0; i < answers.size(); i++) {
      for (int j = 0; j < i; j++) {
        var earlier = answers.get(j).rule();
        var later = answers.get(i).rule();
        boolean statuses =
            earlier.statuses().containsAll(later.statuses()) && !later.statuses().isEmpty();
        boolean codes =
            earlier.codes().isEmpty()
                || (!later.codes().isEmpty() && earlier.codes().containsAll(later.codes()));
        if (statuses && codes) {
          at.elements().get(i).problem("never counts: answers[" + j + "] says it already");
        }
      }
    }
  }
}
