package dev.tollgate.worker.provider.descriptor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tollgate.worker.provider.AnswerRule;
import dev.tollgate.worker.provider.TaskState;
import dev.tollgate.worker.provider.jq.Jq;
import java.net.URI;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A provider as its descriptor describes it: checked, compiled, immutable. What each part means is
 * in the JSON Schema beside the descriptors, which editors show; here is its shape in Java.
 *
 * @param name the descriptor's name
 * @param title the provider's name for people
 * @param read the day on which the documents were read
 * @param settings what the operator has to, or may, set
 * @param secrets the credentials that calls need, by the names that the configuration gives them
 * @param optionalSecrets credentials that calls use where they are given
 * @param status how a task is asked about; absent where the answer to the create is the result
 * @param params the JSON Schema of the parameters that requests may have; absent: an object
 * @param compare what of a request a task of the list has to show, for {@link Listing}
 * @param wire digest of how creates look and how they are looked for: two that differ may not find
 *     each other's tasks
 * @param examples as they stand; {@code providers check} runs them
 */
public record Descriptor(
    String name,
    String title,
    LocalDate read,
    List<URI> documents,
    Map<String, Setting> settings,
    Set<String> secrets,
    Set<String> optionalSecrets,
    Endpoint endpoint,
    Auth auth,
    Optional<JsonNode> params,
    Create create,
    Optional<Status> status,
    Optional<Search> find,
    Optional<Listing> list,
    Optional<Jq> compare,
    Optional<Cancel> cancel,
    Optional<Webhook> webhook,
    List<Capability> capabilities,
    Limits limits,
    Timing timing,
    String wire,
    JsonNode examples) {

  /**
   * Something that the operator sets: a region, a project, a path.
   *
   * @param ofPlace whether it says where creates go, so that whoever has another value is another
   *     place, and cannot be asked about what was sent to this one
   */
  public record Setting(
      String about, Optional<String> otherwise, String pattern, boolean ofPlace) {}

  /** Where the provider is; {@code base} may be left to the operator. */
  public record Endpoint(Optional<PathTemplate> base, boolean http2, Map<String, String> headers) {}

  /** How calls prove who makes them. */
  public sealed interface Auth {
    /** Headers whose values name secrets in braces. */
    record Headers(Map<String, String> templates) implements Auth {}

    /** A signer, by its name; its settings may name secrets in braces too. */
    record Signer(String name, Map<String, PathTemplate> settings, Map<String, String> secrets)
        implements Auth {}
  }

  /** How one request is built. A query parameter or header without a value is left out. */
  public record Call(
      String method,
      PathTemplate path,
      Map<String, Jq> query,
      Map<String, Jq> headers,
      Optional<Jq> body) {}

  /**
   * How a task is created, and what its answers say.
   *
   * @param acceptedWhen what has to be true of a 2xx answer that names a task
   * @param errorCode the code of an error in the provider's own shape; no value: another shape
   * @param outputs where outputs are in the answer, where it is the result itself
   */
  public record Create(
      Call call,
      Jq id,
      Optional<Jq> acceptedWhen,
      Jq errorCode,
      List<Documented> answers,
      Optional<Outputs> outputs,
      Optional<Stream> stream) {}

  /**
   * How the answer to a create is read where it is a stream of events that are JSON each.
   *
   * @param text the text in an event
   * @param done what the last event holds, where it is no JSON
   * @param word the provider's word in an event that says how the task stands
   * @param note what is to be kept of how it ended
   * @param cursor the provider's number of an event; an event without one is not part of the output
   * @param consecutive whether each number is one greater than the one before
   * @param resume how a stream that was cut is read on; its variables are id and cursor
   * @param idle how long the provider may be silent
   */
  public record Stream(
      Jq text,
      Optional<String> done,
      Optional<Jq> word,
      Map<String, Word> words,
      Optional<Jq> note,
      Optional<Jq> cursor,
      boolean consecutive,
      Optional<Call> resume,
      Optional<Missing> missing,
      Duration idle) {
    /** What a word says; all but the last end the stream for good. */
    public enum Word {
      SUCCEEDED,
      FAILED,
      CANCELLED,
      BROKEN
    }
  }

  /** A rule with the document it is from. */
  public record Documented(AnswerRule rule, URI source) {}

  /** When an answer says that there is no such task. */
  public record Missing(Set<Integer> statuses, Set<String> codes) {}

  /**
   * How a task is asked about.
   *
   * @param id the id in the answer, to be the one that was asked about
   * @param word the provider's word for its state
   */
  public record Status(
      Call call,
      Optional<Jq> id,
      Jq word,
      Map<String, TaskState> words,
      Optional<Missing> missing,
      Optional<Jq> errorCode,
      Optional<Jq> errorMessage,
      Outputs outputs,
      Optional<Many> many) {}

  /**
   * How many tasks are asked about in one call.
   *
   * @param tasks one value for each task, to be read as the answer of the usual call
   * @param id of the task that such a value is about
   * @param most ids in one call
   * @param documented whether the provider's documents have it, or the operator has to say so
   */
  public record Many(Call call, Jq tasks, Jq id, int most, boolean documented) {}

  /**
   * Where outputs are.
   *
   * @param from addresses, or objects with {@code url, sha256, length, content_type}; in the answer
   *     to a create also {@code base64} in place of the address
   * @param call the call whose answer has them, if it is not the status call
   * @param hosts hosts (with a leading dot: their subdomains) besides the endpoint's own
   * @param credentialBelow paths below the endpoint whose downloads carry the credential
   */
  public record Outputs(
      Jq from, Optional<Call> call, List<String> hosts, List<String> credentialBelow) {}

  /** What a listed task shows. */
  public record Listed(
      Jq tasks, Jq id, Optional<Jq> created, Optional<Jq> reference, Optional<Jq> input) {}

  /**
   * How tasks are found by the reference that the create carried.
   *
   * @param keeps how long a task is found; absent: not documented
   */
  public record Search(
      Call call, Listed listed, Optional<Missing> missing, Optional<Duration> keeps) {}

  /**
   * How tasks are listed.
   *
   * @param next the cursor of the next page; no value: there is none
   * @param filtersByTime whether the provider takes the span; else every task within it is looked
   *     for page by page
   * @param byPosition whether pages are cut by position (a number, an offset), so that they move
   * @param newestFirst whether the order is documented as newest first
   * @param keeps how long a task stays in the list; absent: not documented
   * @param total how many tasks there are in all, as each page says
   * @param complete whether a page shows all it should; absent: always
   */
  public record Listing(
      Call call,
      Listed listed,
      Jq next,
      boolean filtersByTime,
      boolean byPosition,
      boolean newestFirst,
      Optional<Duration> keeps,
      Optional<Jq> complete,
      Optional<Jq> total) {}

  /** How a task is cancelled. */
  public record Cancel(Call call, Set<Integer> done, Set<Integer> tooLate) {}

  /**
   * What a webhook says. Its signature is another matter: {@code verify} describes it.
   *
   * @param reference the key that the create carried, where the event names it again
   * @param ours whether it is about our account, where signatures only prove whose service it is
   * @param challenge what a request that only asks whether we are there wants back
   */
  public record Webhook(
      JsonNode verify,
      Jq id,
      Optional<Jq> reference,
      Optional<Jq> ours,
      Optional<Jq> event,
      Optional<Jq> challenge,
      Optional<Jq> word,
      Optional<Jq> outputs) {
    /** Names of the secrets under which webhooks are signed: two, while they are changed. */
    public static final List<String> SECRETS = List.of("webhook-secret", "webhook-secret-old");
  }

  /** Limits as documented; absent: not documented. */
  public record Limits(Optional<String> creates, Optional<String> reads, Optional<Integer> tasks) {}

  /** How long things last there; absent: not documented, so the configuration decides. */
  public record Timing(
      Optional<Duration> connectionLife,
      Optional<Duration> longestHold,
      Optional<Duration> visibilityLag) {}

  /** Where outputs are, in whichever answer; absent if they are streamed. */
  public Optional<Outputs> outputs() {
    return create.outputs().or(() -> status.map(Status::outputs));
  }
}
