package dev.tollgate.schema.store;

/**
 * The statement committed on this server, but its wait for the synchronous standby was cancelled: a
 * failover could lose it (rule 14). Nothing may be sent on the strength of it. {@link
 * OperationStore#claimed} and a repeated {@link OperationStore#insert} answer only once the standby
 * has what they tell.
 */
public final class CommitNotReplicated extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CommitNotReplicated(String warning) {
    super(
        "committed without the standby's word ("
            + warning
            + "); nothing is sent before a repeat is confirmed");
  }
}
