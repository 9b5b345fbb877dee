package dev.tollgate.schema.event;

import dev.tollgate.schema.Code;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.key.OperationKey;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Says that an operation's remote state is not known and should be found out. Immutable. It is a
 * hint to look: the database says what is true.
 *
 * @param key the operation
 * @param fence its fence when it became unknown
 * @param reason why
 */
public record ReconcileEvent(OperationKey key, long fence, Code reason) {
  public ReconcileEvent {
    if (fence < 0 || fence > Json.Num.SAFE_MAX) {
      throw new IllegalArgumentException("operation " + key + " cannot have fence " + fence);
    }
  }

  /** The event's id: operation key, fence and reason. */
  public String id() {
    return key + "/" + fence + "/" + reason;
  }

  /** The CloudEvent of this event. */
  public EventMessage toMessage() {
    SortedMap<String, Json> data = new TreeMap<>();
    data.put("key", new Json.Text(key.toString()));
    data.put("fence", Json.Num.of(fence));
    data.put("reason", new Json.Text(reason.name()));
    CloudEvent event = new CloudEvent(CloudEvent.RECONCILE_TYPE, CloudEvent.SOURCE, id(), null);
    return new EventMessage(key.toString(), new Json.Obj(data).canonical(), event.headers());
  }
}
