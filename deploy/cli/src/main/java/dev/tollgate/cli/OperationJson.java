package dev.tollgate.cli;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.config.Money;
import dev.tollgate.schema.event.Retry;
import dev.tollgate.schema.store.OperationDetails;
import dev.tollgate.schema.store.OperationSummary;
import dev.tollgate.schema.store.StoredOutput;
import dev.tollgate.worker.provider.Recourse;
import dev.tollgate.worker.send.Sender;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.util.RawValue;

/**
 * Operations as JSON objects: names with underscores, times in RFC 3339, bytes in hexadecimal; what
 * does not apply is null. Parameters and bodies are left out unless asked for, since they may hold
 * what a producer would not want shown; submission keys always are.
 */
final class OperationJson {
  private OperationJson() {}

  static Map<String, @Nullable Object> summary(OperationSummary operation) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("key", operation.key().toString());
    json.put("state", operation.state().word());
    json.put("reason", name(operation.reason()));
    json.put("review", name(operation.review()));
    json.put("provider", operation.provider());
    json.put("remote_id", operation.remoteId());
    json.put("attempts", operation.attempts());
    json.put("looks", operation.looks());
    json.put("fence", operation.fence());
    json.put("version", operation.version());
    json.put("created_at", time(operation.createdAt()));
    json.put("changed_at", time(operation.changedAt()));
    json.put("lease_until", time(operation.leaseUntil()));
    OperationSummary.Next next = operation.next();
    json.put("next", next == null ? null : next.role());
    json.put("next_at", next == null ? null : time(next.at()));
    return json;
  }

  /**
   * @param limits of attempts and of generations
   * @param contents whether parameters and bodies are shown
   */
  static Map<String, @Nullable Object> details(
      OperationDetails details, Limits limits, boolean contents) {
    Map<String, @Nullable Object> json = summary(details.summary());
    OperationDetails.Intent intent = details.intent();
    json.put("dimensions", new RawValue(intent.dimensions()));
    generations(json, details, limits);
    json.put("request_hash", hex(intent.requestHash()));
    json.put("deadline", time(intent.deadline()));
    json.put("reference", Sender.submissionKey(intent.submissionKey()));
    json.put("production_task", intent.productionTask());
    json.put("producer", intent.producer());
    Long price = intent.price();
    json.put("price", price == null ? null : new Money(price).toString());
    json.put("source_partition", intent.sourcePartition());
    json.put("source_offset", intent.sourceOffset());
    if (contents) {
      json.put("params", new RawValue(new String(intent.params(), StandardCharsets.UTF_8)));
    }
    StoredOutput output = details.output();
    json.put("output", output == null ? null : output(output, details.outputStoredAt()));
    json.put("attempt_list", details.attempts().stream().map(OperationJson::attempt).toList());
    List<Map<String, @Nullable Object>> evidence =
        details.evidence().stream().map(seen -> evidence(seen, contents)).toList();
    json.put("evidence", evidence);
    json.put("evidence_count", details.evidenceCount());
    return json;
  }

  private static void generations(
      Map<String, @Nullable Object> json, OperationDetails details, Limits limits) {
    Retry retry = details.intent().retry();
    json.put("attempts_max", limits.attempts());
    json.put("generation", details.intent().generation());
    json.put("generations_max", limits.generations());
    json.put("generations_policy_max", limits.policy());
    json.put("retry_of", retry == null ? null : retry.of().toString());
    json.put("retry_by", retry == null ? null : retry.by());
    json.put("retry_why", retry == null ? null : retry.why());
    json.put(
        "generation_list", details.generations().stream().map(OperationJson::generation).toList());
  }

  private static Map<String, @Nullable Object> generation(OperationDetails.Generation generation) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("generation", generation.number());
    json.put("key", generation.key().toString());
    json.put("state", generation.state().word());
    return json;
  }

  private static Map<String, @Nullable Object> output(StoredOutput output, @Nullable Instant at) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("address", output.address());
    json.put("sha256", hex(output.sha256()));
    json.put("length", output.length());
    json.put("content_type", output.contentType());
    json.put("stored_at", time(at));
    return json;
  }

  private static Map<String, @Nullable Object> attempt(OperationDetails.Attempt attempt) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("fence", attempt.fence());
    json.put("claim", attempt.claim().toString());
    json.put("owner", attempt.owner());
    json.put("began_at", time(attempt.beganAt()));
    json.put("send_deadline", time(attempt.sendDeadline()));
    json.put("absent_after", time(attempt.absentAfter()));
    json.put("carried", Recourse.words(attempt.carried()));
    return json;
  }

  private static Map<String, @Nullable Object> evidence(
      OperationDetails.Seen seen, boolean contents) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("at", time(seen.at()));
    json.put("fence", seen.fence());
    json.put("source", seen.source());
    json.put("code", seen.code().name());
    json.put("status", seen.status());
    json.put("remote_id", seen.remoteId());
    json.put("note", seen.note());
    byte[] body = seen.body();
    json.put("body_bytes", body == null ? null : body.length);
    json.put("truncated", seen.truncated());
    if (contents) {
      json.put("headers", seen.headers());
      json.put("body", body == null ? null : Shown.bytes(body));
    }
    return json;
  }

  private static @Nullable String name(@Nullable Code code) {
    return code == null ? null : code.name();
  }

  private static @Nullable String time(@Nullable Instant at) {
    return at == null ? null : at.toString();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
