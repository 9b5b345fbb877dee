package dev.tollgate.schema.store;

/** The step of a statement that leaves word for other processes. */
final class Tell {
  private Tell() {}

  /**
   * One outbox row for all that a statement changed; none if it changed nothing.
   *
   * @param changes a query of (reconcile, op_key, version, fence, state, provider, reason,
   *     remote_id)
   */
  static String of(String changes) {
    return """
        INSERT INTO outbox (at, reconcile, op_key, version, fence, state, provider, reason, remote_id)
        SELECT now(), array_agg(reconcile), array_agg(op_key), array_agg(version), array_agg(fence), array_agg(state),
               array_agg(provider), array_agg(reason), array_agg(remote_id)
        FROM (
        %s
        ) AS c (reconcile, op_key, version, fence, state, provider, reason, remote_id)
        HAVING count(*) > 0
        """
        .formatted(changes);
  }
}
