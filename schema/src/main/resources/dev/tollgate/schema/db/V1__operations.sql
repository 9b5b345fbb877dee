-- Everything Tollgate remembers about an operation.
--
-- Shape. `intent` is wide and changes once, when all but its key is forgotten. `operation` is narrow, has one index (its key) and fill factor left free, so
-- that each change of state is a heap-only update. What must be found by time lives in `wake`, one row for every operation
-- that a process has to look at again, and, while it is `sending`, in `lease`, one row for all that one statement claimed.
-- So "is anything forgotten?" is one query. `attempt`, `evidence`, `remote_task` and `output` are written once.
--
-- Place. Operation keys are hashes: neighbours in time are strangers in an index, and each row touches a leaf page of its
-- own in every table. So the offset of the record that brought an intent comes first in the other tables' keys, as `seq`:
-- what arrived together is worked on together and lies together. Two partitions may share one; it names nothing. Only
-- `intent` and `output` are found by the key alone.
--
-- No foreign keys: each table is keyed by the operation key and every statement that creates a row creates its owner in
-- the same statement. A foreign key would cost one look-up per row on the hottest path, and would tie shards together.

CREATE TYPE operation_state AS ENUM ('prepared', 'sending', 'accepted', 'unknown', 'failed', 'complete');

-- What a due row of `wake` asks for: claim = send it; look = find out what became of it; follow = ask how the remote task
-- is doing; person = nothing but a person's decision (then `at` is since when).
CREATE TYPE wake_role AS ENUM ('claim', 'look', 'follow', 'person');

-- One row: facts about this installation that must survive a failover together with the data.
CREATE TABLE installation (
  singleton         boolean     NOT NULL DEFAULT true,
  -- Keys given to providers are an HMAC under this secret: nobody who knows an operation key can guess them, and an
  -- intent that a lossy failover lost and the log brought back gets the same one again. Addresses of callbacks and streams
  -- are, too, each for its own purpose.
  submission_secret bytea       NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT installation_pkey PRIMARY KEY (singleton),
  CONSTRAINT installation_has_one_row CHECK (singleton),
  CONSTRAINT installation_secret_is_32_bytes CHECK (octet_length(submission_secret) = 32)
);

INSERT INTO installation (submission_secret)
VALUES (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- The histories that this data went through: one row for the place where it began, and one for each place that it was found
-- at since. A place is a system, its timeline, a database and the table of intents in it, as dev.tollgate.schema.store.Histories
-- puts them together: another one means that commits may be missing that others have acted on.
CREATE TABLE history (
  n         bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  id        uuid        NOT NULL,  -- random, since a place may come twice: a backup does not know what came after it
  place     text        NOT NULL,
  began_at  timestamptz NOT NULL,
  found_by  text        NOT NULL,
  suspected bigint      NOT NULL,  -- operations that count as possibly sent since then
  ready     boolean     NOT NULL,  -- whether all of them were found: nothing is claimed before
  CONSTRAINT history_pkey PRIMARY KEY (place),
  CONSTRAINT history_is_counted UNIQUE (n),
  CONSTRAINT history_suspected_is_not_negative CHECK (suspected >= 0)
);

-- What a person said of data that stands where it stood and lacks commits all the same: a copy of its disk, or a dump that was
-- loaded into the tables. Part of the place.
CREATE TABLE history_lost (
  n   bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  at  timestamptz NOT NULL DEFAULT now(),
  who text        NOT NULL,
  why text        NOT NULL,
  CONSTRAINT history_lost_pkey PRIMARY KEY (n)
);

-- How far intake has come, by this history's own account: every record of the partition before it is durable here. Written
-- every few seconds, after the rows that it speaks of, so whatever copy of the data has the row has those too.
CREATE TABLE intake_progress (
  topic       text        NOT NULL,
  partition   integer     NOT NULL,
  next_offset bigint      NOT NULL,
  at          timestamptz NOT NULL,
  CONSTRAINT intake_progress_pkey PRIMARY KEY (topic, partition),
  CONSTRAINT intake_progress_is_an_offset CHECK (next_offset >= 0)
) WITH (fillfactor = 50);

-- What the producer asked for. Rule 2: one key, one row. Where intake stored the operation straight as `sending`, its first
-- attempt is here as well: it is written at the same moment and never changes either, and a row of its own would cost more
-- than its six columns.
CREATE TABLE intent (
  op_key           bytea       NOT NULL,  -- SHA-256 of the canonical dimensions, then the kind in ASCII
  provider         text        NOT NULL,
  request_hash     bytea       NOT NULL,
  submission_key   bytea       NOT NULL,  -- what the provider gets as idempotency key or client reference
  deadline         timestamptz,
  created_at       timestamptz NOT NULL,
  source_partition integer     NOT NULL,
  source_offset    bigint      NOT NULL,
  production_task  text,
  producer         text,                  -- source of the event; a plain record has none
  price            bigint,                -- millionths of the configured currency, as known at intake; null where nobody knew
  retry_of         bytea,                 -- the generation before, where it was named: it had ended when this was taken in
  retry_by         text,                  -- who asked for another generation, and why; null where a producer did not say
  retry_why        text,
  by_reference     boolean,               -- whether an event may name it by its submission key; null where its provider's do not
  dimensions       text        NOT NULL,  -- canonical JSON, for people
  params           bytea       NOT NULL,  -- canonical JSON as UTF-8, sent as it is
  first_claim         uuid,               -- the attempt of fence 1, begun at created_at; columns as in `attempt`
  first_owner         text,
  first_send_deadline timestamptz,
  first_absent_after  timestamptz,
  first_carried       smallint,
  first_sent_to       bigint,
  -- How its operation ended, once that is forgotten: the row is a tombstone then, which answers for the key for ever.
  ended_at        timestamptz,
  ended_state     operation_state,
  ended_reason    text,
  ended_remote_id text,
  ended_address   text,               -- of the output
  CONSTRAINT intent_pkey PRIMARY KEY (op_key),
  CONSTRAINT intent_key_is_hash_and_kind CHECK (octet_length(op_key) BETWEEN 33 AND 56),
  CONSTRAINT intent_request_hash_is_sha256 CHECK (octet_length(request_hash) = 32),
  CONSTRAINT intent_submission_key_is_128_bit CHECK (octet_length(submission_key) = 16),
  CONSTRAINT intent_provider_is_named CHECK (provider <> ''),
  CONSTRAINT intent_first_attempt_is_whole
    CHECK (num_nulls(first_claim, first_owner, first_send_deadline, first_absent_after, first_carried, first_sent_to) IN (0, 6)),
  CONSTRAINT intent_horizon_is_after_its_deadline
    CHECK (first_absent_after >= first_send_deadline AND first_send_deadline >= created_at),
  CONSTRAINT intent_price_is_not_negative CHECK (price >= 0),
  CONSTRAINT intent_says_why_of_retries_alone CHECK (retry_of IS NOT NULL OR num_nonnulls(retry_by, retry_why) = 0),
  CONSTRAINT intent_tombstone_says_how_it_ended
    CHECK ((ended_at IS NULL) = (ended_state IS NULL)
      AND (ended_at IS NOT NULL OR num_nonnulls(ended_reason, ended_remote_id, ended_address) = 0)
      AND ended_state IN ('failed', 'complete')),
  CONSTRAINT intent_tombstone_is_compact
    CHECK (ended_at IS NULL
      OR params = '' AND dimensions = '{}' AND num_nonnulls(deadline, producer, retry_of, by_reference, first_claim) = 0)
);

-- For those alone: a second index over random keys costs intake too much to have it for nothing. Not unique, since keys are by
-- the way they are made, and a second index that can refuse an intent is one that can stop intake.
CREATE INDEX intent_reference ON intent (submission_key) WHERE by_reference;

CREATE TABLE operation (
  seq         bigint          NOT NULL,   -- source_offset of the intent, see above
  op_key      bytea           NOT NULL,
  claim       uuid,                       -- random id of the newest claim; tells apart claims that a lossy failover gave one fence
  lease_until timestamptz,                -- by the database's clock alone
  changed_at  timestamptz     NOT NULL,
  fence       integer         NOT NULL,   -- grows by one with each claim
  version     integer         NOT NULL,   -- grows with each outcome that is recorded, one that decided nothing included
  attempts    smallint        NOT NULL,   -- transport attempts begun
  looks       smallint        NOT NULL,   -- looks of the reconciler since it became unknown
  state       operation_state NOT NULL,
  reason      text,                       -- code: why it is in this state
  review      text,                       -- code: a person has to decide, and why
  remote_id   text,
  booked_in   bigint[],                   -- the budgets that its price was booked in, at its first claim; null where none applied
  CONSTRAINT operation_pkey PRIMARY KEY (seq, op_key),
  CONSTRAINT operation_claim_and_fence_come_together CHECK ((fence = 0) = (claim IS NULL)),
  -- a manual fix that leaves such a row would hide it from every sweep and look
  CONSTRAINT operation_was_claimed_before_it_was_sent
    CHECK (state IN ('prepared', 'failed') OR (fence > 0 AND attempts > 0)),
  CONSTRAINT operation_attempts_are_made_under_fences CHECK (attempts <= fence),
  CONSTRAINT operation_sending_holds_a_lease CHECK (state <> 'sending' OR lease_until IS NOT NULL),
  CONSTRAINT operation_lease_only_while_someone_works CHECK (lease_until IS NULL OR state IN ('sending', 'unknown')),
  CONSTRAINT operation_accepted_has_a_remote_id CHECK (state NOT IN ('accepted', 'complete') OR remote_id IS NOT NULL),
  CONSTRAINT operation_unknown_and_failed_say_why CHECK (state NOT IN ('unknown', 'failed') OR reason IS NOT NULL),
  CONSTRAINT operation_review_only_while_open CHECK (review IS NULL OR state IN ('prepared', 'accepted', 'unknown')),
  CONSTRAINT operation_counts_are_not_negative CHECK (fence >= 0 AND version >= 1 AND attempts >= 0 AND looks >= 0)
) WITH (fillfactor = 45);

-- The one table of transitions, as the database enforces it. The condition is evaluated inline; the function runs only
-- to refuse. Reasons may be null: a condition that is null would let the change pass. A test holds it equal to dev.tollgate.schema.state.Transition.
CREATE FUNCTION refuse_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'operation % may not go from % (fence %) to % (fence %, reason %)',
    encode(OLD.op_key, 'hex'), OLD.state, OLD.fence, NEW.state, NEW.fence, NEW.reason
    USING ERRCODE = 'check_violation', CONSTRAINT = 'operation_transition_is_allowed';
END $$;

CREATE TRIGGER operation_transition_is_allowed BEFORE UPDATE ON operation FOR EACH ROW
  WHEN (
    NEW.op_key <> OLD.op_key
    -- history is not rewritten
    OR OLD.state IN ('failed', 'complete')
    OR NEW.fence < OLD.fence
    OR NEW.version < OLD.version
    OR NEW.attempts < OLD.attempts
    OR (OLD.remote_id IS NOT NULL AND NEW.remote_id IS DISTINCT FROM OLD.remote_id)
    -- sent again while an earlier attempt is unresolved: a refusal or a send that never left says nothing of that one
    OR (OLD.state = 'sending' AND coalesce(OLD.reason, '') IN ('PROTECTED_RESEND', 'RISK_ACCEPTED')
        AND NEW.state IN ('prepared', 'failed'))
    OR (NEW.state <> OLD.state AND NOT (
         (OLD.state = 'prepared' AND NEW.state IN ('sending', 'failed'))
      OR (OLD.state = 'sending'  AND NEW.state IN ('accepted', 'failed', 'unknown'))
      -- rule 5: a claim goes back only where provably nothing was created
      OR (OLD.state = 'sending'  AND NEW.state = 'prepared'
          AND coalesce(NEW.reason, '') IN ('NOT_SENT', 'PROVIDER_THROTTLED', 'ACCOUNT_REFUSED'))
      OR (OLD.state = 'unknown'  AND NEW.state IN ('accepted', 'failed'))
      -- rule 6: nothing leaves unknown for another send without proof, or a decision that is on record
      OR (OLD.state = 'unknown'  AND NEW.state = 'prepared'
          AND coalesce(NEW.reason, '') IN ('ABSENT', 'PROTECTED_RESEND', 'RISK_ACCEPTED'))
      -- a person confirms a task that was reported late
      OR (OLD.state = 'prepared' AND NEW.state = 'accepted' AND coalesce(NEW.reason, '') = 'FOUND')
      OR (OLD.state = 'accepted' AND NEW.state IN ('complete', 'failed'))
    ))
  )
  EXECUTE FUNCTION refuse_transition();

-- Rule 1: one row for each time a claim marked an operation as `sending`, committed before the first byte leaves. The first
-- attempt may lie in `intent`; `attempts` shows both.
CREATE TABLE attempt (
  seq           bigint      NOT NULL,
  op_key        bytea       NOT NULL,
  fence         integer     NOT NULL,
  claim         uuid        NOT NULL,
  owner         text        NOT NULL,
  began_at      timestamptz NOT NULL,
  send_deadline timestamptz NOT NULL,  -- no first byte leaves later than this
  absent_after  timestamptz NOT NULL,  -- rule 7: before this "not found" proves nothing
  -- Rule 6: a look-up proves nothing of a create that did not carry what is looked for, or that went elsewhere. What is
  -- configured when somebody looks may not be what was when it was sent.
  carried       smallint    NOT NULL,  -- bit set: by what its task can be found; bit 1: a key under a promise
  sent_to       bigint      NOT NULL,  -- digests: of the place in the upper half, of how requests look there in the lower
  CONSTRAINT attempt_pkey PRIMARY KEY (seq, op_key, fence),
  CONSTRAINT attempt_horizon_is_after_its_deadline CHECK (absent_after >= send_deadline AND send_deadline >= began_at)
);

CREATE VIEW attempts AS
SELECT source_offset AS seq, op_key, 1 AS fence, first_claim AS claim, first_owner AS owner, created_at AS began_at,
       first_send_deadline AS send_deadline, first_absent_after AS absent_after, first_carried AS carried,
       first_sent_to AS sent_to
FROM intent WHERE first_claim IS NOT NULL
UNION ALL
SELECT seq, op_key, fence, claim, owner, began_at, send_deadline, absent_after, carried, sent_to FROM attempt;

-- Rule 9: append-only.
CREATE TABLE evidence (
  seq       bigint      NOT NULL,
  op_key    bytea       NOT NULL,
  id        bigint      NOT NULL,  -- chosen by the writer, so that a repeated statement adds nothing
  at        timestamptz NOT NULL,
  fence     integer     NOT NULL,
  source    text        NOT NULL,  -- submit, sweep, budget, lookup, list, status, output, webhook, history, person
  code      text        NOT NULL,
  status    smallint,              -- HTTP status, where there was one
  truncated boolean     NOT NULL,
  remote_id text,
  note      text,
  headers   text,
  body      bytea,                 -- raw, capped, redacted
  CONSTRAINT evidence_pkey PRIMARY KEY (seq, op_key, id),
  CONSTRAINT evidence_body_is_capped CHECK (octet_length(body) <= 65536)
);

-- What may have been paid twice, and is listed for people. Seldom: it costs the others a comparison.
CREATE INDEX evidence_suspicion ON evidence (at) WHERE code IN ('SUSPECTED_DUPLICATE', 'CONTRADICTED', 'DUPLICATE_OUTPUT');

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_is_append_only';
END $$;

-- An intent becomes a tombstone once, of what its operation ended as; what it answers with stays as it was.
CREATE FUNCTION only_bury() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
    AND (NEW.op_key, NEW.provider, NEW.request_hash, NEW.submission_key, NEW.created_at, NEW.source_partition, NEW.source_offset)
      = (OLD.op_key, OLD.provider, OLD.request_hash, OLD.submission_key, OLD.created_at, OLD.source_partition, OLD.source_offset)
    AND (NEW.production_task, NEW.price) IS NOT DISTINCT FROM (OLD.production_task, OLD.price)
    AND EXISTS (SELECT FROM operation o
                WHERE o.seq = OLD.source_offset AND o.op_key = OLD.op_key AND o.state = NEW.ended_state)
  THEN RETURN NEW;
  END IF;
  RAISE EXCEPTION 'intent is append-only but for its burial'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'intent_is_append_only';
END $$;

-- What hangs on an intent is deleted only when the tombstone is there.
CREATE FUNCTION keep_until_buried() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM intent i WHERE i.op_key = OLD.op_key AND i.ended_at IS NOT NULL) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% of operation % may not be deleted: it is not buried', TG_TABLE_NAME, encode(OLD.op_key, 'hex')
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_ARGV[0];
END $$;

CREATE TRIGGER evidence_is_append_only BEFORE UPDATE ON evidence FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_is_kept BEFORE DELETE ON evidence
  FOR EACH ROW EXECUTE FUNCTION keep_until_buried('evidence_is_append_only');
CREATE TRIGGER intent_is_append_only BEFORE UPDATE ON intent FOR EACH ROW EXECUTE FUNCTION only_bury();
CREATE TRIGGER intent_is_kept BEFORE DELETE ON intent FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER attempt_is_append_only BEFORE UPDATE ON attempt FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER attempt_is_kept BEFORE DELETE ON attempt
  FOR EACH ROW EXECUTE FUNCTION keep_until_buried('attempt_is_append_only');
CREATE TRIGGER operation_is_kept BEFORE DELETE ON operation
  FOR EACH ROW EXECUTE FUNCTION keep_until_buried('operation_is_kept');

-- A remote task belongs to one operation.
CREATE TABLE remote_task (
  provider  text        NOT NULL,
  remote_id text        NOT NULL,
  op_key    bytea       NOT NULL,
  known_at  timestamptz NOT NULL,
  -- the id first: it tells tasks apart in one comparison, and a provider's name does not
  CONSTRAINT remote_task_belongs_to_one_operation PRIMARY KEY (remote_id, provider)
);

-- Rule 10: one stored output for an operation.
CREATE TABLE output (
  op_key       bytea       NOT NULL,
  address      text        NOT NULL,
  sha256       bytea       NOT NULL,
  length       bigint      NOT NULL,
  content_type text,
  stored_at    timestamptz NOT NULL,
  CONSTRAINT output_is_stored_once PRIMARY KEY (op_key),
  CONSTRAINT output_digest_is_sha256 CHECK (octet_length(sha256) = 32),
  CONSTRAINT output_is_not_empty CHECK (length > 0)
);
-- The same bytes for two operations: one task was paid for both, or one was paid for nothing.
CREATE INDEX output_digest ON output (sha256);

-- Streamed output, event by event as its provider sent it. Gapless from 0; at one position stands one byte string for ever.
CREATE TABLE chunk (
  seq    bigint      NOT NULL,
  op_key bytea       NOT NULL,
  pos    integer     NOT NULL,
  cursor bigint,               -- the provider's own number, where it has one: from there a cut stream is resumed
  at     timestamptz NOT NULL,
  text   bytea,                -- the text in it, as a JSON string: no text column can hold U+0000 or half a surrogate pair
  data   bytea       NOT NULL, -- JSON, raw but redacted
  ends   text,                 -- how the stream ended: of its last chunk alone
  CONSTRAINT chunk_is_stored_once PRIMARY KEY (seq, op_key, pos),
  CONSTRAINT chunk_position_is_not_negative CHECK (pos >= 0),
  CONSTRAINT chunk_is_capped CHECK (octet_length(data) <= 1048576),
  CONSTRAINT chunk_end_is_known CHECK (ends IN ('succeeded', 'failed', 'cancelled'))
);
CREATE UNIQUE INDEX chunk_stream_ends_once ON chunk (seq, op_key) WHERE ends IS NOT NULL;
CREATE TRIGGER chunk_is_append_only BEFORE UPDATE ON chunk FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Which chunks are still to be published: one row for all that one statement stored, as ranges, deleted when the broker has
-- acknowledged them.
CREATE TABLE chunk_outbox (
  id     bigint    NOT NULL GENERATED ALWAYS AS IDENTITY,
  seq    bigint[]  NOT NULL,
  op_key bytea[]   NOT NULL,
  first  integer[] NOT NULL,
  last   integer[] NOT NULL,
  bytes  bigint    NOT NULL,  -- of all of them: who reads them has to hold them
  at     timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT chunk_outbox_pkey PRIMARY KEY (id),
  CONSTRAINT chunk_outbox_arrays_are_of_one_length CHECK (
    cardinality(seq) > 0
    AND cardinality(seq) = ALL (ARRAY[cardinality(op_key), cardinality(first), cardinality(last)]))
);

-- Who has to be looked at, and when: one row for each open operation that is not `sending`, none for a finished one.
CREATE TABLE wake (
  seq      bigint      NOT NULL,
  op_key   bytea       NOT NULL,
  at       timestamptz NOT NULL,
  role     wake_role   NOT NULL,
  provider text        NOT NULL,
  -- The producer's, copied here so that neither a claim nor the end of what is too late reads intents. Only where a claim
  -- is due, and not a resend without proof: a task may exist then, and no deadline ends the question whether it does.
  deadline timestamptz,
  -- True where a remote task may exist and the role does not say so: a resend without proof that waits to be claimed, and what
  -- a person has to decide unless nothing was created, or the task is over and only its output is missing. Else null, which
  -- takes no room.
  occupies boolean,
  -- When it came to the state that it is in, for the ages that operators watch.
  since    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT wake_pkey PRIMARY KEY (seq, op_key)
) WITH (fillfactor = 80);
CREATE INDEX wake_due ON wake (role, provider, at);
CREATE INDEX wake_deadline ON wake (deadline) WHERE role = 'claim' AND deadline IS NOT NULL;
CREATE INDEX wake_occupies ON wake (provider) WHERE occupies;

-- What is `sending`: one row for all that one statement claimed at one provider. Most of it is answered long before, and a row
-- for each operation would be written, changed and indexed twice for nothing. No claim id is used twice.
CREATE TABLE lease (
  claim    uuid        NOT NULL,
  provider text        NOT NULL,
  until    timestamptz NOT NULL,
  -- How many of its operations have no outcome yet. The outcome of the last one ends the lease. It may stay too high, never
  -- too low: what is left when the time is over, the sweep looks at one by one.
  open     integer     NOT NULL,
  seqs     bigint[]    NOT NULL,  -- of its operations, side by side with their keys
  op_keys  bytea[]     NOT NULL,
  limited  boolean,               -- true where the fleet has a limit at the provider, so that they can be counted; else null
  CONSTRAINT lease_pkey PRIMARY KEY (claim, provider),
  CONSTRAINT lease_is_of_something CHECK (cardinality(seqs) > 0 AND cardinality(seqs) = cardinality(op_keys)),
  CONSTRAINT lease_counts_what_is_open CHECK (open BETWEEN 1 AND cardinality(seqs))
) WITH (fillfactor = 50);
CREATE INDEX lease_due ON lease (until);
CREATE INDEX lease_limited ON lease (provider) WHERE limited;
ALTER TABLE lease ALTER COLUMN seqs SET STORAGE EXTERNAL, ALTER COLUMN op_keys SET STORAGE EXTERNAL;

-- What the fleet may do together at a provider that has a limit; the limits themselves are configuration. Who claims there
-- locks the row, so claims come one after the other; a grant of nothing leaves it as it is.
CREATE TABLE allowance (
  provider  text        NOT NULL,
  -- Grows with each grant. A statement locks this row as it is now and sees all others as they were when it began: where
  -- it locks another version than it saw, it does not know what is in flight, and grants nothing.
  version   bigint      NOT NULL,
  tokens    bigint      NOT NULL,  -- millionths of a create, as of filled_at
  filled_at timestamptz NOT NULL,
  CONSTRAINT allowance_pkey PRIMARY KEY (provider),
  CONSTRAINT allowance_tokens_are_not_negative CHECK (tokens >= 0)
) WITH (fillfactor = 50);

-- Money that was booked, for everybody who has a budget, by period; how much a budget allows is configuration. Locked, and
-- its version compared, as an allowance is.
CREATE TABLE budget (
  id      bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  scope   text   NOT NULL,
  who     text   NOT NULL,  -- a provider, or the source of a producer's events
  per     text   NOT NULL,
  period  date   NOT NULL,  -- its first day, in UTC
  version bigint NOT NULL,
  booked  bigint NOT NULL,  -- millionths; refunds that are still rows of their own are to be taken off
  CONSTRAINT budget_pkey PRIMARY KEY (id),
  CONSTRAINT budget_is_one_row_for_each_period UNIQUE (who, scope, per, period),
  CONSTRAINT budget_scope_is_known CHECK (scope IN ('provider', 'producer')),
  CONSTRAINT budget_period_is_known CHECK (per IN ('day', 'month'))
) WITH (fillfactor = 50);

-- What is to be taken off a budget: its operation ended without anything having been created. A row of its own, since whoever
-- ends operations must not wait for whoever claims others; the next claim that books in the budget takes it up.
CREATE TABLE refund (
  budget bigint NOT NULL,
  op_key bytea  NOT NULL,
  micros bigint NOT NULL,
  CONSTRAINT refund_is_made_once PRIMARY KEY (budget, op_key)
);

-- Held by a trigger, since whoever ends an operation has to do it: an outcome, a deadline, a person. Costs nothing where
-- nothing was booked. An earlier attempt that is unresolved, or a task that was seen, may cost money all the same.
CREATE FUNCTION release_booking() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO refund (budget, op_key, micros)
  SELECT unnest(OLD.booked_in), i.op_key, i.price FROM intent i WHERE i.op_key = OLD.op_key;
  NEW.booked_in := NULL;
  RETURN NEW;
END $$;

CREATE TRIGGER operation_booking_is_released BEFORE UPDATE ON operation FOR EACH ROW
  WHEN (
    NEW.state = 'failed' AND OLD.booked_in IS NOT NULL AND OLD.state IN ('prepared', 'sending')
    AND NEW.remote_id IS NULL AND coalesce(OLD.reason, '') NOT IN ('PROTECTED_RESEND', 'RISK_ACCEPTED')
    AND coalesce(OLD.review, '') <> 'SUSPECTED_DUPLICATE'
  )
  EXECUTE FUNCTION release_booking();

-- What other processes must hear; written with the change itself, deleted when the broker has acknowledged it. One row holds
-- all that one statement changed, as arrays of one length: a row for each change would cost more than the change itself.
CREATE TABLE outbox (
  -- no cache: ids taken ahead by one connection would put a later change of an operation before an earlier one
  id        bigint            NOT NULL GENERATED ALWAYS AS IDENTITY,
  at        timestamptz       NOT NULL,
  reconcile boolean[]         NOT NULL,  -- for the reconcile topic, else for the events
  op_key    bytea[]           NOT NULL,
  version   integer[]         NOT NULL,
  fence     integer[]         NOT NULL,
  state     operation_state[] NOT NULL,
  provider  text[]            NOT NULL,
  reason    text[]            NOT NULL,  -- elements may be null, as those of remote_id
  remote_id text[]            NOT NULL,
  CONSTRAINT outbox_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_arrays_are_of_one_length CHECK (
    cardinality(op_key) > 0
    AND cardinality(op_key) = ALL (ARRAY[
      cardinality(reconcile), cardinality(version), cardinality(fence), cardinality(state), cardinality(provider),
      cardinality(reason), cardinality(remote_id)]))
);

-- Written and deleted within milliseconds: packing them would cost more than it saves.
ALTER TABLE outbox
  ALTER COLUMN op_key SET STORAGE EXTERNAL, ALTER COLUMN version SET STORAGE EXTERNAL,
  ALTER COLUMN fence SET STORAGE EXTERNAL, ALTER COLUMN state SET STORAGE EXTERNAL,
  ALTER COLUMN provider SET STORAGE EXTERNAL, ALTER COLUMN reason SET STORAGE EXTERNAL,
  ALTER COLUMN remote_id SET STORAGE EXTERNAL, ALTER COLUMN reconcile SET STORAGE EXTERNAL;

-- What providers report by themselves, in webhooks and callbacks: written before it is acknowledged, once for its id. An event
-- changes no state. It becomes evidence of its operation, and whoever follows or looks for that operation asks the provider at
-- once: so neither the order nor the number of events matters, and a forged one does no harm.
CREATE TABLE inbox (
  provider    text        NOT NULL,
  event_id    text        NOT NULL,
  received_at timestamptz NOT NULL,
  op_key      bytea,                -- named by the address that it came to; else its reference tells, or its task
  reference   bytea,                -- the submission key that it names, if it does
  remote_id   text,
  word        text,                 -- the state that it reports, as Tollgate's words have it
  sha256      bytea       NOT NULL, -- of the whole body: the same event never comes with another
  headers     text,
  body        bytea       NOT NULL, -- raw, capped, redacted
  truncated   boolean     NOT NULL,
  copies      integer     NOT NULL,
  altered     boolean     NOT NULL, -- whether it came again with other bytes
  tries       smallint    NOT NULL, -- times that nobody could be told yet
  due         timestamptz,          -- null once whom it concerns knows, or nobody turned up
  CONSTRAINT inbox_event_comes_once PRIMARY KEY (provider, event_id),
  CONSTRAINT inbox_digest_is_sha256 CHECK (octet_length(sha256) = 32),
  CONSTRAINT inbox_body_is_capped CHECK (octet_length(body) <= 65536)
) WITH (fillfactor = 80);
CREATE INDEX inbox_due ON inbox (due) WHERE due IS NOT NULL;
-- how many there are of one operation, or of one task that no address names an operation for
CREATE INDEX inbox_operation ON inbox (op_key) WHERE op_key IS NOT NULL;
CREATE INDEX inbox_task ON inbox (remote_id, provider) WHERE op_key IS NULL;
CREATE INDEX inbox_reference ON inbox (reference) WHERE op_key IS NULL AND reference IS NOT NULL;
-- what may be forgotten one day, the oldest first
CREATE INDEX inbox_told ON inbox (received_at) WHERE due IS NULL;

-- Failed operations whose next generation the policy may ask for, and when that is decided. Written before the outbox row that
-- tells of the failure is deleted, deleted when the request is acknowledged or was decided against: so neither is lost. That the
-- next one has a key of its own, which follows from this one's, makes asking twice harmless.
CREATE TABLE regeneration (
  op_key bytea       NOT NULL,
  at     timestamptz NOT NULL,
  CONSTRAINT regeneration_pkey PRIMARY KEY (op_key)
) WITH (fillfactor = 80);
CREATE INDEX regeneration_due ON regeneration (at);

-- What people did about dead letters: a row for each replay or discard that was typed, kept for good. What it was told is in
-- `terms`, so that it can be gone on with when its process died.
CREATE TABLE dead_letter_run (
  id         bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind       text        NOT NULL,
  topic      text        NOT NULL,
  topic_id   uuid        NOT NULL,  -- of Kafka: a topic that is deleted and made again begins with offset 0 again
  who        text        NOT NULL,
  why        text        NOT NULL,
  terms      text        NOT NULL,  -- JSON
  started_at timestamptz NOT NULL,
  ended_at   timestamptz,
  holder     uuid        NOT NULL,  -- the process that goes through it; only the newest holder claims letters
  until      timestamptz NOT NULL,  -- another process may go on with it after this, unless the holder gave a sign of life
  replayed   bigint      NOT NULL DEFAULT 0,
  settled    bigint      NOT NULL DEFAULT 0,
  discarded  bigint      NOT NULL DEFAULT 0,
  passed     bigint,                -- letters that were meant and left as they were; null until it has ended
  micros     bigint      NOT NULL DEFAULT 0,  -- what was replayed costs, in millionths, as far as prices were known
  unpriced   bigint      NOT NULL DEFAULT 0,  -- replayed, and nobody knew the price
  CONSTRAINT dead_letter_run_pkey PRIMARY KEY (id),
  CONSTRAINT dead_letter_run_kind_is_known CHECK (kind IN ('replay', 'discard')),
  CONSTRAINT dead_letter_run_tells_what_it_left_at_its_end CHECK ((ended_at IS NULL) = (passed IS NULL))
);

-- What was decided about a dead letter, by its place: its record stays where it is. Claimed before it is sent, so that two
-- operators never send one letter twice; `claimed` by a run that ended is not known to be sent. A row whose letter Kafka has
-- forgotten is deleted by a later run, so the topic's own retention bounds this table.
CREATE TABLE dead_letter (
  topic_id  uuid        NOT NULL,
  partition integer     NOT NULL,
  off       bigint      NOT NULL,
  run       bigint      NOT NULL,
  fate      text        NOT NULL,
  at        timestamptz NOT NULL,
  note      text,                   -- where it was sent to, or what its operation came to
  CONSTRAINT dead_letter_is_decided_on_once PRIMARY KEY (topic_id, partition, off),
  CONSTRAINT dead_letter_fate_is_known CHECK (fate IN ('claimed', 'replayed', 'settled', 'discarded'))
);
CREATE INDEX dead_letter_of_run ON dead_letter (run);

-- Work that one process of the fleet does at a time, to save effort; nothing rests on it being only one.
CREATE TABLE duty (
  name   text        NOT NULL,
  holder uuid        NOT NULL,
  until  timestamptz NOT NULL,
  CONSTRAINT duty_pkey PRIMARY KEY (name)
);

-- For people with psql.
CREATE VIEW operations AS
SELECT convert_from(substring(i.op_key FROM 33), 'UTF8') || ':' || encode(substring(i.op_key FROM 1 FOR 32), 'hex') AS key,
       o.state, o.reason, o.review, i.provider, o.remote_id, o.fence, o.attempts, o.looks, o.lease_until,
       CASE WHEN o.state = 'sending' THEN 'sweep' ELSE w.role::text END AS next, coalesce(w.at, o.lease_until) AS next_at,
       i.created_at, o.changed_at, i.deadline, o.version, (i.dimensions::json ->> 'generation')::int AS generation,
       i.dimensions
FROM intent i
JOIN operation o ON o.seq = i.source_offset AND o.op_key = i.op_key
LEFT JOIN wake w ON w.seq = i.source_offset AND w.op_key = i.op_key;

-- The tables whose rows come and go are vacuumed by their own size, not by a share of a large one.
ALTER TABLE wake SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000,
                      autovacuum_vacuum_insert_scale_factor = 1, autovacuum_vacuum_insert_threshold = 1000000,
                      autovacuum_analyze_scale_factor = 1);
ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000);
ALTER TABLE lease SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);
ALTER TABLE chunk_outbox SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- The others only grow, or are changed in place once or twice, until they are forgotten. There is little to reclaim in them, and no hot
-- statement's plan depends on their statistics: each is vacuumed and analysed when it has a million rows and whenever it has
-- doubled, not when it grew by a fifth. What is deleted from them is reclaimed as usual. PostgreSQL looks each minute, so a
-- young installation under load would otherwise spend as much on that as on a third of its outcomes.
ALTER TABLE operation SET (autovacuum_vacuum_scale_factor = 0.5, autovacuum_vacuum_threshold = 1000000,
                           autovacuum_vacuum_insert_scale_factor = 1, autovacuum_vacuum_insert_threshold = 1000000,
                           autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 2000000);
ALTER TABLE intent SET (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_vacuum_insert_threshold = 1000000,
                        autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 1000000);
ALTER TABLE attempt SET (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_vacuum_insert_threshold = 1000000,
                         autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 1000000);
ALTER TABLE evidence SET (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_vacuum_insert_threshold = 1000000,
                          autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 1000000);
ALTER TABLE chunk SET (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_vacuum_insert_threshold = 1000000,
                       autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 1000000);
ALTER TABLE remote_task SET (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_vacuum_insert_threshold = 1000000,
                             autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 1000000);
ALTER TABLE output SET (autovacuum_vacuum_insert_scale_factor = 1, autovacuum_vacuum_insert_threshold = 1000000,
                        autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 1000000);
