-- The migrated database, written by `make schema`; change the tables with a new migration instead.
-- Those of procrastinate and of LangGraph's saver are here too, as they make them themselves.
--
-- clock
-- workspaces: The tenant. Every other row carries its id; nothing of one is visible to another.
-- event_counters: The last seq of each workspace's log: a row, so that sequences have no gaps and no late commits.
-- events
-- threads: A LangGraph thread that is leased and fenced. A Task's id is its task_id, Main's the message_id.
-- turns: From a wake-up to the next wait. A new worker's attempt raises attempts and takes a new holder.
-- tasks
-- messages: What people and the agent said. A person's message is idempotent by client_id.
-- routes: Where a message went and why: layer 1 is code, 2 the router model, 3 the checks.
-- inbox: Delivered is not consumed: a row per message given to a task, consumed by a step.
-- steps: One inference and the calls it proposed. The row exists ⇒ the model is not asked again.
-- happenings: What happened after a call's only tool message: entries of the dynamic tail.
-- approvals
-- ledger: One row per call a model proposed: the only vocabulary for how far it got.
-- budgets: A task's money. Everything in integer micro-units of the workspace's currency.
-- holds
-- money_entries: Every change of a budget, append-only; the account is their sum.
-- jobs: Paid or slow work: submitted once, read until its end, collected, settled. Own lease, own fence.
-- checklists: The plan as structure. The model proposes versions; only an approved one drives the work.
-- checklist_items
-- deliveries
-- objects: What is being made. Stable identity, immutable versions.
-- object_versions
-- idempotency_keys: scope 'request': an Idempotency-Key and the answer it got, stored with what the request changed. scope 'message': a message's client_id and the position of the log from which its events can be read.
-- log_identity: Which log this is: a client that comes with a position of another database's log is told to start anew.
-- model_calls: Every request to a chat model: written before it is sent, ended with what its service has counted. One that never ended was sent by a process that died; what it cost is not known.
-- callback_keys: What makes addresses for providers' calls unguessable; made once, never shown.
-- reviews: What a person has said of a step's results: one row per question that was answered and applied.
-- task_index
-- route_examples: What people have corrected about where a message went: examples for the next ones of the workspace.
-- task_reads: What a task has read of another one: by which call, and what it was told.
-- route_reads: What the router has read of tasks before it decided about a message: on record, and kept for a re-run, which goes on after it.
-- verdicts: Every look of the stop-check: what it decided, why, and the facts that it rested on.
-- task_limits: What a person has let one production do beyond that, in one life of it.
-- changes: What rests on what: a result of a plan's slot may no longer fit when something that went into it has changed. One row for each such result and each change; what was decided about it stays here.
-- acceptances: A delivered work waits to be accepted: by a person, or by what they allow without being asked. One row per delivery; the work itself has ended, and nothing is paid or hidden by it.
-- judgements: What a judge has proposed about results that were to be delivered: evidence, never an approval.
-- task_words: One row for each word of a task to another; delivered, it is a message in the other's inbox.
-- delegations: A child: the task that works for another, with money and rounds of that one's.

--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: vector; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;

--
-- Name: EXTENSION vector; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON EXTENSION vector IS 'vector data type and ivfflat and hnsw access methods';

--
-- Name: procrastinate_job_event_type; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.procrastinate_job_event_type AS ENUM (
    'deferred',
    'started',
    'deferred_for_retry',
    'failed',
    'succeeded',
    'cancelled',
    'abort_requested',
    'aborted',
    'scheduled',
    'retried'
);

--
-- Name: procrastinate_job_status; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.procrastinate_job_status AS ENUM (
    'todo',
    'doing',
    'succeeded',
    'failed',
    'cancelled',
    'aborting',
    'aborted'
);

--
-- Name: procrastinate_job_to_defer_v1; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.procrastinate_job_to_defer_v1 AS (
	queue_name character varying,
	task_name character varying,
	priority integer,
	lock text,
	queueing_lock text,
	args jsonb,
	scheduled_at timestamp with time zone
);

--
-- Name: app_now(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.app_now() RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
declare
    fixed text := current_setting('atelier.now', true);
begin
    if fixed <> '' then
        return fixed::timestamptz;
    end if;
    return clock_timestamp() + (select offset_by from public.clock);
end;
$$;

--
-- Name: check_account(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.check_account() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
    wrong record;
begin
    select b.task_id, b.limit_micros, b.held_micros, b.settled_micros, b.absorbed_micros
    into wrong
    from budgets as b
    left join accounts as a on a.task_id = b.task_id and a.workspace_id = b.workspace_id
    where b.task_id = new.task_id
      and (b.limit_micros, b.held_micros, b.settled_micros, b.absorbed_micros)
          is distinct from (coalesce(a.limit_micros, 0), coalesce(a.held_micros, 0),
                            coalesce(a.settled_micros, 0), coalesce(a.absorbed_micros, 0));
    if found then
        raise exception 'the budget of task % is not the sum of its entries', new.task_id
            using errcode = 'integrity_constraint_violation', table = 'budgets',
                  constraint = 'budgets_are_the_sum_of_their_entries';
    end if;
    return null;
end;
$$;

--
-- Name: count_working_time(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_working_time() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if new.epoch <> old.epoch then
        new.worked := '0';
    elsif old.going_since is not null then
        new.worked := old.worked + greatest(app_now() - old.going_since, '0');
    end if;
    new.going_since :=
        case when goes_on(new.status, coalesce(new.waiting_reason, '')) then app_now() end;
    return new;
end;
$$;

--
-- Name: goes_on(text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.goes_on(status text, waiting_reason text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select status = 'active' or (status = 'waiting' and waiting_reason in ('jobs', 'provider'))
$$;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: threads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.threads (
    thread_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    generation bigint DEFAULT 0 NOT NULL,
    wake_seq bigint DEFAULT 0 NOT NULL,
    handled_seq bigint DEFAULT 0 NOT NULL,
    wake_at timestamp with time zone,
    holds_order boolean DEFAULT false NOT NULL,
    head_checkpoint_id text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT threads_check CHECK ((handled_seq <= wake_seq)),
    CONSTRAINT threads_kind_check CHECK ((kind = ANY (ARRAY['main'::text, 'task'::text])))
);

--
-- Name: is_its_turn(public.threads); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.is_its_turn(t public.threads) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NOT (EXISTS (SELECT FROM public.threads earlier WHERE ((is_its_turn.t).holds_order AND earlier.holds_order AND (earlier.workspace_id = (is_its_turn.t).workspace_id) AND (ROW(earlier.created_at, earlier.thread_id) < ROW((is_its_turn.t).created_at, (is_its_turn.t).thread_id))))));

--
-- Name: procrastinate_cancel_job_v1(bigint, boolean, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_cancel_job_v1(job_id bigint, abort boolean, delete_job boolean) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status = 'todo'
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        IF abort THEN
            UPDATE procrastinate_jobs
            SET abort_requested = true,
                status = CASE status
                    WHEN 'todo' THEN 'cancelled'::procrastinate_job_status ELSE status
                END
            WHERE id = job_id AND status IN ('todo', 'doing')
            RETURNING id INTO _job_id;
        ELSE
            UPDATE procrastinate_jobs
            SET status = 'cancelled'::procrastinate_job_status
            WHERE id = job_id AND status = 'todo'
            RETURNING id INTO _job_id;
        END IF;
    END IF;
    RETURN _job_id;
END;
$$;

--
-- Name: procrastinate_defer_jobs_v1(public.procrastinate_job_to_defer_v1[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_defer_jobs_v1(jobs public.procrastinate_job_to_defer_v1[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    job_ids bigint[];
BEGIN
    WITH inserted_jobs AS (
        INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args, scheduled_at)
        SELECT (job).queue_name,
               (job).task_name,
               (job).priority,
               (job).lock,
               (job).queueing_lock,
               (job).args,
               (job).scheduled_at
        FROM unnest(jobs) AS job
        RETURNING id
    )
    SELECT array_agg(id) FROM inserted_jobs INTO job_ids;

    RETURN job_ids;
END;
$$;

--
-- Name: procrastinate_defer_periodic_job_v2(character varying, character varying, character varying, character varying, integer, character varying, bigint, jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_defer_periodic_job_v2(_queue_name character varying, _lock character varying, _queueing_lock character varying, _task_name character varying, _priority integer, _periodic_id character varying, _defer_timestamp bigint, _args jsonb) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
	_job_id bigint;
	_defer_id bigint;
BEGIN
    INSERT
        INTO procrastinate_periodic_defers (task_name, periodic_id, defer_timestamp)
        VALUES (_task_name, _periodic_id, _defer_timestamp)
        ON CONFLICT DO NOTHING
        RETURNING id into _defer_id;

    IF _defer_id IS NULL THEN
        RETURN NULL;
    END IF;

    UPDATE procrastinate_periodic_defers
        SET job_id = (
            SELECT COALESCE((
                SELECT unnest(procrastinate_defer_jobs_v1(
                    ARRAY[
                        ROW(
                            _queue_name,
                            _task_name,
                            _priority,
                            _lock,
                            _queueing_lock,
                            _args,
                            NULL::timestamptz
                        )
                    ]::procrastinate_job_to_defer_v1[]
                ))
            ), NULL)
        )
        WHERE id = _defer_id
        RETURNING job_id INTO _job_id;

    DELETE
        FROM procrastinate_periodic_defers
        USING (
            SELECT id
            FROM procrastinate_periodic_defers
            WHERE procrastinate_periodic_defers.task_name = _task_name
            AND procrastinate_periodic_defers.periodic_id = _periodic_id
            AND procrastinate_periodic_defers.defer_timestamp < _defer_timestamp
            ORDER BY id
            FOR UPDATE
        ) to_delete
        WHERE procrastinate_periodic_defers.id = to_delete.id;

    RETURN _job_id;
END;
$$;

--
-- Name: procrastinate_jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.procrastinate_jobs (
    id bigint NOT NULL,
    queue_name character varying(128) NOT NULL,
    task_name character varying(128) NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    lock text,
    queueing_lock text,
    args jsonb DEFAULT '{}'::jsonb NOT NULL,
    status public.procrastinate_job_status DEFAULT 'todo'::public.procrastinate_job_status NOT NULL,
    scheduled_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    abort_requested boolean DEFAULT false NOT NULL,
    worker_id bigint,
    CONSTRAINT check_not_todo_abort_requested CHECK ((NOT ((status = 'todo'::public.procrastinate_job_status) AND (abort_requested = true))))
);

--
-- Name: procrastinate_fetch_job_v2(character varying[], bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_fetch_job_v2(target_queue_names character varying[], p_worker_id bigint) RETURNS public.procrastinate_jobs
    LANGUAGE plpgsql
    AS $$
DECLARE
	found_jobs procrastinate_jobs;
BEGIN
    WITH candidate AS (
        SELECT jobs.*
            FROM procrastinate_jobs AS jobs
            WHERE
                -- reject the job if its lock has earlier or higher priority jobs
                NOT EXISTS (
                    SELECT 1
                        FROM procrastinate_jobs AS other_jobs
                        WHERE
                            jobs.lock IS NOT NULL
                            AND other_jobs.lock = jobs.lock
                            AND (
                                -- job with same lock is already running
                                other_jobs.status = 'doing'
                                OR
                                -- job with same lock is waiting and has higher priority (or same priority but was queued first)
                                (
                                    other_jobs.status = 'todo'
                                    AND (
                                        other_jobs.priority > jobs.priority
                                        OR (
                                        other_jobs.priority = jobs.priority
                                        AND other_jobs.id < jobs.id
                                        )
                                    )
                                )
                            )
                )
                AND jobs.status = 'todo'
                AND (target_queue_names IS NULL OR jobs.queue_name = ANY( target_queue_names ))
                AND (jobs.scheduled_at IS NULL OR jobs.scheduled_at <= now())
            ORDER BY jobs.priority DESC, jobs.id ASC LIMIT 1
            FOR UPDATE OF jobs SKIP LOCKED
    )
    UPDATE procrastinate_jobs
        SET status = 'doing', worker_id = p_worker_id
        FROM candidate
        WHERE procrastinate_jobs.id = candidate.id
        RETURNING procrastinate_jobs.* INTO found_jobs;

 RETURN found_jobs;
END;
$$;

--
-- Name: procrastinate_finish_job_v1(bigint, public.procrastinate_job_status, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_finish_job_v1(job_id bigint, end_status public.procrastinate_job_status, delete_job boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF end_status NOT IN ('succeeded', 'failed', 'aborted') THEN
        RAISE 'End status should be either "succeeded", "failed" or "aborted" (job id: %)', job_id;
    END IF;
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = end_status,
            abort_requested = false,
            attempts = CASE status
                WHEN 'doing' THEN attempts + 1 ELSE attempts
            END
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" or "todo" status (job id: %)', job_id;
    END IF;
END;
$$;

--
-- Name: procrastinate_notify_queue_abort_job_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_notify_queue_abort_job_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'abort_job_requested', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;

--
-- Name: procrastinate_notify_queue_job_inserted_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_notify_queue_job_inserted_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'job_inserted', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;

--
-- Name: procrastinate_prune_stalled_workers_v1(double precision); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_prune_stalled_workers_v1(seconds_since_heartbeat double precision) RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN QUERY
    DELETE FROM procrastinate_workers
    WHERE last_heartbeat < NOW() - (seconds_since_heartbeat || 'SECOND')::INTERVAL
    RETURNING procrastinate_workers.id;
END;
$$;

--
-- Name: procrastinate_register_worker_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_register_worker_v1() RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN QUERY
    INSERT INTO procrastinate_workers DEFAULT VALUES
    RETURNING procrastinate_workers.id;
END;
$$;

--
-- Name: procrastinate_retry_job_v1(bigint, timestamp with time zone, integer, character varying, character varying); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_retry_job_v1(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
BEGIN
    SELECT abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status = 'doing'
    FOR UPDATE
    INTO _abort_requested;
    IF _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" status (job id: %)', job_id;
    END IF;
END;
$$;

--
-- Name: procrastinate_retry_job_v2(bigint, timestamp with time zone, integer, character varying, character varying); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_retry_job_v2(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
    _current_status procrastinate_job_status;
BEGIN
    SELECT status, abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status IN ('doing', 'failed')
    FOR UPDATE
    INTO _current_status, _abort_requested;
    IF _current_status = 'doing' AND _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status IN ('doing', 'failed')
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or has an invalid status to retry (job id: %)', job_id;
    END IF;

END;
$$;

--
-- Name: procrastinate_trigger_abort_requested_events_procedure_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_trigger_abort_requested_events_procedure_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'abort_requested'::procrastinate_job_event_type);
    RETURN NEW;
END;
$$;

--
-- Name: procrastinate_trigger_function_scheduled_events_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_trigger_function_scheduled_events_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type, at)
        VALUES (NEW.id, 'scheduled'::procrastinate_job_event_type, NEW.scheduled_at);

	RETURN NEW;
END;
$$;

--
-- Name: procrastinate_trigger_function_status_events_insert_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_trigger_function_status_events_insert_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'deferred'::procrastinate_job_event_type);
	RETURN NEW;
END;
$$;

--
-- Name: procrastinate_trigger_function_status_events_update_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_trigger_function_status_events_update_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH t AS (
        SELECT CASE
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND NEW.status = 'doing'::procrastinate_job_status
                THEN 'started'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'deferred_for_retry'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'failed'::procrastinate_job_status
                THEN 'failed'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'succeeded'::procrastinate_job_status
                THEN 'succeeded'::procrastinate_job_event_type
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND (
                    NEW.status = 'cancelled'::procrastinate_job_status
                    OR NEW.status = 'failed'::procrastinate_job_status
                    OR NEW.status = 'succeeded'::procrastinate_job_status
                )
                THEN 'cancelled'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'aborted'::procrastinate_job_status
                THEN 'aborted'::procrastinate_job_event_type
            WHEN OLD.status = 'failed'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'retried'::procrastinate_job_event_type
            ELSE NULL
        END as event_type
    )
    INSERT INTO procrastinate_events(job_id, type)
        SELECT NEW.id, t.event_type
        FROM t
        WHERE t.event_type IS NOT NULL;
	RETURN NEW;
END;
$$;

--
-- Name: procrastinate_unlink_periodic_defers_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_unlink_periodic_defers_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE procrastinate_periodic_defers
    SET job_id = NULL
    WHERE job_id = OLD.id;
    RETURN OLD;
END;
$$;

--
-- Name: procrastinate_unregister_worker_v1(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_unregister_worker_v1(worker_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM procrastinate_workers
    WHERE id = worker_id;
END;
$$;

--
-- Name: procrastinate_update_heartbeat_v1(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_update_heartbeat_v1(worker_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE procrastinate_workers
    SET last_heartbeat = NOW()
    WHERE id = worker_id;
END;
$$;

--
-- Name: refuse_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'what was entered in % is for good', tg_table_name
        using errcode = 'integrity_constraint_violation';
end;
$$;

--
-- Name: acceptances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.acceptances (
    task_id uuid NOT NULL,
    revision integer NOT NULL,
    workspace_id uuid NOT NULL,
    inputs_hash text NOT NULL,
    saw jsonb NOT NULL,
    state text DEFAULT 'awaiting'::text NOT NULL,
    basis text,
    decided_by text,
    note text,
    offered jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT acceptances_basis_check CHECK ((basis = ANY (ARRAY['person'::text, 'grant'::text]))),
    CONSTRAINT acceptances_check CHECK (((state = ANY (ARRAY['accepted'::text, 'changes_asked'::text])) = (decided_at IS NOT NULL))),
    CONSTRAINT acceptances_check1 CHECK (((basis IS NULL) = (decided_at IS NULL))),
    CONSTRAINT acceptances_check2 CHECK (((basis <> 'grant'::text) OR (state <> 'changes_asked'::text))),
    CONSTRAINT acceptances_state_check CHECK ((state = ANY (ARRAY['awaiting'::text, 'accepted'::text, 'changes_asked'::text, 'superseded'::text])))
);

--
-- Name: money_entries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.money_entries (
    entry_id bigint NOT NULL,
    workspace_id uuid NOT NULL,
    task_id uuid NOT NULL,
    call_key text,
    kind text NOT NULL,
    amount_micros bigint NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT money_entries_kind_check CHECK ((kind = ANY (ARRAY['limit'::text, 'carve'::text, 'hold'::text, 'settle'::text, 'release'::text, 'absorb'::text, 'refund'::text, 'tokens'::text])))
);

--
-- Name: accounts; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.accounts AS
 SELECT task_id,
    workspace_id,
    (COALESCE(sum(amount_micros) FILTER (WHERE (kind = ANY (ARRAY['limit'::text, 'carve'::text]))), (0)::numeric))::bigint AS limit_micros,
    (COALESCE(sum(
        CASE kind
            WHEN 'hold'::text THEN amount_micros
            WHEN 'settle'::text THEN (- amount_micros)
            WHEN 'release'::text THEN (- amount_micros)
            ELSE NULL::bigint
        END), (0)::numeric))::bigint AS held_micros,
    (COALESCE(sum(amount_micros) FILTER (WHERE (kind = 'settle'::text)), (0)::numeric))::bigint AS settled_micros,
    (COALESCE(sum(amount_micros) FILTER (WHERE (kind = 'absorb'::text)), (0)::numeric))::bigint AS absorbed_micros
   FROM public.money_entries
  GROUP BY task_id, workspace_id;

--
-- Name: approvals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.approvals (
    approval_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    task_id uuid,
    thread_id uuid NOT NULL,
    kind text NOT NULL,
    call_key text,
    title text NOT NULL,
    body text NOT NULL,
    card jsonb DEFAULT '{}'::jsonb NOT NULL,
    actions text[] NOT NULL,
    args_hash text NOT NULL,
    price_micros bigint,
    maximum_micros bigint,
    status text DEFAULT 'pending'::text NOT NULL,
    decision jsonb,
    decided_by text,
    decided_at timestamp with time zone,
    used_at timestamp with time zone,
    expires_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT approvals_check CHECK (((status = ANY (ARRAY['approved'::text, 'edited'::text, 'rejected'::text, 'chosen'::text])) = (decided_at IS NOT NULL))),
    CONSTRAINT approvals_kind_check CHECK ((kind = ANY (ARRAY['plan'::text, 'call'::text, 'question'::text, 'route'::text, 'review'::text, 'gaps'::text]))),
    CONSTRAINT approvals_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'edited'::text, 'rejected'::text, 'chosen'::text, 'expired'::text, 'superseded'::text])))
);

--
-- Name: budgets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.budgets (
    task_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    limit_micros bigint DEFAULT 0 NOT NULL,
    held_micros bigint DEFAULT 0 NOT NULL,
    settled_micros bigint DEFAULT 0 NOT NULL,
    absorbed_micros bigint DEFAULT 0 NOT NULL,
    CONSTRAINT budgets_absorbed_micros_check CHECK ((absorbed_micros >= 0)),
    CONSTRAINT budgets_check CHECK (((held_micros + settled_micros) <= limit_micros)),
    CONSTRAINT budgets_held_micros_check CHECK ((held_micros >= 0)),
    CONSTRAINT budgets_limit_micros_check CHECK ((limit_micros >= 0)),
    CONSTRAINT budgets_settled_micros_check CHECK ((settled_micros >= 0))
);

--
-- Name: callback_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.callback_keys (
    only_row boolean DEFAULT true NOT NULL,
    key bytea DEFAULT (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) NOT NULL,
    CONSTRAINT callback_keys_only_row_check CHECK (only_row)
);

--
-- Name: changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.changes (
    change_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    task_id uuid NOT NULL,
    step_key text NOT NULL,
    slot integer NOT NULL,
    object_id uuid NOT NULL,
    version integer NOT NULL,
    cause_object_id uuid NOT NULL,
    cause_from integer NOT NULL,
    cause_to_object_id uuid NOT NULL,
    cause_to integer NOT NULL,
    part text DEFAULT ''::text NOT NULL,
    print text NOT NULL,
    via uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    decided_by text,
    decided_at timestamp with time zone,
    plan_version integer,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    wake_due boolean DEFAULT true NOT NULL,
    CONSTRAINT changes_check CHECK (((status = 'pending'::text) = (decided_at IS NULL))),
    CONSTRAINT changes_check1 CHECK (((decided_by IS NULL) = (decided_at IS NULL))),
    CONSTRAINT changes_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'kept'::text, 'remade'::text, 'obsolete'::text])))
);

--
-- Name: checklist_items; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.checklist_items (
    task_id uuid NOT NULL,
    version integer NOT NULL,
    key text NOT NULL,
    workspace_id uuid NOT NULL,
    "position" integer NOT NULL,
    title text NOT NULL,
    kind text NOT NULL,
    depends_on text[] DEFAULT '{}'::text[] NOT NULL,
    expected_count integer NOT NULL,
    seconds real DEFAULT 0 NOT NULL,
    review boolean DEFAULT false NOT NULL,
    from_version integer NOT NULL,
    slot_versions jsonb DEFAULT '{}'::jsonb NOT NULL,
    price_micros bigint DEFAULT 0 NOT NULL,
    CONSTRAINT checklist_items_expected_count_check CHECK ((expected_count >= 1))
);

--
-- Name: checklists; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.checklists (
    task_id uuid NOT NULL,
    version integer NOT NULL,
    workspace_id uuid NOT NULL,
    title text NOT NULL,
    summary text NOT NULL,
    format jsonb NOT NULL,
    status text DEFAULT 'proposed'::text NOT NULL,
    call_key text NOT NULL,
    quote_micros bigint NOT NULL,
    maximum_micros bigint NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    within_allowance boolean DEFAULT false NOT NULL,
    revision jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT checklists_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'approved'::text, 'rejected'::text, 'superseded'::text])))
);

--
-- Name: checkpoint_blobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.checkpoint_blobs (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    channel text NOT NULL,
    version text NOT NULL,
    type text NOT NULL,
    blob bytea
);

--
-- Name: checkpoint_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.checkpoint_migrations (
    v integer NOT NULL
);

--
-- Name: checkpoint_writes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.checkpoint_writes (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    checkpoint_id text NOT NULL,
    task_id text NOT NULL,
    idx integer NOT NULL,
    channel text NOT NULL,
    type text,
    blob bytea NOT NULL,
    task_path text DEFAULT ''::text NOT NULL
);

--
-- Name: checkpoints; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.checkpoints (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    checkpoint_id text NOT NULL,
    parent_checkpoint_id text,
    type text,
    checkpoint jsonb NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL
);

--
-- Name: clock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.clock (
    only_row boolean DEFAULT true NOT NULL,
    offset_by interval DEFAULT '00:00:00'::interval NOT NULL,
    CONSTRAINT clock_only_row_check CHECK (only_row)
);

--
-- Name: delegations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.delegations (
    child_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    parent_id uuid NOT NULL,
    call_key text NOT NULL,
    epoch integer NOT NULL,
    depth integer NOT NULL,
    carved_micros bigint NOT NULL,
    returned_micros bigint DEFAULT 0 NOT NULL,
    carved_rounds integer NOT NULL,
    used_rounds integer,
    reported text,
    paused_with_parent boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    closed_at timestamp with time zone,
    CONSTRAINT delegations_carved_micros_check CHECK ((carved_micros >= 0)),
    CONSTRAINT delegations_carved_rounds_check CHECK ((carved_rounds > 0)),
    CONSTRAINT delegations_check CHECK (((returned_micros >= 0) AND (returned_micros <= carved_micros))),
    CONSTRAINT delegations_check1 CHECK ((child_id <> parent_id)),
    CONSTRAINT delegations_check2 CHECK (((closed_at IS NULL) = (used_rounds IS NULL))),
    CONSTRAINT delegations_depth_check CHECK (((depth >= 1) AND (depth <= 2)))
);

--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deliveries (
    task_id uuid NOT NULL,
    revision integer NOT NULL,
    workspace_id uuid NOT NULL,
    status text NOT NULL,
    report jsonb NOT NULL,
    inputs_hash text NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['delivered'::text, 'refused'::text])))
);

--
-- Name: event_counters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_counters (
    workspace_id uuid NOT NULL,
    seq bigint DEFAULT 0 NOT NULL
);

--
-- Name: events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.events (
    workspace_id uuid NOT NULL,
    seq bigint NOT NULL,
    type text NOT NULL,
    task_id uuid,
    cause text,
    data jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);

--
-- Name: happenings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.happenings (
    happening_id bigint NOT NULL,
    workspace_id uuid NOT NULL,
    task_id uuid NOT NULL,
    call_key text,
    text text NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);

--
-- Name: happenings_happening_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.happenings ALTER COLUMN happening_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.happenings_happening_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: holds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.holds (
    workspace_id uuid NOT NULL,
    call_key text NOT NULL,
    task_id uuid NOT NULL,
    amount_micros bigint NOT NULL,
    settled_micros bigint DEFAULT 0 NOT NULL,
    absorbed_micros bigint DEFAULT 0 NOT NULL,
    status text DEFAULT 'held'::text NOT NULL,
    basis text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    closed_at timestamp with time zone,
    CONSTRAINT holds_absorbed_micros_check CHECK ((absorbed_micros >= 0)),
    CONSTRAINT holds_amount_micros_check CHECK ((amount_micros >= 0)),
    CONSTRAINT holds_basis_check CHECK ((basis = ANY (ARRAY['reported'::text, 'units_price'::text, 'derived'::text, 'assumed_max'::text]))),
    CONSTRAINT holds_check CHECK (((settled_micros >= 0) AND (settled_micros <= amount_micros))),
    CONSTRAINT holds_status_check CHECK ((status = ANY (ARRAY['held'::text, 'settled'::text, 'released'::text])))
);

--
-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_keys (
    workspace_id uuid NOT NULL,
    scope text NOT NULL,
    key text NOT NULL,
    request_sha256 text NOT NULL,
    answer jsonb,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT idempotency_keys_scope_check CHECK ((scope = ANY (ARRAY['request'::text, 'message'::text])))
);

--
-- Name: inbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inbox (
    inbox_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    task_id uuid NOT NULL,
    "position" bigint NOT NULL,
    message_id uuid NOT NULL,
    status text DEFAULT 'delivered'::text NOT NULL,
    consumed_by uuid,
    effect text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT inbox_check CHECK (((status = 'consumed'::text) = (consumed_by IS NOT NULL))),
    CONSTRAINT inbox_status_check CHECK ((status = ANY (ARRAY['delivered'::text, 'consumed'::text, 'withdrawn'::text, 'replaced'::text, 'moved'::text])))
);

--
-- Name: inbox_position_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.inbox ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.inbox_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.jobs (
    job_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    task_id uuid NOT NULL,
    call_key text NOT NULL,
    provider text NOT NULL,
    operation text NOT NULL,
    title text NOT NULL,
    step_key text,
    slot integer,
    request jsonb NOT NULL,
    request_sha256 text NOT NULL,
    phase text DEFAULT 'queued'::text NOT NULL,
    provider_job_id text,
    provider_ref jsonb,
    progress real,
    error jsonb,
    result jsonb,
    generation bigint DEFAULT 0 NOT NULL,
    holder uuid,
    lease_expires_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    deadline_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    updated_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    closed_at timestamp with time zone,
    late_looks integer DEFAULT 0 NOT NULL,
    late_look_at timestamp with time zone,
    hinted_at timestamp with time zone,
    hinted_job_id text,
    cancel_asked_at timestamp with time zone,
    cancel_sent_at timestamp with time zone,
    lane text DEFAULT 'here'::text NOT NULL,
    begun_at timestamp with time zone,
    CONSTRAINT jobs_lane_check CHECK ((lane = ANY (ARRAY['here'::text, 'away'::text]))),
    CONSTRAINT jobs_late_look_check CHECK (((late_look_at IS NULL) OR (closed_at IS NOT NULL))),
    CONSTRAINT jobs_phase_check CHECK ((phase = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'unknown'::text])))
);

--
-- Name: judgements; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judgements (
    task_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    inputs_hash text NOT NULL,
    judge text NOT NULL,
    model text NOT NULL,
    version text NOT NULL,
    proposals jsonb NOT NULL,
    looked_at jsonb DEFAULT '[]'::jsonb NOT NULL,
    failure text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT judgements_judge_check CHECK ((judge = ANY (ARRAY['rules'::text, 'model'::text])))
);

--
-- Name: ledger; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ledger (
    workspace_id uuid NOT NULL,
    call_key text NOT NULL,
    task_id uuid NOT NULL,
    step_id uuid NOT NULL,
    seq integer NOT NULL,
    tool text NOT NULL,
    risk text NOT NULL,
    arguments jsonb NOT NULL,
    args_hash text NOT NULL,
    tool_call_id text NOT NULL,
    tool_message text NOT NULL,
    plan_version integer,
    step_key text,
    slot integer,
    request jsonb,
    status text NOT NULL,
    verdict text NOT NULL,
    refusal text,
    quote_micros bigint,
    approval_id uuid,
    result jsonb,
    outcome text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    updated_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT ledger_check CHECK (((verdict = 'refuse'::text) = (refusal IS NOT NULL))),
    CONSTRAINT ledger_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text, 'unknown'::text, 'refused'::text]))),
    CONSTRAINT ledger_refusal_check CHECK ((refusal = ANY (ARRAY['capability'::text, 'permission'::text, 'budget'::text, 'invalid'::text]))),
    CONSTRAINT ledger_risk_check CHECK ((risk = ANY (ARRAY['read'::text, 'write'::text, 'paid'::text, 'irreversible'::text]))),
    CONSTRAINT ledger_status_check CHECK ((status = ANY (ARRAY['planned'::text, 'held'::text, 'submitting'::text, 'accepted'::text, 'rejected'::text, 'unknown'::text, 'running'::text, 'succeeded'::text, 'collecting'::text, 'collected'::text, 'failed'::text, 'cancel_requested'::text, 'cancelled'::text, 'expired'::text, 'settled'::text]))),
    CONSTRAINT ledger_verdict_check CHECK ((verdict = ANY (ARRAY['allow'::text, 'ask'::text, 'refuse'::text])))
);

--
-- Name: log_identity; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log_identity (
    only_row boolean DEFAULT true NOT NULL,
    epoch uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT log_identity_only_row_check CHECK (only_row)
);

--
-- Name: messages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.messages (
    message_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    client_id text,
    role text NOT NULL,
    text text NOT NULL,
    language text NOT NULL,
    status text NOT NULL,
    task_id uuid,
    object_id uuid,
    approval_id uuid,
    reply_to uuid,
    cause text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    origin text DEFAULT 'page'::text NOT NULL,
    object_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    CONSTRAINT messages_of_tasks_check CHECK (((role = 'task'::text) = (origin = 'task'::text))),
    CONSTRAINT messages_origin_check CHECK ((origin = ANY (ARRAY['page'::text, 'api_key'::text, 'task'::text]))),
    CONSTRAINT messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text, 'task'::text]))),
    CONSTRAINT messages_status_check CHECK ((status = ANY (ARRAY['received'::text, 'routed'::text, 'delivered'::text, 'consumed'::text, 'withdrawn'::text, 'replaced'::text, 'moved'::text, 'refused'::text, 'answered'::text, 'streaming'::text, 'complete'::text])))
);

--
-- Name: model_calls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.model_calls (
    model_call_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    task_id uuid,
    thread_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    role text NOT NULL,
    model text NOT NULL,
    prompt_sha256 text NOT NULL,
    outcome text,
    input_tokens bigint,
    cached_tokens bigint,
    cache_write_tokens bigint,
    output_tokens bigint,
    price_micros bigint,
    asked_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT model_calls_cache_write_tokens_check CHECK ((cache_write_tokens >= 0)),
    CONSTRAINT model_calls_cached_tokens_check CHECK ((cached_tokens >= 0)),
    CONSTRAINT model_calls_check CHECK (((outcome IS NULL) = (ended_at IS NULL))),
    CONSTRAINT model_calls_check1 CHECK (((price_micros IS NULL) OR (input_tokens IS NOT NULL))),
    CONSTRAINT model_calls_input_tokens_check CHECK ((input_tokens >= 0)),
    CONSTRAINT model_calls_outcome_check CHECK ((outcome = ANY (ARRAY['answered'::text, 'broken'::text, 'refused'::text]))),
    CONSTRAINT model_calls_output_tokens_check CHECK ((output_tokens >= 0)),
    CONSTRAINT model_calls_price_micros_check CHECK ((price_micros >= 0)),
    CONSTRAINT model_calls_role_check CHECK ((role = ANY (ARRAY['router'::text, 'reply'::text, 'worker'::text, 'judge'::text])))
);

--
-- Name: money_entries_entry_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.money_entries ALTER COLUMN entry_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.money_entries_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: object_versions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.object_versions (
    object_id uuid NOT NULL,
    version integer NOT NULL,
    workspace_id uuid NOT NULL,
    blob_sha256 text NOT NULL,
    media_type text NOT NULL,
    size bigint NOT NULL,
    meta jsonb DEFAULT '{}'::jsonb NOT NULL,
    author text NOT NULL,
    cause text NOT NULL,
    inputs jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT object_versions_author_check CHECK ((author = ANY (ARRAY['user'::text, 'agent'::text, 'job'::text]))),
    CONSTRAINT object_versions_size_check CHECK ((size >= 0))
);

--
-- Name: objects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.objects (
    object_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    role text NOT NULL,
    name text NOT NULL,
    task_id uuid,
    step_key text,
    slot integer,
    head_version integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT objects_kind_check CHECK ((kind = ANY (ARRAY['document'::text, 'image'::text, 'video'::text, 'audio'::text, 'captions'::text, 'timeline'::text, 'timings'::text, 'model3d'::text])))
);

--
-- Name: procrastinate_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.procrastinate_events (
    id bigint NOT NULL,
    job_id bigint NOT NULL,
    type public.procrastinate_job_event_type,
    at timestamp with time zone DEFAULT now()
);

--
-- Name: procrastinate_events_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.procrastinate_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

--
-- Name: procrastinate_events_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.procrastinate_events_id_seq OWNED BY public.procrastinate_events.id;

--
-- Name: procrastinate_jobs_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.procrastinate_jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

--
-- Name: procrastinate_jobs_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.procrastinate_jobs_id_seq OWNED BY public.procrastinate_jobs.id;

--
-- Name: procrastinate_periodic_defers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.procrastinate_periodic_defers (
    id bigint NOT NULL,
    task_name character varying(128) NOT NULL,
    defer_timestamp bigint,
    job_id bigint,
    periodic_id character varying(128) DEFAULT ''::character varying NOT NULL
);

--
-- Name: procrastinate_periodic_defers_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.procrastinate_periodic_defers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

--
-- Name: procrastinate_periodic_defers_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.procrastinate_periodic_defers_id_seq OWNED BY public.procrastinate_periodic_defers.id;

--
-- Name: procrastinate_workers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.procrastinate_workers (
    id bigint NOT NULL,
    last_heartbeat timestamp with time zone DEFAULT now() NOT NULL
);

--
-- Name: procrastinate_workers_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.procrastinate_workers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.procrastinate_workers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: reviews; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reviews (
    approval_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    task_id uuid NOT NULL,
    step_key text NOT NULL,
    results_hash text NOT NULL,
    plan_version integer NOT NULL,
    accepted boolean NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);

--
-- Name: route_examples; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.route_examples (
    message_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    how text NOT NULL,
    words text NOT NULL,
    proposed text NOT NULL,
    belongs_to text NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT route_examples_how_check CHECK ((how = ANY (ARRAY['moved'::text, 'split_off'::text, 'merged'::text, 'chosen'::text])))
);

--
-- Name: route_reads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.route_reads (
    message_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    number integer NOT NULL,
    asked text NOT NULL,
    read_task_id uuid,
    told text NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT route_reads_number_check CHECK ((number >= 1))
);

--
-- Name: routes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.routes (
    message_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    layer integer NOT NULL,
    outcome text NOT NULL,
    task_id uuid,
    title text DEFAULT ''::text NOT NULL,
    goal text DEFAULT ''::text NOT NULL,
    language text NOT NULL,
    acknowledgement text DEFAULT ''::text NOT NULL,
    question text,
    candidates jsonb DEFAULT '[]'::jsonb NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    model text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT routes_layer_check CHECK (((layer >= 1) AND (layer <= 3))),
    CONSTRAINT routes_outcome_check CHECK ((outcome = ANY (ARRAY['answer'::text, 'lightweight'::text, 'existing'::text, 'new'::text, 'ask'::text])))
);

--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

--
-- Name: steps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.steps (
    step_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    number bigint NOT NULL,
    model text NOT NULL,
    content text NOT NULL,
    calls jsonb DEFAULT '[]'::jsonb NOT NULL,
    usage jsonb DEFAULT '{}'::jsonb NOT NULL,
    prompt_sha256 text NOT NULL,
    read_wake_seq bigint NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    verdict text,
    reason text,
    progress boolean,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    closed_at timestamp with time zone,
    CONSTRAINT steps_status_check CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text])))
);

--
-- Name: task_index; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.task_index (
    task_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    text text NOT NULL,
    words tsvector NOT NULL,
    embedding public.halfvec(512),
    is_embedded boolean DEFAULT false NOT NULL,
    changed_at timestamp with time zone DEFAULT public.app_now() NOT NULL
)
WITH (toast_tuple_target='8160', autovacuum_analyze_scale_factor='0.05');
ALTER TABLE ONLY public.task_index ALTER COLUMN words SET STATISTICS 300;

--
-- Name: task_limits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.task_limits (
    task_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    epoch integer NOT NULL,
    max_rounds integer NOT NULL,
    max_seconds bigint NOT NULL,
    CONSTRAINT task_limits_max_rounds_check CHECK ((max_rounds > 0)),
    CONSTRAINT task_limits_max_seconds_check CHECK ((max_seconds > 0))
);

--
-- Name: task_reads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.task_reads (
    workspace_id uuid NOT NULL,
    call_key text NOT NULL,
    task_id uuid NOT NULL,
    read_task_id uuid NOT NULL,
    told text NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);

--
-- Name: task_words; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.task_words (
    word_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    from_task uuid NOT NULL,
    to_task uuid NOT NULL,
    from_title text NOT NULL,
    text text NOT NULL,
    language text NOT NULL,
    cause text NOT NULL,
    confirms_each_call boolean NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    question text,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    CONSTRAINT task_words_check CHECK ((from_task <> to_task)),
    CONSTRAINT task_words_check1 CHECK (((kind = 'question'::text) = (question IS NOT NULL))),
    CONSTRAINT task_words_kind_check CHECK ((kind = ANY (ARRAY['goal'::text, 'question'::text, 'word'::text, 'answer'::text, 'report'::text]))),
    CONSTRAINT task_words_question_check CHECK ((question = ANY (ARRAY['open'::text, 'answered'::text, 'lapsed'::text]))),
    CONSTRAINT task_words_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'undelivered'::text])))
);

--
-- Name: tasks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tasks (
    task_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    title text NOT NULL,
    goal text NOT NULL,
    language text NOT NULL,
    brief jsonb DEFAULT '{}'::jsonb NOT NULL,
    summary text DEFAULT ''::text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    waiting_reason text,
    reason text,
    epoch integer DEFAULT 1 NOT NULL,
    rounds_without_progress integer DEFAULT 0 NOT NULL,
    rounds integer DEFAULT 0 NOT NULL,
    source_message_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    updated_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    archived_at timestamp with time zone,
    ended_before jsonb,
    reopened_at timestamp with time zone,
    promoted_at timestamp with time zone,
    merged_into uuid,
    worked interval DEFAULT '00:00:00'::interval NOT NULL,
    going_since timestamp with time zone DEFAULT public.app_now(),
    CONSTRAINT tasks_check CHECK (((status <> 'waiting'::text) OR (waiting_reason IS NOT NULL))),
    CONSTRAINT tasks_kind_check CHECK ((kind = ANY (ARRAY['lightweight'::text, 'persistent'::text]))),
    CONSTRAINT tasks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'waiting'::text, 'paused'::text, 'completed'::text, 'failed'::text, 'stopped'::text])))
);

--
-- Name: turns; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.turns (
    turn_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    number bigint NOT NULL,
    generation bigint NOT NULL,
    attempts integer DEFAULT 1 NOT NULL,
    holder uuid NOT NULL,
    lease_expires_at timestamp with time zone NOT NULL,
    graph_version text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    outcome text,
    started_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT turns_status_check CHECK ((status = ANY (ARRAY['active'::text, 'finished'::text, 'failed'::text])))
);

--
-- Name: verdicts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.verdicts (
    verdict_id bigint NOT NULL,
    workspace_id uuid NOT NULL,
    task_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    step_number bigint,
    verdict text NOT NULL,
    waiting_reason text,
    reason text NOT NULL,
    look_again_s bigint,
    progress boolean,
    facts jsonb,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL
);

--
-- Name: verdicts_verdict_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.verdicts ALTER COLUMN verdict_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.verdicts_verdict_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: workspaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspaces (
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    currency text NOT NULL,
    autonomy text DEFAULT 'balanced'::text NOT NULL,
    per_call_allowance_micros bigint DEFAULT 100000 NOT NULL,
    daily_allowance_micros bigint DEFAULT 2000000 NOT NULL,
    review_points text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    max_rounds integer DEFAULT 400 NOT NULL,
    max_rounds_without_progress integer DEFAULT 3 NOT NULL,
    max_seconds bigint DEFAULT 86400 NOT NULL,
    accepts_deliveries boolean DEFAULT false NOT NULL,
    CONSTRAINT workspaces_autonomy_check CHECK ((autonomy = ANY (ARRAY['cautious'::text, 'balanced'::text, 'free'::text]))),
    CONSTRAINT workspaces_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT workspaces_daily_allowance_micros_check CHECK ((daily_allowance_micros >= 0)),
    CONSTRAINT workspaces_max_rounds_check CHECK ((max_rounds > 0)),
    CONSTRAINT workspaces_max_rounds_without_progress_check CHECK ((max_rounds_without_progress > 0)),
    CONSTRAINT workspaces_max_seconds_check CHECK ((max_seconds > 0)),
    CONSTRAINT workspaces_per_call_allowance_micros_check CHECK ((per_call_allowance_micros >= 0))
);

--
-- Name: procrastinate_events id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_events ALTER COLUMN id SET DEFAULT nextval('public.procrastinate_events_id_seq'::regclass);

--
-- Name: procrastinate_jobs id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_jobs ALTER COLUMN id SET DEFAULT nextval('public.procrastinate_jobs_id_seq'::regclass);

--
-- Name: procrastinate_periodic_defers id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_periodic_defers ALTER COLUMN id SET DEFAULT nextval('public.procrastinate_periodic_defers_id_seq'::regclass);

--
-- Name: acceptances acceptances_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.acceptances
    ADD CONSTRAINT acceptances_pkey PRIMARY KEY (task_id, revision);

--
-- Name: approvals approvals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_pkey PRIMARY KEY (approval_id);

--
-- Name: budgets budgets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_pkey PRIMARY KEY (task_id);

--
-- Name: callback_keys callback_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.callback_keys
    ADD CONSTRAINT callback_keys_pkey PRIMARY KEY (only_row);

--
-- Name: changes changes_object_id_version_cause_object_id_cause_from_cause__key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_object_id_version_cause_object_id_cause_from_cause__key UNIQUE (object_id, version, cause_object_id, cause_from, cause_to_object_id, cause_to);

--
-- Name: changes changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (change_id);

--
-- Name: checklist_items checklist_items_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checklist_items
    ADD CONSTRAINT checklist_items_pkey PRIMARY KEY (task_id, version, key);

--
-- Name: checklists checklists_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checklists
    ADD CONSTRAINT checklists_pkey PRIMARY KEY (task_id, version);

--
-- Name: checkpoint_blobs checkpoint_blobs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checkpoint_blobs
    ADD CONSTRAINT checkpoint_blobs_pkey PRIMARY KEY (thread_id, checkpoint_ns, channel, version);

--
-- Name: checkpoint_migrations checkpoint_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checkpoint_migrations
    ADD CONSTRAINT checkpoint_migrations_pkey PRIMARY KEY (v);

--
-- Name: checkpoint_writes checkpoint_writes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checkpoint_writes
    ADD CONSTRAINT checkpoint_writes_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx);

--
-- Name: checkpoints checkpoints_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id);

--
-- Name: clock clock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.clock
    ADD CONSTRAINT clock_pkey PRIMARY KEY (only_row);

--
-- Name: delegations delegations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_pkey PRIMARY KEY (child_id);

--
-- Name: delegations delegations_workspace_id_call_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_workspace_id_call_key_key UNIQUE (workspace_id, call_key);

--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (task_id, revision);

--
-- Name: event_counters event_counters_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_counters
    ADD CONSTRAINT event_counters_pkey PRIMARY KEY (workspace_id);

--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (workspace_id, seq);

--
-- Name: happenings happenings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.happenings
    ADD CONSTRAINT happenings_pkey PRIMARY KEY (happening_id);

--
-- Name: holds holds_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_pkey PRIMARY KEY (workspace_id, call_key);

--
-- Name: idempotency_keys idempotency_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (workspace_id, scope, key);

--
-- Name: inbox inbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (inbox_id);

--
-- Name: inbox inbox_task_id_message_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_task_id_message_id_key UNIQUE (task_id, message_id);

--
-- Name: jobs jobs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (job_id);

--
-- Name: jobs jobs_workspace_id_call_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_workspace_id_call_key_key UNIQUE (workspace_id, call_key);

--
-- Name: judgements judgements_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judgements
    ADD CONSTRAINT judgements_pkey PRIMARY KEY (task_id, inputs_hash, judge);

--
-- Name: ledger ledger_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (workspace_id, call_key);

--
-- Name: log_identity log_identity_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log_identity
    ADD CONSTRAINT log_identity_pkey PRIMARY KEY (only_row);

--
-- Name: messages messages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_pkey PRIMARY KEY (message_id);

--
-- Name: messages messages_workspace_id_client_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_workspace_id_client_id_key UNIQUE (workspace_id, client_id);

--
-- Name: model_calls model_calls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.model_calls
    ADD CONSTRAINT model_calls_pkey PRIMARY KEY (model_call_id);

--
-- Name: money_entries money_entries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.money_entries
    ADD CONSTRAINT money_entries_pkey PRIMARY KEY (entry_id);

--
-- Name: object_versions object_versions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.object_versions
    ADD CONSTRAINT object_versions_pkey PRIMARY KEY (object_id, version);

--
-- Name: objects objects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objects
    ADD CONSTRAINT objects_pkey PRIMARY KEY (object_id);

--
-- Name: procrastinate_events procrastinate_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_events
    ADD CONSTRAINT procrastinate_events_pkey PRIMARY KEY (id);

--
-- Name: procrastinate_jobs procrastinate_jobs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_jobs
    ADD CONSTRAINT procrastinate_jobs_pkey PRIMARY KEY (id);

--
-- Name: procrastinate_periodic_defers procrastinate_periodic_defers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_pkey PRIMARY KEY (id);

--
-- Name: procrastinate_periodic_defers procrastinate_periodic_defers_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_unique UNIQUE (task_name, periodic_id, defer_timestamp);

--
-- Name: procrastinate_workers procrastinate_workers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_workers
    ADD CONSTRAINT procrastinate_workers_pkey PRIMARY KEY (id);

--
-- Name: reviews reviews_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (approval_id);

--
-- Name: route_examples route_examples_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.route_examples
    ADD CONSTRAINT route_examples_pkey PRIMARY KEY (message_id);

--
-- Name: route_reads route_reads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.route_reads
    ADD CONSTRAINT route_reads_pkey PRIMARY KEY (message_id, number);

--
-- Name: routes routes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.routes
    ADD CONSTRAINT routes_pkey PRIMARY KEY (message_id);

--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);

--
-- Name: steps steps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.steps
    ADD CONSTRAINT steps_pkey PRIMARY KEY (step_id);

--
-- Name: steps steps_thread_id_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.steps
    ADD CONSTRAINT steps_thread_id_number_key UNIQUE (thread_id, number);

--
-- Name: task_index task_index_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_index
    ADD CONSTRAINT task_index_pkey PRIMARY KEY (task_id);

--
-- Name: task_limits task_limits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_limits
    ADD CONSTRAINT task_limits_pkey PRIMARY KEY (task_id);

--
-- Name: task_reads task_reads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_reads
    ADD CONSTRAINT task_reads_pkey PRIMARY KEY (workspace_id, call_key);

--
-- Name: task_words task_words_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_words
    ADD CONSTRAINT task_words_pkey PRIMARY KEY (word_id);

--
-- Name: task_words task_words_workspace_id_cause_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_words
    ADD CONSTRAINT task_words_workspace_id_cause_key UNIQUE (workspace_id, cause);

--
-- Name: tasks tasks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (task_id);

--
-- Name: threads threads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_pkey PRIMARY KEY (thread_id);

--
-- Name: turns turns_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_pkey PRIMARY KEY (turn_id);

--
-- Name: turns turns_thread_id_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_thread_id_number_key UNIQUE (thread_id, number);

--
-- Name: verdicts verdicts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.verdicts
    ADD CONSTRAINT verdicts_pkey PRIMARY KEY (verdict_id);

--
-- Name: workspaces workspaces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (workspace_id);

--
-- Name: acceptances_awaiting_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX acceptances_awaiting_idx ON public.acceptances USING btree (task_id) WHERE (state = 'awaiting'::text);

--
-- Name: approvals_call_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX approvals_call_idx ON public.approvals USING btree (workspace_id, call_key) WHERE ((call_key IS NOT NULL) AND (status <> 'superseded'::text));

--
-- Name: approvals_pending_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX approvals_pending_idx ON public.approvals USING btree (thread_id, created_at) WHERE (status = 'pending'::text);

--
-- Name: changes_cause_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX changes_cause_idx ON public.changes USING btree (cause_object_id);

--
-- Name: changes_pending_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX changes_pending_idx ON public.changes USING btree (task_id) WHERE (status = 'pending'::text);

--
-- Name: changes_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX changes_task_idx ON public.changes USING btree (task_id, created_at);

--
-- Name: changes_wake_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX changes_wake_due_idx ON public.changes USING btree (task_id) WHERE ((status = 'pending'::text) AND wake_due);

--
-- Name: checklists_approved_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX checklists_approved_idx ON public.checklists USING btree (task_id) WHERE (status = 'approved'::text);

--
-- Name: checkpoint_blobs_thread_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX checkpoint_blobs_thread_id_idx ON public.checkpoint_blobs USING btree (thread_id);

--
-- Name: checkpoint_writes_thread_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX checkpoint_writes_thread_id_idx ON public.checkpoint_writes USING btree (thread_id);

--
-- Name: checkpoints_thread_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX checkpoints_thread_id_idx ON public.checkpoints USING btree (thread_id);

--
-- Name: delegations_parent_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX delegations_parent_idx ON public.delegations USING btree (parent_id, created_at);

--
-- Name: events_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_task_idx ON public.events USING btree (workspace_id, task_id, seq);

--
-- Name: happenings_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX happenings_task_idx ON public.happenings USING btree (task_id, happening_id);

--
-- Name: holds_open_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX holds_open_idx ON public.holds USING btree (task_id) WHERE (status = 'held'::text);

--
-- Name: idempotency_keys_age_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_keys_age_idx ON public.idempotency_keys USING btree (created_at);

--
-- Name: idx_procrastinate_jobs_worker_not_null; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idx_procrastinate_jobs_worker_not_null ON public.procrastinate_jobs USING btree (worker_id) WHERE ((worker_id IS NOT NULL) AND (status = 'doing'::public.procrastinate_job_status));

--
-- Name: idx_procrastinate_workers_last_heartbeat; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idx_procrastinate_workers_last_heartbeat ON public.procrastinate_workers USING btree (last_heartbeat);

--
-- Name: inbox_waiting_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inbox_waiting_idx ON public.inbox USING btree (task_id, "position") WHERE (status = 'delivered'::text);

--
-- Name: jobs_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_due_idx ON public.jobs USING btree (due_at) WHERE (closed_at IS NULL);

--
-- Name: jobs_late_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_late_idx ON public.jobs USING btree (late_look_at) WHERE (late_look_at IS NOT NULL);

--
-- Name: jobs_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_task_idx ON public.jobs USING btree (task_id, created_at);

--
-- Name: jobs_times_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_times_idx ON public.jobs USING btree (operation, provider, closed_at DESC) WHERE (phase = 'succeeded'::text);

--
-- Name: ledger_open_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ledger_open_idx ON public.ledger USING btree (task_id) WHERE (status <> ALL (ARRAY['settled'::text, 'rejected'::text]));

--
-- Name: ledger_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ledger_task_idx ON public.ledger USING btree (task_id, created_at);

--
-- Name: messages_cause_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX messages_cause_idx ON public.messages USING btree (workspace_id, cause) WHERE (cause IS NOT NULL);

--
-- Name: messages_recent_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX messages_recent_idx ON public.messages USING btree (workspace_id, created_at DESC);

--
-- Name: messages_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX messages_task_idx ON public.messages USING btree (task_id, created_at);

--
-- Name: model_calls_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX model_calls_task_idx ON public.model_calls USING btree (task_id) WHERE (task_id IS NOT NULL);

--
-- Name: model_calls_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX model_calls_workspace_idx ON public.model_calls USING btree (workspace_id, asked_at);

--
-- Name: money_entries_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX money_entries_task_idx ON public.money_entries USING btree (task_id, entry_id);

--
-- Name: object_versions_cause_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX object_versions_cause_idx ON public.object_versions USING btree (workspace_id, cause, object_id);

--
-- Name: object_versions_inputs_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX object_versions_inputs_idx ON public.object_versions USING gin (inputs jsonb_path_ops);

--
-- Name: objects_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX objects_task_idx ON public.objects USING btree (task_id, step_key, slot);

--
-- Name: objects_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX objects_workspace_idx ON public.objects USING btree (workspace_id, created_at DESC);

--
-- Name: procrastinate_events_job_id_fkey_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_events_job_id_fkey_v1 ON public.procrastinate_events USING btree (job_id);

--
-- Name: procrastinate_jobs_id_lock_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_jobs_id_lock_idx_v1 ON public.procrastinate_jobs USING btree (id, lock) WHERE (status = ANY (ARRAY['todo'::public.procrastinate_job_status, 'doing'::public.procrastinate_job_status]));

--
-- Name: procrastinate_jobs_lock_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX procrastinate_jobs_lock_idx_v1 ON public.procrastinate_jobs USING btree (lock) WHERE (status = 'doing'::public.procrastinate_job_status);

--
-- Name: procrastinate_jobs_priority_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_jobs_priority_idx_v1 ON public.procrastinate_jobs USING btree (priority DESC, id) WHERE (status = 'todo'::public.procrastinate_job_status);

--
-- Name: procrastinate_jobs_queue_name_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_jobs_queue_name_idx_v1 ON public.procrastinate_jobs USING btree (queue_name);

--
-- Name: procrastinate_jobs_queueing_lock_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX procrastinate_jobs_queueing_lock_idx_v1 ON public.procrastinate_jobs USING btree (queueing_lock) WHERE (status = 'todo'::public.procrastinate_job_status);

--
-- Name: procrastinate_periodic_defers_job_id_fkey_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_periodic_defers_job_id_fkey_v1 ON public.procrastinate_periodic_defers USING btree (job_id);

--
-- Name: reviews_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reviews_task_idx ON public.reviews USING btree (task_id, created_at);

--
-- Name: route_examples_recent_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX route_examples_recent_idx ON public.route_examples USING btree (workspace_id, created_at DESC);

--
-- Name: steps_one_open_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX steps_one_open_idx ON public.steps USING btree (thread_id) WHERE (status = 'open'::text);

--
-- Name: task_index_embedding_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_index_embedding_idx ON public.task_index USING hnsw (embedding public.halfvec_cosine_ops);

--
-- Name: task_index_to_embed_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_index_to_embed_idx ON public.task_index USING btree (changed_at) WHERE (NOT is_embedded);

--
-- Name: task_index_words_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_index_words_idx ON public.task_index USING gin (words) WITH (fastupdate=off);

--
-- Name: task_index_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_index_workspace_idx ON public.task_index USING btree (workspace_id);

--
-- Name: task_reads_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_reads_task_idx ON public.task_reads USING btree (task_id, created_at);

--
-- Name: task_words_from_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_words_from_idx ON public.task_words USING btree (from_task, created_at);

--
-- Name: task_words_open_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_words_open_idx ON public.task_words USING btree (from_task, to_task) WHERE (question = 'open'::text);

--
-- Name: task_words_pending_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_words_pending_idx ON public.task_words USING btree (created_at) WHERE (status = 'pending'::text);

--
-- Name: task_words_to_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX task_words_to_idx ON public.task_words USING btree (to_task, created_at);

--
-- Name: tasks_in_progress_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX tasks_in_progress_idx ON public.tasks USING btree (workspace_id, updated_at DESC) WHERE ((archived_at IS NULL) AND (status = ANY (ARRAY['active'::text, 'waiting'::text, 'paused'::text])));

--
-- Name: tasks_source_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX tasks_source_idx ON public.tasks USING btree (source_message_id);

--
-- Name: tasks_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX tasks_workspace_idx ON public.tasks USING btree (workspace_id, updated_at DESC);

--
-- Name: threads_awake_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX threads_awake_idx ON public.threads USING btree (thread_id) WHERE (wake_seq > handled_seq);

--
-- Name: threads_order_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX threads_order_idx ON public.threads USING btree (workspace_id, created_at) WHERE holds_order;

--
-- Name: threads_timer_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX threads_timer_idx ON public.threads USING btree (wake_at) WHERE (wake_at IS NOT NULL);

--
-- Name: turns_one_live_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX turns_one_live_idx ON public.turns USING btree (thread_id) WHERE (status = 'active'::text);

--
-- Name: verdicts_task_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX verdicts_task_idx ON public.verdicts USING btree (task_id, verdict_id);

--
-- Name: budgets budgets_are_the_sum_of_their_entries; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER budgets_are_the_sum_of_their_entries AFTER INSERT OR UPDATE ON public.budgets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.check_account();

--
-- Name: money_entries entries_add_up_to_their_budget; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER entries_add_up_to_their_budget AFTER INSERT ON public.money_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.check_account();

--
-- Name: money_entries money_entries_are_for_good; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER money_entries_are_for_good BEFORE DELETE OR UPDATE ON public.money_entries FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

--
-- Name: procrastinate_jobs procrastinate_jobs_notify_queue_job_aborted_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_jobs_notify_queue_job_aborted_v1 AFTER UPDATE OF abort_requested ON public.procrastinate_jobs FOR EACH ROW WHEN (((old.abort_requested = false) AND (new.abort_requested = true) AND (new.status = 'doing'::public.procrastinate_job_status))) EXECUTE FUNCTION public.procrastinate_notify_queue_abort_job_v1();

--
-- Name: procrastinate_jobs procrastinate_jobs_notify_queue_job_inserted_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1 AFTER INSERT ON public.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::public.procrastinate_job_status)) EXECUTE FUNCTION public.procrastinate_notify_queue_job_inserted_v1();

--
-- Name: procrastinate_jobs procrastinate_trigger_abort_requested_events_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_abort_requested_events_v1 AFTER UPDATE OF abort_requested ON public.procrastinate_jobs FOR EACH ROW WHEN ((new.abort_requested = true)) EXECUTE FUNCTION public.procrastinate_trigger_abort_requested_events_procedure_v1();

--
-- Name: procrastinate_jobs procrastinate_trigger_delete_jobs_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_delete_jobs_v1 BEFORE DELETE ON public.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION public.procrastinate_unlink_periodic_defers_v1();

--
-- Name: procrastinate_jobs procrastinate_trigger_scheduled_events_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_scheduled_events_v1 AFTER INSERT OR UPDATE ON public.procrastinate_jobs FOR EACH ROW WHEN (((new.scheduled_at IS NOT NULL) AND (new.status = 'todo'::public.procrastinate_job_status))) EXECUTE FUNCTION public.procrastinate_trigger_function_scheduled_events_v1();

--
-- Name: procrastinate_jobs procrastinate_trigger_status_events_insert_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_status_events_insert_v1 AFTER INSERT ON public.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::public.procrastinate_job_status)) EXECUTE FUNCTION public.procrastinate_trigger_function_status_events_insert_v1();

--
-- Name: procrastinate_jobs procrastinate_trigger_status_events_update_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_status_events_update_v1 AFTER UPDATE OF status ON public.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION public.procrastinate_trigger_function_status_events_update_v1();

--
-- Name: tasks working_time_is_counted; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER working_time_is_counted BEFORE UPDATE ON public.tasks FOR EACH ROW WHEN ((((old.status IS DISTINCT FROM new.status) OR (old.waiting_reason IS DISTINCT FROM new.waiting_reason)) OR (old.epoch IS DISTINCT FROM new.epoch))) EXECUTE FUNCTION public.count_working_time();

--
-- Name: acceptances acceptances_task_id_revision_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.acceptances
    ADD CONSTRAINT acceptances_task_id_revision_fkey FOREIGN KEY (task_id, revision) REFERENCES public.deliveries(task_id, revision);

--
-- Name: acceptances acceptances_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.acceptances
    ADD CONSTRAINT acceptances_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: approvals approvals_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: approvals approvals_thread_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES public.threads(thread_id);

--
-- Name: approvals approvals_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.approvals
    ADD CONSTRAINT approvals_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: budgets budgets_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: budgets budgets_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: changes changes_cause_object_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_cause_object_id_fkey FOREIGN KEY (cause_object_id) REFERENCES public.objects(object_id);

--
-- Name: changes changes_cause_to_object_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_cause_to_object_id_fkey FOREIGN KEY (cause_to_object_id) REFERENCES public.objects(object_id);

--
-- Name: changes changes_object_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_object_id_fkey FOREIGN KEY (object_id) REFERENCES public.objects(object_id);

--
-- Name: changes changes_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: changes changes_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: checklist_items checklist_items_task_id_version_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checklist_items
    ADD CONSTRAINT checklist_items_task_id_version_fkey FOREIGN KEY (task_id, version) REFERENCES public.checklists(task_id, version);

--
-- Name: checklist_items checklist_items_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checklist_items
    ADD CONSTRAINT checklist_items_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: checklists checklists_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checklists
    ADD CONSTRAINT checklists_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: checklists checklists_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.checklists
    ADD CONSTRAINT checklists_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: delegations delegations_child_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_child_id_fkey FOREIGN KEY (child_id) REFERENCES public.tasks(task_id);

--
-- Name: delegations delegations_parent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.tasks(task_id);

--
-- Name: delegations delegations_workspace_id_call_key_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_workspace_id_call_key_fkey FOREIGN KEY (workspace_id, call_key) REFERENCES public.ledger(workspace_id, call_key) DEFERRABLE INITIALLY DEFERRED;

--
-- Name: delegations delegations_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delegations
    ADD CONSTRAINT delegations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: deliveries deliveries_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: deliveries deliveries_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: event_counters event_counters_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_counters
    ADD CONSTRAINT event_counters_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: events events_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: happenings happenings_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.happenings
    ADD CONSTRAINT happenings_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: happenings happenings_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.happenings
    ADD CONSTRAINT happenings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: holds holds_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: holds holds_workspace_id_call_key_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_workspace_id_call_key_fkey FOREIGN KEY (workspace_id, call_key) REFERENCES public.ledger(workspace_id, call_key);

--
-- Name: holds holds_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: idempotency_keys idempotency_keys_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: inbox inbox_message_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(message_id);

--
-- Name: inbox inbox_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: inbox inbox_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inbox
    ADD CONSTRAINT inbox_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: jobs jobs_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: jobs jobs_workspace_id_call_key_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_workspace_id_call_key_fkey FOREIGN KEY (workspace_id, call_key) REFERENCES public.ledger(workspace_id, call_key);

--
-- Name: jobs jobs_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: judgements judgements_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judgements
    ADD CONSTRAINT judgements_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: judgements judgements_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judgements
    ADD CONSTRAINT judgements_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: ledger ledger_approval_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES public.approvals(approval_id);

--
-- Name: ledger ledger_step_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_step_id_fkey FOREIGN KEY (step_id) REFERENCES public.steps(step_id);

--
-- Name: ledger ledger_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: ledger ledger_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: messages messages_reply_to_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_reply_to_fkey FOREIGN KEY (reply_to) REFERENCES public.messages(message_id);

--
-- Name: messages messages_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: messages messages_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.messages
    ADD CONSTRAINT messages_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: model_calls model_calls_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.model_calls
    ADD CONSTRAINT model_calls_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: model_calls model_calls_thread_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.model_calls
    ADD CONSTRAINT model_calls_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES public.threads(thread_id);

--
-- Name: model_calls model_calls_turn_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.model_calls
    ADD CONSTRAINT model_calls_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES public.turns(turn_id);

--
-- Name: model_calls model_calls_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.model_calls
    ADD CONSTRAINT model_calls_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: money_entries money_entries_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.money_entries
    ADD CONSTRAINT money_entries_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: money_entries money_entries_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.money_entries
    ADD CONSTRAINT money_entries_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: object_versions object_versions_object_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.object_versions
    ADD CONSTRAINT object_versions_object_id_fkey FOREIGN KEY (object_id) REFERENCES public.objects(object_id);

--
-- Name: object_versions object_versions_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.object_versions
    ADD CONSTRAINT object_versions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: objects objects_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objects
    ADD CONSTRAINT objects_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: objects objects_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objects
    ADD CONSTRAINT objects_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: procrastinate_events procrastinate_events_job_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_events
    ADD CONSTRAINT procrastinate_events_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.procrastinate_jobs(id) ON DELETE CASCADE;

--
-- Name: procrastinate_jobs procrastinate_jobs_worker_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_jobs
    ADD CONSTRAINT procrastinate_jobs_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES public.procrastinate_workers(id) ON DELETE SET NULL;

--
-- Name: procrastinate_periodic_defers procrastinate_periodic_defers_job_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.procrastinate_jobs(id);

--
-- Name: reviews reviews_approval_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES public.approvals(approval_id);

--
-- Name: reviews reviews_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: reviews reviews_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: route_examples route_examples_message_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.route_examples
    ADD CONSTRAINT route_examples_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(message_id);

--
-- Name: route_examples route_examples_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.route_examples
    ADD CONSTRAINT route_examples_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: route_reads route_reads_message_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.route_reads
    ADD CONSTRAINT route_reads_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(message_id);

--
-- Name: route_reads route_reads_read_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.route_reads
    ADD CONSTRAINT route_reads_read_task_id_fkey FOREIGN KEY (read_task_id) REFERENCES public.tasks(task_id);

--
-- Name: route_reads route_reads_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.route_reads
    ADD CONSTRAINT route_reads_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: routes routes_message_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.routes
    ADD CONSTRAINT routes_message_id_fkey FOREIGN KEY (message_id) REFERENCES public.messages(message_id);

--
-- Name: routes routes_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.routes
    ADD CONSTRAINT routes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: steps steps_thread_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.steps
    ADD CONSTRAINT steps_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES public.threads(thread_id);

--
-- Name: steps steps_turn_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.steps
    ADD CONSTRAINT steps_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES public.turns(turn_id);

--
-- Name: steps steps_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.steps
    ADD CONSTRAINT steps_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: task_index task_index_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_index
    ADD CONSTRAINT task_index_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: task_index task_index_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_index
    ADD CONSTRAINT task_index_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: task_limits task_limits_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_limits
    ADD CONSTRAINT task_limits_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: task_limits task_limits_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_limits
    ADD CONSTRAINT task_limits_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: task_reads task_reads_read_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_reads
    ADD CONSTRAINT task_reads_read_task_id_fkey FOREIGN KEY (read_task_id) REFERENCES public.tasks(task_id);

--
-- Name: task_reads task_reads_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_reads
    ADD CONSTRAINT task_reads_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: task_reads task_reads_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_reads
    ADD CONSTRAINT task_reads_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: task_words task_words_from_task_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_words
    ADD CONSTRAINT task_words_from_task_fkey FOREIGN KEY (from_task) REFERENCES public.tasks(task_id);

--
-- Name: task_words task_words_to_task_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_words
    ADD CONSTRAINT task_words_to_task_fkey FOREIGN KEY (to_task) REFERENCES public.tasks(task_id);

--
-- Name: task_words task_words_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.task_words
    ADD CONSTRAINT task_words_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: tasks tasks_merged_into_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES public.tasks(task_id);

--
-- Name: tasks tasks_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.threads(thread_id);

--
-- Name: tasks tasks_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: threads threads_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.threads
    ADD CONSTRAINT threads_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: turns turns_thread_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES public.threads(thread_id);

--
-- Name: turns turns_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.turns
    ADD CONSTRAINT turns_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- Name: verdicts verdicts_task_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.verdicts
    ADD CONSTRAINT verdicts_task_id_fkey FOREIGN KEY (task_id) REFERENCES public.tasks(task_id);

--
-- Name: verdicts verdicts_turn_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.verdicts
    ADD CONSTRAINT verdicts_turn_id_fkey FOREIGN KEY (turn_id) REFERENCES public.turns(turn_id);

--
-- Name: verdicts verdicts_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.verdicts
    ADD CONSTRAINT verdicts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(workspace_id);

--
-- PostgreSQL database dump complete
--
