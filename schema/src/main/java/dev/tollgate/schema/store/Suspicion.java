package dev.tollgate.schema.store;

/** When a piece of evidence says that something may be paid twice, and nobody has settled that. */
final class Suspicion {
  /** What makes one suspicious; a list for SQL. */
  static final String CODES = "('SUSPECTED_DUPLICATE', 'CONTRADICTED', 'DUPLICATE_OUTPUT')";

  private Suspicion() {}

  /**
   * A condition for an alias of {@code evidence}. A settlement that names a task is of that task
   * alone; one that names none, of all that was known by then.
   */
  static String open(String alias) {
    return """
        %1$s.code IN %2$s
        AND NOT EXISTS (
          SELECT FROM evidence settled
          WHERE settled.seq = %1$s.seq AND settled.op_key = %1$s.op_key AND settled.code = 'DUPLICATE_SETTLED'
            AND settled.at >= %1$s.at AND (settled.remote_id IS NULL OR settled.remote_id = %1$s.remote_id))"""
        .formatted(alias, CODES);
  }
}
