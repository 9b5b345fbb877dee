package dev.tollgate.schema.event;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.json.Excerpt;
import dev.tollgate.schema.json.StrictJson;
import dev.tollgate.schema.key.OperationKey;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Decodes records of the reconcile topic, strictly. Stateless and thread-safe. */
public final class ReconcileDecoder {
  private static final Set<String> FIELDS = Set.of("key", "fence", "reason");

  private ReconcileDecoder() {}

  /** The event that a record holds, or why it holds none. Never throws, whatever the bytes. */
  public static DecodedReconcile decode(
      byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    try {
      return new DecodedReconcile.Reconcile(read(key, value, headers));
    } catch (RefusedException e) {
      return Refused.of(e);
    } catch (RuntimeException e) {
      return Refused.ofFault(e);
    }
  }

  private static ReconcileEvent read(
      byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    byte[] document = RecordReader.value(value);
    String recordKey = RecordReader.key(key);
    CloudEvent event =
        CloudEvent.read(RecordHeaders.read(headers), recordKey, CloudEvent.RECONCILE_TYPE::equals);
    if (event == null) {
      throw RefusedException.invalid("the record has no ce_ headers");
    }
    Fields fields = Fields.read(StrictJson.verbatim(), document);
    fields.onlyKnown(FIELDS);
    ReconcileEvent reconcile =
        new ReconcileEvent(
            OperationKey.parse(fields.requiredText("key")),
            fields.requiredCount("fence"),
            reason(fields.requiredText("reason")));
    RecordReader.sameKey(recordKey, reconcile.key());
    if (!event.id().equals(reconcile.id())) {
      throw RefusedException.invalid("header ce_id does not agree with the body");
    }
    return reconcile;
  }

  private static Code reason(String name) {
    for (Code code : Code.values()) {
      if (code.name().equals(name)) {
        return code;
      }
    }
    throw RefusedException.invalid("reason " + Excerpt.of(name) + " is not a known code");
  }
}
