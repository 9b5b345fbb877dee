package dev.tollgate.schema.store;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jooq.BindingGetResultSetContext;
import org.jooq.BindingSetStatementContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.impl.AbstractBinding;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Bind values that are PostgreSQL arrays. jOOQ's own array binding sends one long text literal;
 * this one lets the driver send the elements in binary, which matters where an element is a
 * payload.
 */
final class PgArray {
  private PgArray() {}

  static Field<?> bytea(byte[][] values) {
    return array("bytea", values);
  }

  static <T> Field<?> bytea(Collection<T> values, Function<T, byte @Nullable []> of) {
    byte[][] array = new byte[values.size()][];
    fill(array, values, of);
    return array("bytea", array);
  }

  static <T> Field<?> text(Collection<T> values, Function<T, @Nullable String> of) {
    String[] array = new String[values.size()];
    fill(array, values, of);
    return array("text", array);
  }

  static <T> Field<?> integer(Collection<T> values, Function<T, @Nullable Integer> of) {
    Integer[] array = new Integer[values.size()];
    fill(array, values, of);
    return array("int4", array);
  }

  static <T> Field<?> bigint(Collection<T> values, Function<T, @Nullable Long> of) {
    Long[] array = new Long[values.size()];
    fill(array, values, of);
    return array("int8", array);
  }

  static <T> Field<?> bool(Collection<T> values, Function<T, Boolean> of) {
    Boolean[] array = new Boolean[values.size()];
    fill(array, values, of);
    return array("bool", array);
  }

  static <T> Field<?> uuid(Collection<T> values, Function<T, java.util.UUID> of) {
    java.util.UUID[] array = new java.util.UUID[values.size()];
    fill(array, values, of);
    return array("uuid", array);
  }

  static Field<?> ids(List<Long> ids) {
    return array("int8", ids.toArray(new Long[0]));
  }

  private static <T, U> void fill(
      U[] array, Collection<T> values, Function<T, ? extends @Nullable U> of) {
    int at = 0;
    for (T value : values) {
      U element = of.apply(value);
      if (element != null) {
        array[at] = element;
      }
      at++;
    }
  }

  /*
   * Arrays that are unnested side by side are padded with nulls, so one that holds nothing else need not be sent.
   */
  private static Field<?> array(String elementType, @Nullable Object[] values) {
    if (Arrays.stream(values).allMatch(Objects::isNull)) {
      return DSL.val(null, SQLDataType.OTHER);
    }
    DataType<Object[]> type = SQLDataType.OTHER.asConvertedDataType(new ArrayBinding(elementType));
    return DSL.val(values, type);
  }

  /** Hands an array to the driver. Immutable. */
  private static final class ArrayBinding extends AbstractBinding<Object, Object[]> {
    private static final long serialVersionUID = 1L;
    private final String elementType;

    ArrayBinding(String elementType) {
      this.elementType = elementType;
    }

    @Override
    public org.jooq.Converter<Object, Object[]> converter() {
      return org.jooq.Converter.ofNullable(
          Object.class, Object[].class, value -> (Object[]) value, value -> value);
    }

    @Override
    public void set(BindingSetStatementContext<Object[]> ctx) throws SQLException {
      ctx.statement()
          .setArray(
              ctx.index(), ctx.statement().getConnection().createArrayOf(elementType, ctx.value()));
    }

    @Override
    public void get(BindingGetResultSetContext<Object[]> ctx) throws SQLException {
      throw new SQLFeatureNotSupportedException("a bind value, never a column");
    }
  }
}
