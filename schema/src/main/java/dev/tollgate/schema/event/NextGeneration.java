package dev.tollgate.schema.event;

import dev.tollgate.schema.RefusedException;
import dev.tollgate.schema.event.RequestWriter.Written;
import dev.tollgate.schema.json.Json;
import dev.tollgate.schema.json.StrictJson;
import dev.tollgate.schema.key.Dimensions;
import dev.tollgate.schema.key.OperationKey;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds the request for the next generation of an output. All but the generation stays as it was:
 * dimensions, provider, parameters, deadline, production task and producer. So its key follows from
 * the earlier one's, and whoever asks for it, however often, asks for the same operation. Stateless
 * and thread-safe.
 */
public final class NextGeneration {
  private NextGeneration() {}

  /**
   * A request that was taken in, as it is stored.
   *
   * @param dimensions canonical JSON
   * @param params canonical JSON as UTF-8; not to be changed
   * @param producer source of its event; the next one has the same, since a budget may be for it
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  public record Earlier(
      OperationKey key,
      String dimensions,
      String provider,
      byte[] params,
      @Nullable Instant deadline,
      @Nullable String productionTask,
      @Nullable String producer) {}

  /**
   * The request for the generation after a stored one. Never throws.
   *
   * @param by who asks
   * @param why a sentence
   */
  public static Written of(Earlier earlier, @Nullable String by, @Nullable String why) {
    try {
      Dimensions dimensions = Dimensions.fromCanonicalJson(earlier.dimensions());
      SortedMap<String, Json> members = dimensions.requestMembers();
      members.put("provider", new Json.Text(earlier.provider()));
      members.put("params", StrictJson.normalising().read(earlier.params()));
      put(members, "deadline", text(earlier.deadline()));
      put(members, "production_task", earlier.productionTask());
      next(members, dimensions, by, why);
      return RequestWriter.ready(new Fields(new Json.Obj(members)), earlier.producer());
    } catch (RefusedException e) {
      return Refused.of(e);
    } catch (RuntimeException e) {
      return Refused.ofFault(e);
    }
  }

  /**
   * The request for the generation after that of a JSON object, which is written as a request's
   * body is. Never throws.
   *
   * @param source names the producer
   * @param by who asks; absent where the source says enough
   * @param why a sentence
   */
  public static Written ofJsonLine(
      String line, String source, @Nullable String by, @Nullable String why) {
    try {
      Json earlier = StrictJson.normalising().read(line);
      SortedMap<String, Json> members = new TreeMap<>(Fields.of(earlier).body().members());
      RequestBody body = RequestBody.read(new Fields(new Json.Obj(members)));
      members.keySet().removeIf(name -> name.startsWith("retry_"));
      next(members, Dimensions.fromCanonicalJson(body.dimensions()), by, why);
      return RequestWriter.ready(
          new Fields(new Json.Obj(members)), Fields.checkId("source", source));
    } catch (RefusedException e) {
      return Refused.of(e);
    } catch (RuntimeException e) {
      return Refused.ofFault(e);
    }
  }

  private static void next(
      SortedMap<String, Json> members,
      Dimensions earlier,
      @Nullable String by,
      @Nullable String why) {
    if (earlier.generation() == Integer.MAX_VALUE) {
      throw RefusedException.invalid("no generation follows " + earlier.generation());
    }
    members.put("generation", Json.Num.of(earlier.generation() + 1L));
    members.put("retry_of", new Json.Text(earlier.operationKey().toString()));
    put(members, "retry_by", by);
    put(members, "retry_why", why);
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static void put(SortedMap<String, Json> members, String name, @Nullable String value) {
    if (value != null) {
      members.put(name, new Json.Text(value));
    }
  }
}
