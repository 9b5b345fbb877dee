package dev.tollgate.worker.provider.jq;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.thisptr.jackson.jq.BuiltinFunctionLoader;
import net.thisptr.jackson.jq.Function;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.Versions;
import net.thisptr.jackson.jq.exception.JsonQueryException;
import net.thisptr.jackson.jq.internal.JsonQueryFunction;

/** One compiled expression. Immutable and thread-safe. */
public final class Jq {
  private static final int OUTPUTS_MAX = 10_000;
  private static final Scope WORDS = words();

  private final String text;
  private final JsonQuery query;

  private Jq(String text, JsonQuery query) {
    this.text = text;
    this.query = query;
  }

  /** The expression cannot be used; the message says why, for whoever wrote it. */
  public static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  /**
   * Compiles.
   *
   * @param variables the names, without {@code $}, that every application will give
   * @throws Refused if it is no jq, or uses what expressions may not
   */
  public static Jq compile(String text, Set<String> variables) throws Refused {
    Optional<String> fault = JqWords.fault(text, variables);
    if (fault.isPresent()) {
      throw new Refused(fault.get());
    }
    try {
      JsonQuery query = JsonQuery.compile(text, Versions.JQ_1_6);
      Counted.wrapPartsOf(query);
      return new Jq(text, query);
    } catch (JsonQueryException | RuntimeException | StackOverflowError e) {
      String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new Refused("no jq expression: " + message);
    }
  }

  /** The expression as it was written. */
  public String text() {
    return text;
  }

  /**
   * The values for an input, without nulls; none if the expression fails on it.
   *
   * @param variables by name, without {@code $}
   */
  public List<JsonNode> all(JsonNode input, Map<String, JsonNode> variables) {
    return tried(input, variables).orElse(List.of());
  }

  /** As {@link #all}, but empty if the expression fails on the input: then nothing was seen. */
  public Optional<List<JsonNode>> tried(JsonNode input, Map<String, JsonNode> variables) {
    try {
      return Optional.of(
          ScopedValue.where(Budget.CURRENT, new Budget()).call(() -> values(input, variables)));
    } catch (JsonQueryException | RuntimeException | StackOverflowError | OutOfMemoryError _) {
      return Optional.empty(); // what took the memory is garbage by now
    }
  }

  private List<JsonNode> values(JsonNode input, Map<String, JsonNode> variables)
      throws JsonQueryException {
    List<JsonNode> values = new ArrayList<>();
    query.apply(
        scope(variables),
        input,
        value -> {
          if (values.size() == OUTPUTS_MAX) {
            throw new Budget.Exhausted();
          }
          if (!value.isNull()) {
            values.add(value);
          }
        });
    return values;
  }

  /** The one value for an input; none if it is null, if there are several, or if it fails. */
  public Optional<JsonNode> one(JsonNode input, Map<String, JsonNode> variables) {
    List<JsonNode> values = all(input, variables);
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }

  /** The one value as text: a string, or an integral number in its digits. */
  public Optional<String> text(JsonNode input, Map<String, JsonNode> variables) {
    return one(input, variables).flatMap(Jq::asText);
  }

  /** Whether the one value is {@code true}. */
  public boolean isTrue(JsonNode input, Map<String, JsonNode> variables) {
    return one(input, variables)
        .filter(JsonNode::isBoolean)
        .map(JsonNode::booleanValue)
        .orElse(false);
  }

  /** A string, or an integral number in its digits. */
  public static Optional<String> asText(JsonNode value) {
    if (value.isTextual()) {
      return Optional.of(value.textValue());
    }
    return value.isIntegralNumber() ? Optional.of(value.asText()) : Optional.empty();
  }

  @Override
  public String toString() {
    return text;
  }

  private static Scope scope(Map<String, JsonNode> variables) {
    Scope scope = Scope.newChildScope(WORDS);
    variables.forEach(scope::setValue);
    return scope;
  }

  private static Scope words() {
    Scope all = Scope.newEmptyScope();
    Scope allowed = Scope.newEmptyScope();
    // definitions in jq call each other by name in the scope they are read in: they get the full
    // one, expressions the short one
    BuiltinFunctionLoader.getInstance()
        .listFunctions(Versions.JQ_1_6, all)
        .forEach(
            (signature, builtIn) -> {
              if (builtIn instanceof JsonQueryFunction) {
                Counted.wrapPartsOf(builtIn);
              }
              Function function = Foreseen.of(signature, builtIn);
              all.addFunction(signature, function);
              if (JqWords.callable(signature)) {
                allowed.addFunction(signature, function);
              }
            });
    return allowed;
  }
}
