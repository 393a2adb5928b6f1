/**
 * What a person can set off: send, decide, stop; and how the server's word reaches the store.
 *
 * Every action is safe to do twice: a message carries its client id, an answer its key, and an approval that
 * is being answered takes no second answer.
 */
import type { Api } from "../net/api";
import { ProblemError } from "../net/api";
import type { Sink } from "../net/connection";
import type { AcceptBody, Approval, Control, DecideBody, Id, Message, More, Moved, SendBody, Task } from "../contract";
import { applyDelta, passEvent } from "./live";
import { applyEvent, fromSnapshot, type Log, putApproval, putObject, putTask } from "./log";
import type { Outgoing, State, Store, Target } from "./store";

export const MAX_CHARACTERS = 100_000;

export interface Client {
  sink: Sink;
  send(text: string, target: Target | null): void;
  retry(clientId: string): void;
  discard(clientId: string): Outgoing | null;
  decide(id: Id, answer: Omit<DecideBody, "args_hash">): Promise<void>;
  control(id: Id, action: Control): Promise<void>;
  /** Accept the delivery that is shown, or ask for changes of it. */
  accept(id: Id, body: AcceptBody): Promise<void>;
  /** Give a task more than it has; what waits for that goes on. */
  more(id: Id, more: More): Promise<void>;
  /** Join a task to another one, and show that. */
  merge(id: Id, into: Id): Promise<Task>;
  /** Give a message to a task, or to a new one (`new`). */
  move(id: Id, to: Id): Promise<Moved>;
  /** Take back a message that no step has read. */
  withdraw(id: Id): Promise<void>;
  /** Show a task; one that the log does not have is looked up first, with what it has made. */
  open(id: Id): Promise<void>;
}

export function createClient(store: Store, api: Api): Client {
  const keys = new Map<string, string>(); // one Idempotency-Key per distinct answer

  function keyOf(wording: string): string {
    const key = keys.get(wording) ?? crypto.randomUUID();
    keys.set(wording, key);
    return key;
  }

  const sink: Sink = {
    snapshot(snapshot) {
      const log = fromSnapshot(snapshot);
      store.set((state) => ({
        log,
        live: { ...state.live, streams: {} },
        outbox: unsent(state.outbox, log),
      }));
    },
    event(event) {
      store.set((state) => {
        if (event.seq <= state.log.seq) return {};
        const log = applyEvent(state.log, event);
        const live = passEvent(state.live, event);
        return { log, live, outbox: unsent(state.outbox, log) };
      });
    },
    delta(delta) {
      store.set((state) => ({
        live: applyDelta(state.live, delta, state.log.messages[delta.message_id], Date.now()),
      }));
    },
    status(connection) {
      store.set(() => ({ connection }));
      if (connection === "live") resendLost();
    },
    seq: () => store.get().log.seq,
    epoch: () => store.get().log.epoch,
  };

  function patchOutgoing(clientId: string, patch: Partial<Outgoing>): void {
    store.set((state) => ({
      outbox: state.outbox.map((item) => (item.clientId === clientId ? { ...item, ...patch } : item)),
    }));
  }

  async function post(item: Outgoing): Promise<void> {
    patchOutgoing(item.clientId, { state: "sending", problem: null });
    try {
      const answer = await api.send(toBody(item));
      patchOutgoing(item.clientId, { state: "accepted", messageId: answer.message_id });
      store.set((state) => ({ outbox: unsent(state.outbox, state.log) }));
    } catch (error) {
      const refused = error instanceof ProblemError && !error.passing;
      patchOutgoing(item.clientId, { state: "failed", problem: refused ? error.detail : null });
    }
  }

  /** What failed for want of a connection goes again by itself; what was refused waits for the person. */
  function resendLost(): void {
    for (const item of store.get().outbox) {
      if (item.state === "failed" && item.problem === null) void post(item);
    }
  }

  return {
    sink,
    send(text, target) {
      const clientId = crypto.randomUUID();
      const item: Outgoing = {
        clientId,
        text,
        target,
        state: "sending",
        problem: null,
        messageId: null,
      };
      store.set((state) => ({ outbox: [...state.outbox, item] }));
      void post(item);
    },
    retry(clientId) {
      const item = store.get().outbox.find((outgoing) => outgoing.clientId === clientId);
      if (item && item.state === "failed") void post(item);
    },
    discard(clientId) {
      const item = store.get().outbox.find((outgoing) => outgoing.clientId === clientId);
      store.set((state) => ({
        outbox: state.outbox.filter((outgoing) => outgoing.clientId !== clientId),
      }));
      return item ?? null;
    },
    async decide(id, answer) {
      const approval = store.get().log.approvals[id];
      if (!approval || approval.status !== "pending") return;
      if (store.get().answering[id]?.state === "sending") return;
      const mark = (state: "sending" | "failed" | "refused", code = "", detail = ""): void =>
        store.set((current) => ({
          answering: {
            ...current.answering,
            [id]: { decision: answer.decision, state, code, detail },
          },
        }));
      mark("sending");
      const body = { ...answer, args_hash: approval.args_hash };
      try {
        const decided = await api.decide(id, body, keyOf(`${id} ${JSON.stringify(body)}`));
        store.set((state) =>
          decided.id === id ? answered(state, decided) : askedAnew(state, id, decided),
        );
      } catch (error) {
        if (error instanceof ProblemError && !error.passing) {
          mark("refused", error.code, error.detail);
        } else {
          mark("failed", "unreachable");
        }
      }
    },
    async control(id, action) {
      const task = await api.control(id, action);
      // what was just stopped stays in sight, though another task may be open
      store.set((state) => ({ ...told(state, task), selectedTask: id }));
    },
    async accept(id, body) {
      const task = await api.accept(id, body, keyOf(`${id} ${JSON.stringify(body)}`));
      store.set((state) => told(state, task));
    },
    async more(id, more) {
      const wording = `${id} more ${JSON.stringify(more)}`;
      const task = await api.more(id, more, keyOf(wording));
      keys.delete(wording); // asked again after an answer it is meant to be added again
      store.set((state) => told(state, task));
    },
    async merge(id, into) {
      const task = await api.merge(id, into, crypto.randomUUID());
      store.set(({ log }) => ({
        selectedTask: task.id,
        ...(task.id in log.tasks ? {} : { log: putTask(log, task) }),
      }));
      return task;
    },
    async move(id, to) {
      const wording = `${id} to ${to}`;
      const moved = await api.move(id, to, keyOf(wording));
      keys.delete(wording); // only after an answer that did not come is it the same move again
      return moved;
    },
    async withdraw(id) {
      await api.withdraw(id);
    },
    async open(id) {
      if (!(id in store.get().log.tasks)) {
        const [task, objects] = await Promise.all([api.task(id), api.objectsOf(id)]);
        store.set((state) => ({
          beyond: { ...state.beyond, [id]: task },
          log: objects.reduce(putObject, state.log),
        }));
      }
      store.set(() => ({ selectedTask: id, panelOpen: true, asked: null }));
    },
  };
}

/** A task as an answer told it; the log may have a newer one by then. */
function told(state: State, task: Task): Partial<State> {
  const known = state.log.tasks[task.id];
  const isNewer = !known || task.updated_at >= known.updated_at;
  const beyond = { ...state.beyond, [task.id]: task };
  return { beyond, ...(isNewer ? { log: putTask(state.log, task) } : {}) };
}

function answered(state: State, decided: Approval): Partial<State> {
  const { [decided.id]: _done, ...answering } = state.answering;
  const isOpen = state.log.approvals[decided.id]?.status === "pending";
  return { answering, log: isOpen ? putApproval(state.log, decided) : state.log };
}

/** An edit that costs more: another question has taken the place of the one that was answered. */
function askedAnew({ log }: State, id: Id, asked: Approval): Partial<State> {
  const before = log.approvals[id];
  if (before?.status === "pending") {
    log = putApproval(log, { ...before, status: "superseded", replaced_by: asked.id });
  }
  return { log: asked.id in log.approvals ? log : putApproval(log, asked) };
}

function toBody({ clientId, text, target }: Outgoing): SendBody {
  const body: SendBody = { text, client_id: clientId };
  switch (target?.kind) {
    case "task":
      return { ...body, task_id: target.id };
    case "object":
      return { ...body, object_id: target.id };
    case "approval":
      return { ...body, approval_id: target.id };
    case "message":
      return { ...body, reply_to: target.id };
    default:
      return body;
  }
}

/** What the log does not have yet. */
export function unsent(outbox: Outgoing[], log: Log): Outgoing[] {
  if (outbox.length === 0) return outbox;
  const arrived = new Set(
    Object.values(log.messages)
      .map((message: Message) => message.client_id)
      .filter(Boolean),
  );
  const left = outbox.filter(
    (item) =>
      !arrived.has(item.clientId) && !(item.messageId !== null && item.messageId in log.messages),
  );
  return left.length === outbox.length ? outbox : left;
}
