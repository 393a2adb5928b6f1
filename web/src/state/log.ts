/**
 * What the server's log says, as one value: a snapshot plus the events after it.
 *
 * Pure and order-safe: an event that is not newer than `seq` changes nothing, so duplicates, replays and
 * reconnects at any point end in the same model. Events carry whole rows; a row replaces what was there.
 */
import type {
  Approval,
  Artifact,
  Budget,
  Checklist,
  Envelope,
  Id,
  Job,
  JobCounts,
  JobStatus,
  Jobs,
  Message,
  Snapshot,
  Task,
  Workspace,
} from "../contract";

export interface Log {
  seq: number;
  epoch: string | null;
  workspace: Workspace | null;
  messages: Record<Id, Message>;
  tasks: Record<Id, Task>;
  approvals: Record<Id, Approval>;
  objects: Record<Id, Artifact>;
}

export const EMPTY_LOG: Log = {
  seq: -1,
  epoch: null,
  workspace: null,
  messages: {},
  tasks: {},
  approvals: {},
  objects: {},
};

function byId<Row extends { id: Id }>(rows: Row[]): Record<Id, Row> {
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}

export function fromSnapshot(snapshot: Snapshot): Log {
  return {
    seq: snapshot.seq,
    epoch: snapshot.server_epoch,
    workspace: snapshot.workspace,
    messages: byId(snapshot.messages),
    tasks: byId(snapshot.tasks),
    approvals: byId(snapshot.approvals),
    objects: byId(snapshot.objects),
  };
}

export function applyEvent(log: Log, event: Envelope): Log {
  if (event.seq <= log.seq) return log;
  return { ...applyData(log, event), seq: event.seq };
}

function applyData(log: Log, { type, data, ts }: Envelope): Log {
  const subject = type.split(".", 1)[0];
  switch (subject) {
    case "message":
      return putMessage(log, data as Message);
    case "assistant":
      return type === "assistant.started"
        ? startReply(log, data as ReplyStarted, ts)
        : putMessage(log, data as Message);
    case "task":
      return putTask(log, data as Task);
    case "checklist": {
      const { task_id, checklist } = data as { task_id: Id; checklist: Checklist };
      return patchTask(log, task_id, { checklist });
    }
    case "budget": {
      const { task_id, budget } = data as { task_id: Id; budget: Budget };
      return patchTask(log, task_id, { budget });
    }
    case "job":
      return putJob(log, data as Job);
    case "approval":
      return putApproval(log, data as Approval);
    case "object":
      return putObject(log, data as Artifact);
    default:
      return log; // steps and notices pass through `live`; what is unknown is of a later version
  }
}

function putMessage(log: Log, message: Message): Log {
  return { ...log, messages: { ...log.messages, [message.id]: message } };
}

interface ReplyStarted {
  message_id: Id;
  reply_to?: Id | null;
  task_id?: Id | null;
}

/** A reply that has begun: a place for the deltas. One that is already complete stays as it is. */
function startReply(log: Log, started: ReplyStarted, ts: string): Log {
  if (log.messages[started.message_id]?.status === "complete") return log;
  return putMessage(log, replyInTheMaking(started, ts));
}

export function replyInTheMaking(started: ReplyStarted, at: string): Message {
  return {
    id: started.message_id,
    role: "assistant",
    text: "",
    language: null,
    status: "streaming",
    task_id: started.task_id ?? null,
    reply_to: started.reply_to ?? null,
    route: null,
    consumed_by: null,
    created_at: at,
  };
}

export function putTask(log: Log, task: Task): Log {
  return { ...log, tasks: { ...log.tasks, [task.id]: task } };
}

function patchTask(log: Log, id: Id, patch: Partial<Task>): Log {
  const task = log.tasks[id];
  return task ? putTask(log, { ...task, ...patch }) : log;
}

export function putApproval(log: Log, approval: Approval): Log {
  return { ...log, approvals: { ...log.approvals, [approval.id]: approval } };
}

/** The list shows the newest version; whoever needs an older one asks for it by number. */
export function putObject(log: Log, object: Artifact): Log {
  const known = log.objects[object.id];
  if (known && known.version > object.version) return log;
  return { ...log, objects: { ...log.objects, [object.id]: object } };
}

function putJob(log: Log, job: Job): Log {
  const task = log.tasks[job.task_id];
  if (!task) return log;
  const items = task.jobs.items;
  const at = items.findIndex((item) => item.id === job.id);
  const next = at < 0 ? [...items, job] : items.map((item, index) => (index === at ? job : item));
  return patchTask(log, task.id, { jobs: countJobs(next) });
}

const JOB_STATUSES: JobStatus[] = [
  "queued",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "unknown",
];

export function countJobs(items: Job[]): Jobs {
  const counts = Object.fromEntries(
    JOB_STATUSES.map((status) => [status, items.filter((job) => job.status === status).length]),
  ) as JobCounts;
  return { ...counts, total: items.length, items };
}
