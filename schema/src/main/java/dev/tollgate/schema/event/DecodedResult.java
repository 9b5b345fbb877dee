package dev.tollgate.schema.event;

/** What a record of the events topic turned out to be: {@link Result} or {@link Refused}. */
public sealed interface DecodedResult permits DecodedResult.Result, Refused {

  /** A result event. */
  record Result(ResultEvent event) implements DecodedResult {}
}
