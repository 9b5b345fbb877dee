package dev.tollgate.loadtest.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.tollgate.loadtest.wire.Book.Task;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The lists of a stub, in pages. A fixture says how its provider turns them: {@code url} (the next
 * page's whole address), {@code token}, {@code number} (from 1) or {@code offset}. Thread-safe.
 */
final class Pages {
  private final Book book;
  private final Function<Task, Map<String, JsonNode>> values;

  Pages(Book book, Function<Task, Map<String, JsonNode>> values) {
    this.book = book;
    this.values = values;
  }

  /** A page of what a call asks for. */
  Reply answer(JsonNode call, Asked asked, URI origin) {
    JsonNode list = call.path("list");
    List<Task> all = new ArrayList<>(book.listed());
    if (list.path("order").asText().equals("newest-first")) {
      Collections.reverse(all);
    }
    all.removeIf(task -> !asksFor(list, asked, task));
    String by = list.path("by").asText("all");
    int size = list.has("size") ? size(list, asked) : all.size();
    int begin = Math.min(begin(list, by, asked, size), all.size());
    int end = Math.min(begin + size, all.size());
    ArrayNode items = Json.NODES.arrayNode();
    all.subList(begin, end)
        .forEach(task -> items.add(Json.fill(list.path("item"), values.apply(task))));
    boolean more = end < all.size();
    String token = "after-" + end;
    Map<String, JsonNode> page = new HashMap<>();
    page.put("items", items);
    page.put("total", Json.NODES.numberNode(all.size()));
    page.put("count", Json.NODES.numberNode(items.size()));
    page.put("size", Json.NODES.numberNode(size));
    page.put("offset", Json.NODES.numberNode(begin));
    page.put("number", Json.NODES.numberNode(size == 0 ? 1 : begin / size + 1));
    page.put("pages", Json.NODES.numberNode(size == 0 ? 1 : (all.size() + size - 1) / size));
    page.put("more", Json.NODES.booleanNode(more));
    page.put("token", more ? Json.NODES.textNode(token) : NullNode.getInstance());
    page.put(
        "next_url",
        more
            ? Json.NODES.textNode(origin + asked.path() + "?cursor=" + token)
            : NullNode.getInstance());
    return Reply.of(call.path("answer"), page);
  }

  private static boolean asksFor(JsonNode list, Asked asked, Task task) {
    String references = list.has("references") ? asked.part(list.path("references").asText()) : "";
    if (list.has("references")
        && !Set.of(references.split(",")).contains(task.key().orElse("none"))) {
      return false;
    }
    // the cursor of a next page stands for its whole question
    String from = list.has("from") ? asked.part(list.path("from").asText()) : "";
    String to = list.has("to") ? asked.part(list.path("to").asText()) : "";
    return (from.isEmpty() || !task.created().isBefore(Instant.parse(from)))
        && (to.isEmpty() || !task.created().isAfter(Instant.parse(to)));
  }

  private static int size(JsonNode list, Asked asked) {
    int most = list.path("size").asInt();
    String wanted = list.has("size-from") ? asked.part(list.path("size-from").asText()) : "";
    return wanted.isEmpty()
        ? list.path("size-default").asInt(most)
        : Math.min(most, Integer.parseInt(wanted));
  }

  private static int begin(JsonNode list, String by, Asked asked, int size) {
    String at = list.has("at") ? asked.part(list.path("at").asText()) : "";
    return switch (by) {
      case "all" -> 0;
      case "url", "token" -> at.isEmpty() ? 0 : Integer.parseInt(at.replace("after-", ""));
      case "number" -> at.isEmpty() ? 0 : (Integer.parseInt(at) - 1) * size;
      case "offset" -> at.isEmpty() ? 0 : Integer.parseInt(at);
      default -> throw new IllegalArgumentException(by);
    };
  }
}
