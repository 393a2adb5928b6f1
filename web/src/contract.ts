/** The HTTP contract of the server as types: every shape that crosses the wire, and nothing else. */

export type Id = string;
/** Integer micro-units: 1_000_000 is one unit of the workspace's currency. */
export type Micros = number;

export type MessageStatus =
  | "received"
  | "routed"
  | "delivered"
  | "consumed"
  | "withdrawn"
  | "replaced"
  | "moved"
  | "refused"
  | "answered"
  | "streaming"
  | "complete";

export interface Message {
  id: Id;
  /** The id that the sending page gave; how an optimistic bubble recognises its message. */
  client_id?: string | null;
  /** `task`: words of another task, shown as the agent's. */
  role: "user" | "assistant" | "task";
  text: string;
  language: string | null;
  status: MessageStatus;
  task_id: Id | null;
  reply_to: Id | null;
  route: { layer: number; outcome: string; reason: string | null; task_id: Id | null } | null;
  consumed_by: { step: number } | null;
  created_at: string;
}

/** Where an output went: a numbered place of a step, when it has several. */
export type Slot = string | number | null;

export type StepStatus =
  | "todo"
  | "ready"
  | "doing"
  | "review"
  | "rejected"
  | "done"
  | "failed";

export interface ChecklistItem {
  key: string;
  title: string;
  kind: string;
  status: StepStatus;
  expected: number;
  done: number;
  running: number;
  failed: number;
  /** Places without a result, by what is with them; events of before it was told have none. */
  absent?: Partial<Record<"running" | "asked" | "failed" | "unknown" | "missing" | "left_out", number[]>>;
  failures?: { slot: number; reason: string }[];
  replaced?: { slot: number; provider: string; instead_of: string[] }[];
  depends_on: string[];
  outputs: Output[];
}

export interface Output {
  object_id: Id;
  version: number;
  slot?: Slot;
}

export interface Checklist {
  version: number;
  approved: boolean;
  items: ChecklistItem[];
}

export type JobStatus = "queued" | "running" | "succeeded" | "failed" | "cancelled" | "unknown";

export interface Job {
  id: Id;
  task_id: Id;
  call_key: string;
  operation: string;
  provider: string;
  title: string;
  step_key: string | null;
  slot: Slot;
  status: JobStatus;
  progress: number | null;
  /** Why it failed: a sentence, or a row that has one. */
  error: string | { code: string; message: string } | null;
  price: { held_micros: Micros; settled_micros: Micros };
}

export type JobCounts = Record<"total" | JobStatus, number>;
export type Jobs = JobCounts & { items: Job[] };

export interface Budget {
  currency: string;
  limit_micros: Micros;
  held_micros: Micros;
  settled_micros: Micros;
  absorbed_micros: Micros;
}

export type TaskStatus = "active" | "waiting" | "paused" | "completed" | "failed" | "stopped";

export interface Task {
  id: Id;
  kind: "lightweight" | "persistent";
  title: string;
  goal: string;
  language: string | null;
  status: TaskStatus;
  waiting_reason: string | null;
  reason: string | null;
  /** What ends its rest, as a sentence of the server's. */
  ends_with?: string | null;
  created_at: string;
  updated_at: string;
  checklist: Checklist | null;
  jobs: Jobs;
  budget: Budget;
  delivery: Delivery | null;
  /** How the newest delivery stands; events of before it was told have none. */
  acceptance?: Acceptance | null;
  /** What calls outside any plan have made. */
  results?: Output[];
  /** When it was put away; one that was joined to another one names it. */
  archived_at?: string | null;
  merged_into?: Id | null;
  /** Which other tasks it has read. */
  draws_on?: { tasks: { task_id: Id; title: string; read_at: string }[] };
  model_usage?: ModelUsage;
}

/** What chat models were used: a model without a known price counts in tokens only. */
export interface Usage {
  calls: number;
  /** Calls that told no tokens, and calls without a known price. */
  uncounted: number;
  unpriced: number;
  input_tokens: number;
  output_tokens: number;
  price_micros: Micros;
}

export type ModelUsage = Usage & { currency: string; models: (Usage & { model: string })[] };

/** The money of all tasks together. */
export interface Account {
  budget: Budget;
  model_usage: ModelUsage;
}

export type Autonomy = "cautious" | "balanced" | "free";

/** The kinds of steps in a plan, in the order in which they are offered. */
export const STEP_KINDS = [
  "script",
  "document",
  "image",
  "characters",
  "keyframes",
  "shots",
  "narration",
  "music",
  "captions",
  "master",
  "model3d",
] as const;

export type StepKind = (typeof STEP_KINDS)[number];

/** What the owner allows without being asked. */
export interface Settings {
  autonomy: Autonomy;
  per_call_allowance_micros: Micros;
  daily_allowance_micros: Micros;
  review_points: StepKind[];
  /** Whether what is delivered counts as accepted without being asked about. */
  accepts_deliveries: boolean;
}

/** How much each production does by itself before it waits for a person's word. */
export interface Limits {
  rounds: number;
  rounds_without_progress: number;
  seconds: number;
}

/** The newest look of the stop-check, with what the task may do and has done. */
export interface Verdicts {
  limits: Limits & { worked_seconds: number };
  verdicts: { facts: { rounds?: number } | null }[];
}

/** What a person gives one production beyond what it has. */
export interface More {
  rounds?: number;
  seconds?: number;
  budget_micros?: Micros;
}

/** Which tasks are listed: at work or lately ended, all that are not put away, those put away. */
export type Scope = "current" | "all" | "archived";

export type Control = "stop" | "pause" | "resume" | "reopen" | "archive" | "unarchive";

/** In which sense something may not run: cannot, may not yet, not affordable, wrongly put. */
export type Refusal = "capability" | "permission" | "budget" | "invalid";

/** A result on a card, at the version that was shown. */
export interface Shown {
  slot: Slot;
  object_id: Id;
  version: number;
  kind: ObjectKind;
  role: string | null;
  name: string;
  url: string;
}

/** How long a plan takes; `measured` by earlier jobs here, `declared` by the service that makes it. */
export interface Estimate {
  seconds: number;
  steps: { key: string; seconds: number; basis: "measured" | "declared" | "none"; samples: number }[];
}

export interface Seen {
  done: number;
  expected: number;
}

export type Decision = "approve" | "edit" | "reject" | "choose";
export type ApprovalStatus =
  | "pending"
  | "approved"
  | "edited"
  | "rejected"
  | "chosen"
  | "expired"
  | "superseded";

export interface Approval {
  id: Id;
  task_id: Id | null;
  kind: "plan" | "call" | "question" | "route" | "review" | "gaps";
  title: string;
  body: string;
  /** `review`: the work stops after this step until the person has looked. */
  lines: { label: string; detail: string | null; amount_micros?: Micros | null; review?: boolean }[];
  price: { amount_micros: Micros; maximum_micros: Micros; currency: string } | null;
  /** Of a plan: how long it takes in all, and each step by itself, in the order of its lines. */
  estimate?: Estimate | null;
  /** How many of how many results were there when it was asked, by step. */
  saw?: Record<string, Seen>;
  options: { id: string; label: string; detail: string | null }[];
  actions: Decision[];
  args_hash: string;
  status: ApprovalStatus;
  created_at: string;
  expires_at: string | null;
  decision: Record<string, unknown> | null;
  decided_by?: string | null;
  /** Whether an answer in the person's own words is welcome too. */
  free_text?: boolean;
  /** Why it is asked; null where it is about what the person wants, not about what may be done. */
  category?: Refusal | null;
  /** Of a review: the results that its answer is about. */
  results?: Shown[];
  /** What an edit may change; empty where none is offered. */
  arguments?: Record<string, unknown>;
  /** An edit that costs more is asked about by a card of its own, in the old one's place. */
  replaces?: Id | null;
  replaced_by?: Id | null;
}

export type ObjectKind =
  | "document"
  | "image"
  | "video"
  | "audio"
  | "captions"
  | "timeline"
  | "model3d";

export interface Artifact {
  id: Id;
  kind: ObjectKind;
  role: string | null;
  name: string;
  version: number;
  media_type: string;
  size: number;
  task_id: Id | null;
  step_key: string | null;
  slot: Slot;
  url: string;
  meta: Record<string, unknown>;
  created_at: string;
}

export interface Finding {
  id: string;
  severity: "info" | "warning" | "error";
  message: string;
  measured: unknown;
  limit: unknown;
  time_range: [number, number] | null;
}

/** A delivered version; it names its object, and says less of it than the object itself. */
export type Delivered = Partial<Artifact> & { object_id?: Id; version: number };

export interface Delivery {
  status: "delivered" | "refused";
  revision: number;
  files: Delivered[];
  findings: Finding[];
  missing: unknown[];
  replaced: unknown[];
  truncated: unknown[];
  summary: string;
  delivered_at: string | null;
}

export type AcceptanceAction = "accept" | "ask_changes";

/** What a judge may propose of a result. */
export type Advice = "adjust" | "regenerate" | "ask";

export interface Proposal {
  advice: Advice;
  aspect: string;
  reason: string;
  step: string | null;
  slot: number | null;
}

/** Whether a person has accepted what was delivered, with what came too late and what judges propose. */
export interface Acceptance {
  state: "awaiting" | "accepted" | "changes_asked" | "superseded";
  revision: number;
  args_hash: string;
  saw: Record<string, Seen>;
  /** `grant`: unasked, by the `setting` or the `autonomy` that `decided_by` names. */
  basis: "person" | "grant" | null;
  decided_by: string | null;
  decided_at: string | null;
  note: string | null;
  offered: { call_key: string; title: string; outputs: Output[] }[];
  actions: AcceptanceAction[];
  judgements: { judge: string; proposals: Proposal[]; failure: string | null }[];
}

/** What a person says of exactly the delivery that they were shown. */
export interface AcceptBody {
  decision: AcceptanceAction;
  revision: number;
  args_hash: string;
  note?: string;
}

export type SlotState = "done" | "running" | "asked" | "unknown" | "failed" | "missing" | "left_out";

/** A step of the plan that holds, with what is there of it. */
export interface GraphNode {
  key: string;
  title: string;
  kind: string;
  status: StepStatus;
  depends_on: string[];
  /** Whether the person looks at its results before the work goes on. */
  review: boolean;
  expected: number;
  done: number;
  /** Places that could be made now, and those that may no longer fit what they rest on. */
  ready: number[];
  affected: number[];
  price_micros: Micros;
  slots: { slot: number; state: SlotState; is_affected: boolean; evidence: Output[] }[];
}

/** `slot`: each result needs only its like, so it need not wait for the whole step. */
export interface GraphEdge {
  from: string;
  to: string;
  by: "slot" | "step";
}

/** A result that rests on something that is no longer as it was. */
export interface GraphChange {
  id: Id;
  step: string;
  slot: number;
  cause: { object_id: Id; from_version: number; to_version: number; part: string | null };
  status: "pending" | "kept" | "remade" | "obsolete";
  reason: string | null;
  plan_version: number | null;
}

export interface GraphVersion {
  version: number;
  title: string;
  status: "proposed" | "approved" | "rejected" | "superseded";
  quote_micros: Micros;
  maximum_micros: Micros;
  within_allowance: boolean;
  created_at: string;
  why: { words: string[]; changes: Id[]; failed: { step: string; slots: number[] }[] };
  refused_because: string | null;
  kept: { step: string; slots: number[]; reason: string }[];
  left_out: { title: string; reason: string }[];
  added: string[];
  gone: string[];
  made_again: Record<string, number[]>;
  counts: Record<string, [number, number]>;
}

/** What rests on what in a production, and how its plan came to be. */
export interface ProductionGraph {
  task_id: Id;
  currency: string;
  version: number | null;
  approved: boolean;
  nodes: GraphNode[];
  edges: GraphEdge[];
  changes: GraphChange[];
  mermaid: string;
  versions: GraphVersion[];
}

export interface Workspace {
  id: Id;
  currency: string;
  autonomy: string;
  model: string;
  rehearsal: boolean;
}

export interface Snapshot {
  seq: number;
  server_epoch: string;
  workspace: Workspace;
  messages: Message[];
  tasks: Task[];
  approvals: Approval[];
  objects: Artifact[];
}

/** One entry of the workspace's log; `type` says what `data` is. */
export interface Envelope {
  seq: number;
  ts: string;
  type: string;
  workspace: Id;
  task: Id | null;
  cause: Id | null;
  v: number;
  data: unknown;
}

export interface Delta {
  message_id: Id;
  generation: number;
  /** In characters (code points), not UTF-16 units. */
  offset: number;
  text: string;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
}

export interface SendBody {
  text: string;
  client_id: string;
  task_id?: Id;
  object_id?: Id;
  approval_id?: Id;
  reply_to?: Id;
}

export interface SendAnswer {
  message_id: Id;
  status: MessageStatus;
  task_id?: Id | null;
  seq: number;
}

/** A message that was given to another task; of one that was read already it is a copy. */
export type Moved = Message & { copy_of?: Id; note?: string };

export interface DecideBody {
  decision: Decision;
  args_hash: string;
  choice?: string;
  /** Of an edit: the arguments that change. */
  edited?: Record<string, unknown>;
  note?: string;
}

/** Event types by the subject before the dot: EventSource needs each name spelled out. */
export const LOG_EVENTS = {
  message:
    "received routed delivered consumed withdrawn replaced moved refused answered complete".split(" "),
  assistant: ["started", "completed"],
  task:
    (
      "created updated waiting paused resumed completed failed stopped archived unarchived reopened delivered " +
      "accepted changes_asked offered"
    ).split(" "),
  checklist: ["updated"],
  step: ["started", "finished"],
  approval: "requested answered expired superseded".split(" "),
  job: "submitted queued running progress succeeded failed unknown cancelled".split(" "),
  object: "created version updated stale conflict".split(" "),
  budget: "reserved held settled released updated warning exceeded".split(" "),
  notice: [""],
} as const satisfies Record<string, readonly string[]>;

export const LOG_EVENT_NAMES: string[] = Object.entries(LOG_EVENTS).flatMap(([subject, verbs]) =>
  verbs.map((verb) => (verb ? `${subject}.${verb}` : subject)),
);
