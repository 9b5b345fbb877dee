package dev.tollgate.schema.event;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.StrictJson;
import dev.tollgate.schema.key.RequestHash;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records of the requests topic: CloudEvents in binary mode, or plain JSON. Stateless and
 * thread-safe.
 */
public final class RequestDecoder {
  private RequestDecoder() {}

  /**
   * The request that a record holds, or why it holds none. Never throws, whatever the bytes.
   *
   * @param key the record's key as it came
   * @param value the record's value as it came
   * @param headers the record's headers
   */
  public static Decoded decode(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    try {
      return new Decoded.Request(read(key, value, headers));
    } catch (RefusedException e) {
      return Refused.of(e);
    } catch (RuntimeException e) {
      return Refused.ofFault(e);
    }
  }

  private static GenerationRequest read(
      byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    byte[] document = RecordReader.value(value);
    String recordKey = RecordReader.key(key);
    RecordHeaders known = RecordHeaders.read(headers);
    CloudEvent event = CloudEvent.read(known, recordKey, CloudEvent.REQUEST_TYPE::equals);
    RequestBody body = RequestBody.read(Fields.read(StrictJson.normalising(), document));
    RecordReader.sameKey(recordKey, body.key());
    return new GenerationRequest(
        body.key(),
        body.dimensions(),
        body.provider(),
        body.params(),
        RequestHash.of(body.provider(), body.params()),
        body.deadline(),
        body.productionTask(),
        body.generation(),
        body.retry(),
        event == null ? null : event.source(),
        event == null ? recordKey : event.id(),
        event == null ? null : event.time(),
        known.traceparent());
  }
}
