/** What the page shows, computed from the log: order in the chat, progress, what a task has made. */
import type {
  Acceptance,
  Approval,
  Artifact,
  ChecklistItem,
  Delivered,
  Delivery,
  Id,
  Job,
  Message,
  Task,
} from "../contract";
import type { Log } from "./log";

export type Entry =
  | { kind: "message"; key: string; at: string; message: Message }
  | { kind: "task"; key: string; at: string; task: Task }
  | { kind: "approval"; key: string; at: string; approval: Approval }
  | { kind: "delivery"; key: string; at: string; task: Task; delivery: Delivery };

const RANK: Record<Entry["kind"], number> = { message: 0, task: 1, approval: 2, delivery: 3 };

/** The chat in the order in which things happened; the same log gives the same order. */
export function timeline(log: Log): Entry[] {
  const entries: Entry[] = [];
  for (const message of Object.values(log.messages)) {
    const key = message.client_id ?? message.id;
    entries.push({ kind: "message", key, at: message.created_at, message });
  }
  for (const task of Object.values(log.tasks)) {
    if (isPutAway(task)) continue;
    entries.push({ kind: "task", key: `task-${task.id}`, at: task.created_at, task });
    const { delivery } = task;
    if (delivery && task.kind === "persistent") {
      const at = delivery.delivered_at ?? task.updated_at;
      entries.push({ kind: "delivery", key: `delivery-${task.id}`, at, task, delivery });
    }
  }
  for (const approval of Object.values(log.approvals)) {
    const key = `approval-${approval.id}`;
    entries.push({ kind: "approval", key, at: approval.created_at, approval });
  }
  return entries.sort(inOrder);
}

const SAME_BREATH_MS = 5 * 60_000;

/** Whether a reply follows another one of the same task so soon that one heading stands for both. */
export function goesOn(previous: Entry | undefined, { at, ...entry }: Entry): boolean {
  return (
    entry.kind === "message" &&
    previous?.kind === "message" &&
    previous.message.role === "assistant" &&
    entry.message.role === "assistant" &&
    previous.message.task_id === entry.message.task_id &&
    Date.parse(at) - Date.parse(previous.at) < SAME_BREATH_MS
  );
}

function inOrder(a: Entry, b: Entry): number {
  return (
    Date.parse(a.at) - Date.parse(b.at) ||
    RANK[a.kind] - RANK[b.kind] ||
    (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
  );
}

/** Open questions to the person, the oldest first. */
export function needsYou(log: Log): Approval[] {
  return Object.values(log.approvals)
    .filter((approval) => approval.status === "pending")
    .sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1));
}

/** Whether a task has the words in its title or its goal. */
export function matches({ title, goal }: Task, words: string): boolean {
  const text = `${title} ${goal}`.toLocaleLowerCase();
  return words.toLocaleLowerCase().split(/\s+/).every((word) => text.includes(word));
}

export const isPutAway = (task: Task): boolean => Boolean(task.archived_at);

/** What a person can do about where a message went; what began a task goes only together with it. */
export function correctionOf(log: Log, message: Message): "move" | "merge" | null {
  const task = message.task_id === null ? undefined : log.tasks[message.task_id];
  if (!["delivered", "consumed", "moved"].includes(message.status) || !task) return null;
  if (isPutAway(task)) return null;
  return ["new", "lightweight"].includes(message.route?.outcome ?? "") ? "merge" : "move";
}

const ENDED: Task["status"][] = ["completed", "failed", "stopped"];
export const hasEnded = (task: Task): boolean => ENDED.includes(task.status);

/** Tasks worth a place in the list: those with a life of their own, the latest first. */
export function listedTasks(log: Log): Task[] {
  return Object.values(log.tasks)
    .filter((task) => task.kind === "persistent" && !isPutAway(task))
    .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at) || (a.id < b.id ? -1 : 1));
}

/** The task that the panel shows: the chosen one, else the latest that is still open, else the latest. */
export function shownTask(
  log: Log,
  selected: Id | null,
  beyond: Record<Id, Task> = {},
): Task | null {
  const chosen = selected === null ? undefined : (log.tasks[selected] ?? beyond[selected]);
  if (chosen) return chosen;
  const listed = listedTasks(log);
  return listed.find((task) => !hasEnded(task)) ?? listed[0] ?? null;
}

export interface Progress {
  stepsDone: number;
  steps: number;
  /** 0..1, each step counted once and by its parts. */
  fraction: number;
  current: ChecklistItem | null;
}

export function progressOf(task: Task): Progress | null {
  const items = task.checklist?.items ?? [];
  if (items.length === 0) return null;
  const parts = items.map((item) =>
    item.status === "done" ? 1 : Math.min(item.done / Math.max(item.expected, 1), 1),
  );
  const current =
    items.find((item) => item.status === "doing") ??
    items.find((item) => item.running > 0) ??
    items.find((item) => item.status === "ready") ??
    null;
  return {
    stepsDone: items.filter((item) => item.status === "done").length,
    steps: items.length,
    fraction: parts.reduce((sum, part) => sum + part, 0) / items.length,
    current,
  };
}

/** How much more than is left the open questions about money need. */
export function shortOf(log: Log, { id, budget }: Task): number {
  const asked = needsYou(log)
    .filter((approval) => approval.task_id === id && approval.category === "budget")
    .reduce((sum, { price }) => sum + (price?.maximum_micros ?? 0), 0);
  const free = budget.limit_micros - budget.settled_micros - budget.held_micros;
  return asked > 0 ? Math.max(asked - Math.max(free, 0), 0) : 0;
}

/** How the delivery stands that is shown; nothing of one that was refused or is not the newest. */
export function acceptanceOf({ delivery, acceptance }: Task): Acceptance | null {
  if (!acceptance || delivery?.status !== "delivered") return null;
  return acceptance.revision === delivery.revision ? acceptance : null;
}

export const spent = (task: Task): number => task.budget.settled_micros;

/** Before a budget is approved there is nothing to show of it. */
export function hasMoney({ budget }: Task): boolean {
  return budget.limit_micros > 0 || budget.settled_micros > 0 || budget.held_micros > 0;
}

/** Everything that a task has made, in the order of making. */
export function objectsOf(log: Log, task: Task): Artifact[] {
  const made = new Set(
    [...(task.results ?? []), ...(task.checklist?.items ?? []).flatMap((item) => item.outputs)].map(
      (output) => output.object_id,
    ),
  );
  const found = new Map<Id, Artifact>();
  for (const object of Object.values(log.objects)) {
    if (object.task_id === task.id || made.has(object.id)) found.set(object.id, object);
  }
  // what was delivered is shown in the version that was delivered
  for (const file of task.delivery?.files ?? []) {
    const id = idOf(file);
    found.set(id, { ...UNKNOWN, task_id: task.id, ...found.get(id), ...file, id });
  }
  return inPlaces(
    [...found.values()].sort(
      (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1),
    ),
  );
}

const idOf = (file: Delivered): Id => file.id ?? file.object_id ?? "";

/** What a reference leaves out of an object that the log does not have. */
const UNKNOWN: Omit<Artifact, "id" | "version"> = {
  kind: "document",
  role: null,
  name: "",
  media_type: "",
  size: 0,
  task_id: null,
  step_key: null,
  slot: null,
  url: "",
  meta: {},
  created_at: new Date(0).toISOString(),
};

/** Steps in the order in which they began; within a step the order of its places, not of finishing. */
function inPlaces(objects: Artifact[]): Artifact[] {
  const steps = [...new Set(objects.map((object) => object.step_key))];
  const place = ({ step_key: step, slot }: Artifact): [number, number] => [
    steps.indexOf(step),
    step === null ? 0 : Number(slot ?? 0) || 0,
  ];
  return objects
    .map((object) => ({ object, at: place(object) }))
    .sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1])
    .map(({ object }) => object);
}

/** Whether the conversation already says this sentence of a task's. */
export function saysIt(log: Log, task: Task, sentence: string): boolean {
  return Object.values(log.messages).some(
    (message) =>
      message.role === "assistant" && message.task_id === task.id && message.text === sentence,
  );
}

export interface Works {
  film: Artifact | null;
  poster: Artifact | null;
  captions: Artifact[];
  pictures: Artifact[];
  clips: Artifact[];
  sounds: Artifact[];
  /** Objects in space, each with the picture that was taken of it. */
  models: { model: Artifact; preview: Artifact | null }[];
  documents: Artifact[];
  others: Artifact[];
}

const FILM_ROLES = ["master", "film", "final"];
const isCaption = (object: Artifact): boolean => object.kind === "captions";
const isReadable = (object: Artifact): boolean =>
  object.kind === "document" && /^text\/(plain|markdown)/.test(object.media_type);

/** A task's objects by how a person meets them: played, looked at, listened to, read, kept. */
export function sortWorks(objects: Artifact[], delivery: Delivery | null = null): Works {
  const videos = objects.filter((object) => object.kind === "video");
  const film = findFilm(videos, delivery);
  const made = objects.find((object) => /poster|thumbnail/.test(object.role ?? "")) ?? null;
  const captions = objects.filter(isCaption);
  const pictures = objects.filter(
    (object) => object.kind === "image" && object !== made && object.role !== "preview",
  );
  // what a redo has replaced is kept, but it is not what was delivered
  const delivered = new Set((delivery?.files ?? []).map(idOf));
  const isDelivered = (object: Artifact): boolean => delivered.has(object.id);
  const seen = new Set<Artifact>([
    ...videos,
    ...captions,
    ...objects.filter(isModel),
    ...objects.filter(
      (object) => object.kind === "image" || object.kind === "audio" || isReadable(object),
    ),
  ]);
  return {
    film,
    poster: made ?? (film && firstPicture(objects, film)),
    captions,
    pictures: pictures.some(isDelivered) ? pictures.filter(isDelivered) : pictures,
    clips: videos.filter((object) => object !== film),
    sounds: objects.filter((object) => object.kind === "audio"),
    models: modelsOf(objects, isDelivered),
    documents: objects.filter(isReadable),
    others: objects.filter((object) => !seen.has(object)),
  };
}

/** Whether another file goes by the same name, as a text that was written anew: only the time tells them apart. */
export const hasNamesake = (file: Artifact, files: Artifact[]): boolean =>
  files.some(({ id, name, role }) => id !== file.id && name === file.name && role === file.role);

const isModel = (object: Artifact): boolean => object.kind === "model3d";

function modelsOf(objects: Artifact[], isDelivered: (object: Artifact) => boolean): Works["models"] {
  const models = objects.filter(isModel);
  return (models.some(isDelivered) ? models.filter(isDelivered) : models).map((model) => ({
    model,
    preview: previewOf(model, objects),
  }));
}

/** Of several attempts at one place the picture that was made together with the body. */
function previewOf(model: Artifact, objects: Artifact[]): Artifact | null {
  const beside = objects.filter(
    (object) =>
      object.role === "preview" && object.step_key === model.step_key && object.slot === model.slot,
  );
  const made = Date.parse(model.created_at);
  const apart = (object: Artifact): number => Math.abs(Date.parse(object.created_at) - made) || 0;
  return beside.sort((a, b) => apart(a) - apart(b))[0] ?? null;
}

/** The picture that the film begins with: a film may begin in the dark, which says nothing of it. */
function firstPicture(objects: Artifact[], film: Artifact): Artifact | null {
  const shape = shapeOf(film);
  return (
    objects.find(
      (object) =>
        object.kind === "image" && object.slot !== null && Math.abs(shapeOf(object) - shape) < 0.02,
    ) ?? null
  );
}

const shapeOf = ({ meta }: Artifact): number => Number(meta["width"]) / Number(meta["height"]);

function findFilm(videos: Artifact[], delivery: Delivery | null): Artifact | null {
  const named = videos.filter((video) => FILM_ROLES.includes(video.role ?? ""));
  const delivered = (delivery?.files ?? []).filter((file) => file.kind === "video");
  const isDelivered = (video: Artifact): boolean => delivered.some((file) => idOf(file) === video.id);
  return named.find(isDelivered) ?? named.at(-1) ?? videos.find(isDelivered) ?? null;
}

/** One place of a step that makes pictures: made, being made, or still to come. */
export interface Cell {
  key: string;
  object: Artifact | null;
  job: Job | null;
}

/** A step's places in order; empty for steps whose results are not pictures. */
export function contactSheet(log: Log, task: Task, item: ChecklistItem): Cell[] {
  const outputs = [...item.outputs].sort(
    (a, b) => Number(a.slot ?? 0) - Number(b.slot ?? 0) || 0,
  );
  const pictures = outputs
    .map((output) => log.objects[output.object_id])
    .filter((object): object is Artifact => object?.kind === "image");
  const jobs = task.jobs.items.filter((job) => job.step_key === item.key);
  const drawsPictures =
    pictures.length > 0 || (item.outputs.length === 0 && jobs.some((job) => isPictureJob(job)));
  if (!drawsPictures || item.expected < 2) return [];
  const open = jobs.filter((job) => job.status !== "succeeded" && job.status !== "cancelled");
  const cells: Cell[] = pictures.map((object) => ({ key: object.id, object, job: null }));
  for (let place = cells.length; place < item.expected; place += 1) {
    const job = open[place - pictures.length] ?? null;
    cells.push({ key: job?.id ?? `place-${place}`, object: null, job });
  }
  return cells;
}

const FLATTEST = 2;
const TALLEST = 0.5;

/** The places' shape as the pictures have it, so that none is cut; nothing where it is not known. */
export function cellShape(pictures: Artifact[]): Record<string, string> {
  const first = pictures.find((picture) => Number(picture.meta["height"]) > 0);
  if (!first) return {};
  const shape = Number(first.meta["width"]) / Number(first.meta["height"]);
  if (!(shape > 0)) return {};
  return { "--shape": String(Math.min(Math.max(shape, TALLEST), FLATTEST)) };
}

const isPictureJob = (job: Job): boolean => /image|picture|keyframe/.test(job.operation);

/** A list entry of a report may be a sentence or a row: its words. */
export function wordsOf(entry: unknown): string {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return String(entry ?? "");
  const row = entry as Record<string, unknown>;
  const name = [row["title"], row["name"], row["what"], row["key"]].find(isWord);
  const reason = [row["message"], row["reason"], row["detail"]].find(isWord);
  return [name, reason].filter(isWord).join(" – ") || JSON.stringify(entry);
}

const isWord = (value: unknown): value is string => typeof value === "string" && value !== "";
