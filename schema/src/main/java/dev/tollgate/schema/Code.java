package dev.tollgate.schema;

/**
 * Every reason Tollgate gives, in logs, events, dead letters, metrics, evidence and on the command
 * line. One name has one meaning everywhere; names are stored and published, so they are never
 * renamed or reused.
 */
public enum Code {
  /** The intent is durable already; this copy of the message changes nothing. */
  ALREADY_CONSUMED,
  /** Another worker is taking this intent in at this moment. */
  IN_PROGRESS,
  /** The operation key is known with other submission parameters; the first stays untouched. */
  KEY_PARAMETERS_MISMATCH,
  /** The message cannot be understood, or contradicts itself. */
  INVALID_EVENT,
  /** The message names a version of the contract that this build does not know. */
  UNSUPPORTED_VERSION,
  /** The message names a provider that is not configured. */
  UNKNOWN_PROVIDER,
  /** The producer's deadline passed before anything was sent. */
  DEADLINE_EXPIRED,
  /** The message is older than what Tollgate still remembers. */
  TOO_OLD,
  /** The provider took the task and gave its remote id. */
  PROVIDER_ACCEPTED,
  /** The provider said no, and a second try with the same parameters would meet the same no. */
  PROVIDER_REJECTED,
  /**
   * The provider refused the credential or the account, whatever the request: nothing was created.
   * The operation waits until somebody has mended that.
   */
  ACCOUNT_REFUSED,
  /** The provider asked for a pause before it created anything. */
  PROVIDER_THROTTLED,
  /** The provider ended the task without an output. */
  PROVIDER_FAILED,
  /** Provably nothing left for the provider. */
  NOT_SENT,
  /** A request may have reached the provider; whether a task exists is not known. */
  OUTCOME_UNKNOWN,
  /**
   * Commits of the database may be missing, after a failover or a restore: what may have been sent
   * since counts as sent.
   */
  HISTORY_LOST,
  /** A claim expired before its holder finished. */
  LEASE_LOST,
  /**
   * A write came from a claim that is no longer the newest; its evidence is kept, its change is
   * not.
   */
  STALE_FENCE,
  /** The remote task was found. */
  FOUND,
  /** It is proved that no remote task exists. */
  ABSENT,
  /** Nothing proved yet; another look is due later. */
  UNDECIDED,
  /**
   * More than one remote task fits, or the one that fits could be another operation's. A person
   * decides.
   */
  AMBIGUOUS,
  /** The provider offers neither a look-up nor an idempotency promise. A person decides. */
  NO_WAY_TO_KNOW,
  /** Sent again under the provider's documented idempotency promise. */
  PROTECTED_RESEND,
  /**
   * Sent again although an earlier attempt may have created a task: somebody decided, or a policy,
   * that the output is worth a second payment.
   */
  RISK_ACCEPTED,
  /** Somebody asks for such a resend, and its price is such that another has to agree. */
  RESEND_PROPOSED,
  /**
   * Somebody decided that it is over: what became of it is known elsewhere, or no longer matters.
   */
  GIVEN_UP,
  /** Somebody decided that it goes on as if nothing had been in the way. */
  TAKEN_UP,
  /** The provider gave a remote id that another operation holds already. A person decides. */
  REMOTE_ID_TAKEN,
  /** The transport limit is used up: no further attempt is made by itself. A person decides. */
  ATTEMPT_LIMIT,
  /** It asks for another generation of an output than the configuration allows at most. */
  GENERATION_LIMIT,
  /** It asks for another generation of what is not stored. */
  EARLIER_NOT_FOUND,
  /**
   * It asks for another generation of what has not ended: whether that gives an output, and is paid
   * for, is not known yet. Its dead letter can be replayed when it has.
   */
  EARLIER_STILL_OPEN,
  /** The remote task is not finished yet. */
  IN_FLIGHT,
  /** The output is stored and verified. */
  OUTPUT_STORED,
  /** The output is not what it should be. */
  OUTPUT_INVALID,
  /** The output's bytes do not match the provider's checksum. */
  CHECKSUM_MISMATCH,
  /** The provider reported the task by itself. */
  EVENT_RECEIVED,
  /**
   * A provider says something else about a task than what its operation ended with: a late success
   * of a failed one, a failure of a complete one. What was recorded stays.
   */
  CONTRADICTED,
  /** The provider accepted the task, and says now that there is none. */
  TASK_MISSING,
  /** Nothing lies where the provider says that the output is, or the address is no longer good. */
  OUTPUT_GONE,
  /** The task succeeded, and its output cannot be fetched now: no answer, a refusal, an error. */
  OUTPUT_UNAVAILABLE,
  /** The provider says that a task is in a state that its descriptor does not know. */
  STATE_UNKNOWN,
  /** The same bytes are stored as another operation's output. */
  DUPLICATE_OUTPUT,
  /**
   * A stream broke off before its end, and its provider cannot resume it: what came is kept, what
   * the rest was is not known. A person decides.
   */
  STREAM_CUT,
  /** A stream says something else at an offset than what it said before. A person decides. */
  STREAM_CONFLICT,
  /** A dead letter was replayed as often as is allowed. */
  REPLAY_LIMIT,
  /** Evidence that came for a finished operation: a second remote task, or a late success. */
  SUSPECTED_DUPLICATE,
  /**
   * A suspected duplicate, or another contradiction, is no longer open: the extra task was ended,
   * or somebody looked into it.
   */
  DUPLICATE_SETTLED,
  /** The extra task of a suspected duplicate could not be ended: it is paid. */
  DUPLICATE_PAID,
  /** To send it would break a budget. It waits for the next period, or is refused. */
  BUDGET_EXHAUSTED,
  /** A budget applies and nobody knows what it costs: it is not sent. */
  PRICE_UNKNOWN
}
