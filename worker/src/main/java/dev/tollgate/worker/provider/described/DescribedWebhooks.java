package dev.tollgate.worker.provider.described;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tollgate.schema.store.Evidence;
import dev.tollgate.worker.provider.Bytes;
import dev.tollgate.worker.provider.Credentials;
import dev.tollgate.worker.provider.Secret;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.WebhookReader;
import dev.tollgate.worker.provider.WebhookResult;
import dev.tollgate.worker.provider.descriptor.Descriptor;
import dev.tollgate.worker.provider.descriptor.Descriptor.Webhook;
import dev.tollgate.worker.provider.signature.SignatureCheck;
import dev.tollgate.worker.provider.signature.SignatureCheck.Outcome;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Reads the webhooks that a descriptor describes. Thread-safe. */
final class DescribedWebhooks implements WebhookReader {
  private static final Predicate<String> EVENT_ID =
      Pattern.compile("[!-~]{1,256}").asMatchPredicate();

  private final Webhook webhook;
  private final Map<String, TaskState> words;
  private final Map<String, JsonNode> base;
  private final Credentials credentials;
  private final Optional<SignatureCheck> check;

  /**
   * @param check of signatures, where the descriptor has a scheme and the operator its secret
   */
  DescribedWebhooks(
      Descriptor descriptor,
      Webhook webhook,
      Map<String, JsonNode> base,
      Credentials credentials,
      Optional<SignatureCheck> check) {
    this.webhook = webhook;
    this.words = descriptor.status().map(Descriptor.Status::words).orElse(Map.of());
    this.base = base;
    this.credentials = credentials;
    this.check = check;
  }

  /** The secrets under which one provider signs: one, and another while they are changed. */
  static List<Secret> secrets(Credentials credentials) {
    return Webhook.SECRETS.stream().flatMap(name -> credentials.find(name).stream()).toList();
  }

  @Override
  public WebhookResult read(Map<String, String> headers, byte[] body, Instant now) {
    Optional<Outcome> outcome = check.map(c -> c.check(headers, body, now));
    if (outcome.isPresent()) {
      switch (outcome.get()) {
        case Outcome.Genuine _ -> {}
        case Outcome.Forged(String reason) -> {
          return new WebhookResult.Forged(reason);
        }
        case Outcome.CannotTell(String reason) -> {
          return new WebhookResult.CannotTell(reason);
        }
      }
    }
    Optional<JsonNode> json = PartialJson.whole(body);
    if (json.isEmpty() || !json.get().isObject()) {
      return new WebhookResult.Malformed("the body is no JSON object, or has a name twice");
    }
    return read(json.get(), headers, body, check.isPresent());
  }

  @Override
  public boolean namesReferences() {
    return webhook.reference().isPresent();
  }

  private WebhookResult read(
      JsonNode json, Map<String, String> headers, byte[] body, boolean signed) {
    Map<String, JsonNode> variables = new HashMap<>(base);
    ObjectNode given = JsonNodeFactory.instance.objectNode();
    headers.forEach(given::put);
    variables.put("headers", given);
    Optional<JsonNode> challenge = webhook.challenge().flatMap(jq -> jq.one(json, variables));
    if (challenge.isPresent() && !challenge.get().isNull()) {
      return new WebhookResult.Challenge(Bytes.utf8(challenge.get().toString()));
    }
    if (webhook.ours().isPresent()
        && webhook.ours().get().one(json, variables).filter(BooleanNode.TRUE::equals).isEmpty()) {
      return new WebhookResult.Forged("it is about another account");
    }
    Optional<String> remoteId = webhook.id().text(json, variables).filter(EVENT_ID);
    Optional<String> named = webhook.event().flatMap(jq -> jq.text(json, variables));
    if (named.isPresent() && !EVENT_ID.test(named.get())) {
      return new WebhookResult.Malformed("its id is not 1 to 256 printable characters");
    }
    byte[] kept = credentials.redactor().redact(body, false);
    boolean truncated = kept.length > Evidence.BODY_CAP;
    return new WebhookResult.Report(
        credentials.redactor().redact(named.orElseGet(() -> idOf(body))),
        webhook.reference().flatMap(jq -> jq.text(json, variables)),
        remoteId.map(credentials.redactor()::redact),
        webhook.word().flatMap(jq -> jq.text(json, variables)).map(words::get),
        signed,
        Bytes.copyOf(truncated ? Arrays.copyOf(kept, Evidence.BODY_CAP) : kept),
        truncated);
  }

  /** Where a provider gives its events no ids, the same bytes are the same event. */
  private static String idOf(byte[] body) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update("body\n".getBytes(StandardCharsets.US_ASCII));
      return "sha256:" + HexFormat.of().formatHex(sha256.digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
