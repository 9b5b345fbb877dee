package dev.tollgate.worker.provider.jq;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import net.thisptr.jackson.jq.Expression;
import net.thisptr.jackson.jq.Function;

/**
 * Functions of the library whose work or result can be far larger than what they are given: what
 * they will need is taken from the {@link Budget} before they run. Stateless.
 */
final class Foreseen {
  /** What a call needs, from its input and its argument. */
  private interface Need {
    void take(Budget budget, JsonNode in, JsonNode argument);
  }

  private static final Map<String, Need> WITH_ARGUMENT =
      Map.of(
          "join/1", Foreseen::join,
          "split/1", Foreseen::split,
          "contains/1", Budget::takeProduct,
          "index/1", Budget::takeProduct);

  private static final Map<String, BiConsumer<Budget, JsonNode>> WITHOUT =
      Map.of(
          "explode/0", (budget, in) -> budget.take(in.asText().length()),
          "fromjson/0", (budget, in) -> budget.take(in.asText().length()),
          "length/0", Foreseen::length,
          "tonumber/0",
              (budget, in) -> budget.take((long) in.asText().length() * in.asText().length()));

  private Foreseen() {}

  /** The function, or one that takes what it needs first. */
  static Function of(String signature, Function function) {
    BiConsumer<Budget, JsonNode> without = WITHOUT.get(signature);
    if (without != null) {
      return (scope, args, in, path, output, version) -> {
        without.accept(Budget.CURRENT.get(), in);
        function.apply(scope, args, in, path, output, version);
      };
    }
    return Optional.ofNullable(WITH_ARGUMENT.get(signature))
        .map(need -> foreseen(need, function))
        .orElse(function);
  }

  private static Function foreseen(Need need, Function function) {
    return (scope, args, in, path, output, version) -> {
      Budget budget = Budget.CURRENT.get();
      Expression argument = args.getFirst();
      Expression seen =
          (at, input, inputPath, emitted, requirePath) ->
              argument.apply(
                  at,
                  input,
                  inputPath,
                  (value, valuePath) -> {
                    need.take(budget, in, value);
                    emitted.emit(value, valuePath);
                  },
                  requirePath);
      function.apply(scope, List.of(seen), in, path, output, version);
    };
  }

  private static void join(Budget budget, JsonNode in, JsonNode separator) {
    Budget.checkText((long) in.size() * separator.asText().length());
    budget.made(in);
  }

  /** Of a text it counts characters, not what they are stored as. */
  private static void length(Budget budget, JsonNode in) {
    if (in.isTextual()) {
      budget.made(in);
    }
  }

  private static void split(Budget budget, JsonNode in, JsonNode separator) {
    String text = in.asText();
    String by = separator.asText();
    budget.made(in);
    if (by.isEmpty()) {
      budget.take(text.length());
    }
    for (int at = text.indexOf(by);
        at >= 0 && !by.isEmpty();
        at = text.indexOf(by, at + by.length())) {
      budget.step();
    }
  }
}
