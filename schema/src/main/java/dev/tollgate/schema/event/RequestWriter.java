package dev.tollgate.schema.event;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.StrictJson;
import dev.tollgate.schema.key.OperationKey;
import dev.tollgate.schema.key.RequestHash;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds request events from what a person or a script writes. Stateless and thread-safe. */
public final class RequestWriter {
  /** What the events name as their source where no other is given. */
  public static final String SOURCE = CloudEvent.SOURCE + "/publish";

  private RequestWriter() {}

  /** What became of a line: {@link Ready} or {@link Refused}. */
  public sealed interface Written permits Ready, Refused {}

  /**
   * A request event that the decoder accepts.
   *
   * @param key its operation key
   * @param dimensions canonical JSON of its dimensions, which the key is the hash of
   * @param requestHash hash of its provider and parameters
   * @param message the event
   * @param retryOf the generation before, where it asks for the next one of that
   */
  public record Ready(
      OperationKey key,
      String dimensions,
      RequestHash requestHash,
      EventMessage message,
      @Nullable OperationKey retryOf)
      implements Written {}

  /**
   * The request event of one JSON object, written as a request's body is. The event's body is that
   * object in canonical form; its id is made of the key and the request hash, so the same line
   * always gives the same event. Never throws.
   */
  public static Written fromJsonLine(String line) {
    return fromJsonLine(line, SOURCE);
  }

  /**
   * As {@link #fromJsonLine(String)}.
   *
   * @param source names the producer, whom a budget may be for: 1 to 255 characters
   */
  public static Written fromJsonLine(String line, String source) {
    try {
      return write(line, Fields.checkId("source", source));
    } catch (RefusedException e) {
      return Refused.of(e);
    } catch (RuntimeException e) {
      return Refused.ofFault(e);
    }
  }

  private static Written write(String line, String source) {
    return ready(Fields.of(StrictJson.normalising().read(line)), source);
  }

  /**
   * @param source absent for a plain record, without the headers of a CloudEvent
   */
  static Ready ready(Fields fields, @Nullable String source) {
    RequestBody body = RequestBody.read(fields);
    RequestHash hash = RequestHash.of(body.provider(), body.params());
    Map<String, String> headers =
        source == null
            ? Map.of()
            : new CloudEvent(CloudEvent.REQUEST_TYPE, source, body.key() + "/" + hash, null)
                .headers();
    EventMessage message =
        new EventMessage(body.key().toString(), fields.body().canonical(), headers);
    RecordReader.value(message.valueBytes()); // normalising can make a text longer
    Retry retry = body.retry();
    return new Ready(
        body.key(), body.dimensions(), hash, message, retry == null ? null : retry.of());
  }
}
