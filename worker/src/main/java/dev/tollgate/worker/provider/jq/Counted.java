package dev.tollgate.worker.provider.jq;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.thisptr.jackson.jq.Expression;
import net.thisptr.jackson.jq.PathOutput;
import net.thisptr.jackson.jq.Scope;
import net.thisptr.jackson.jq.exception.JsonQueryException;
import net.thisptr.jackson.jq.path.Path;
import org.jspecify.annotations.Nullable;

/**
 * A part of an expression, each of whose steps and values is taken from the {@link Budget}. The
 * library has no place for a limit, and shows its caller the last stage of an expression alone; so
 * each part of a compiled expression is wrapped, down to the last. Immutable.
 */
final class Counted implements Expression {
  private static final String LIBRARY = "net.thisptr.jackson.jq.internal.";

  /** What passes on values that are there, or that a part of it made. */
  private static final Set<String> MAKES_NOTHING =
      Set.of(
          "AlternativeOperatorExpression",
          "BracketExtractFieldAccess",
          "Conditional",
          "IdentifierFieldAccess",
          "PipedQuery",
          "Question",
          "StringFieldAccess",
          "ThisObject",
          "TryCatch",
          "Tuple",
          "VariableAccess");

  private final Expression part;
  private final Use use;

  private Counted(Expression part, Use use) {
    this.part = part;
    this.use = use;
  }

  /** What is done with the values of a part, and so what they cost. */
  private enum Use {
    PASSED_ON {
      @Override
      void take(Budget budget, JsonNode value) {}
    },
    /** Copied, compared or new. */
    WEIGHED {
      @Override
      void take(Budget budget, JsonNode value) {
        budget.made(value);
      }
    },
    /** From an array: each element is looked for in the other. */
    SUBTRACTED {
      @Override
      void take(Budget budget, JsonNode value) {
        budget.takeProduct(value, value);
      }
    },
    /** A text is split into as many parts as it has characters, at most. */
    DIVIDED {
      @Override
      void take(Budget budget, JsonNode value) {
        budget.take(value.asText().length());
      }
    },
    /** An array as index is looked for at each place. */
    INDEX {
      @Override
      void take(Budget budget, JsonNode value) {
        if (value.isArray()) {
          throw new Budget.Exhausted();
        }
      }
    };

    abstract void take(Budget budget, JsonNode value);

    /** The use that a field of a library's class makes of what stands there. */
    static Use of(Field field) {
      String name = field.getName();
      return name.equals("startExpr") || name.equals("endExpr") ? INDEX : PASSED_ON;
    }

    /** The use that an operator makes of its operands. */
    static Use of(Class<?> operator) {
      return switch (operator.getSimpleName()) {
        case "MinusExpression" -> SUBTRACTED;
        case "DivideExpression" -> DIVIDED;
        case "StringInterpolation" -> WEIGHED;
        default -> operator.getSimpleName().startsWith("Compare") ? WEIGHED : PASSED_ON;
      };
    }
  }

  /**
   * Wraps every part of a compiled expression or function, in place.
   *
   * @throws IllegalStateException if the library is not built as this class knows it
   */
  static void wrapPartsOf(Object compiled) {
    wrapParts(compiled, Use.WEIGHED);
  }

  @Override
  public void apply(
      Scope scope, JsonNode in, @Nullable Path path, PathOutput output, boolean requirePath)
      throws JsonQueryException {
    Budget budget = Budget.CURRENT.get();
    budget.step();
    part.apply(
        scope,
        in,
        path,
        (value, at) -> {
          // to change what is at a path copies all that is beside it
          budget.take(requirePath ? 1 + in.size() : 1);
          use.take(budget, value);
          output.emit(value, at);
        },
        requirePath);
  }

  @Override
  public String toString() {
    return part.toString();
  }

  private static void wrapParts(Object of, Use use) {
    for (Class<?> type = of.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          wrap(field, of, use == Use.PASSED_ON ? Use.of(field) : use);
        }
      }
    }
  }

  private static void wrap(Field field, Object of, Use use) {
    try {
      field.setAccessible(true);
      Object value = field.get(of);
      Object wrapped = wrapped(value, use);
      if (value instanceof Expression || value instanceof List) {
        field.set(of, wrapped);
      }
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw new IllegalStateException("an expression cannot be bounded at " + field, e);
    }
  }

  private static @Nullable Object wrapped(@Nullable Object value, Use use) {
    return switch (value) {
      case null -> null;
      case Counted counted -> counted;
      case Expression part -> wrapped(part, use);
      case List<?> list -> {
        List<@Nullable Object> all = new ArrayList<>();
        list.forEach(element -> all.add(wrapped(element, use)));
        yield all;
      }
      case Enum<?> constant -> constant;
      default -> {
        if (value.getClass().getName().startsWith(LIBRARY)) {
          wrapParts(value, use);
        }
        yield value;
      }
    };
  }

  private static Counted wrapped(Expression part, Use use) {
    wrapParts(part, Use.of(part.getClass()));
    boolean makes = !MAKES_NOTHING.contains(part.getClass().getSimpleName());
    Counted made = new Counted(part, makes ? Use.WEIGHED : Use.PASSED_ON);
    boolean more = use != Use.PASSED_ON && use != made.use;
    return more ? new Counted(made, use) : made;
  }
}
