package dev.tollgate.schema.event;

/** What a record of the requests topic turned out to be: {@link Request} or {@link Refused}. */
public sealed interface Decoded permits Decoded.Request, Refused {

  /** A request that can be taken in. */
  record Request(GenerationRequest request) implements Decoded {}
}
