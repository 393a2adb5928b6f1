/**
 * A hand-written run of one task, as the server would tell it: rows, events, deltas.
 *
 * For developing and for screenshots only. `tell` is a generator: it yields the seconds until what comes next,
 * the name of a state worth stopping at, or a condition to wait for.
 */
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";

const MEDIA = new URL("./.media/", import.meta.url);
const NAMES =
  "Before light,First sun,Morning,Carts,Noon,Apples,Honey,Fiddle,Evening,Dusk,Blue hour,Night".split(",");

export const BRIEF =
  "A 36-second teaser for our autumn market in the valley. Twelve calm pictures from before dawn to night, a warm narrator, soft music, English captions. It will run on the screen in the town hall, so wide. At most $6 please.";

const REPLY = `I'd make this as **one slow day in the valley**: twelve pictures from the first light to the last lantern, three seconds each, with a narrator who says little.

- **Look** – painted landscapes, one place seen twelve times; only the light changes.
- **Voice** – six short lines, warm and unhurried, about five seconds apart.
- **Sound** – one soft chordal bed that swells at dusk and stays under the voice.

I've put the plan and what it costs in a card. Nothing is spent until you approve it.`;

export class World {
  constructor({ rehearsal = true, startedMinutesAgo = 34 } = {}) {
    this.epoch = randomUUID();
    this.seq = 0;
    this.log = [];
    this.time = Date.now() - startedMinutesAgo * 60_000;
    this.live = false;
    this.rows = { messages: new Map(), tasks: new Map(), approvals: new Map(), objects: new Map() };
    this.listeners = new Set();
    this.stream = null;
    this.workspace = {
      id: "workspace-1",
      currency: "USD",
      autonomy: "balanced",
      model: rehearsal ? "rehearsal" : "a model",
      rehearsal,
    };
  }

  now() {
    return new Date(this.live ? Date.now() : this.time).toISOString();
  }

  emit(type, data, task = null) {
    this.seq += 1;
    const event = { seq: this.seq, ts: this.now(), type, workspace: "workspace-1", task, cause: null, v: 1, data };
    const copy = structuredClone(event);
    this.log.push(copy);
    for (const listener of this.listeners) listener.event(copy);
    return copy;
  }

  message(type, patch) {
    const known = this.rows.messages.get(patch.id) ?? {
      client_id: null, role: "user", text: "", language: "en", status: "received", task_id: null,
      reply_to: null, route: null, consumed_by: null, created_at: this.now(),
    };
    const row = { ...known, ...patch };
    this.rows.messages.set(row.id, row);
    this.emit(type, row, row.task_id);
    return row;
  }

  task(type, patch) {
    const row = { ...this.rows.tasks.get(patch.id), ...patch, updated_at: this.now() };
    this.rows.tasks.set(row.id, row);
    this.emit(type, row, row.id);
    return row;
  }

  approval(type, patch) {
    const row = { ...this.rows.approvals.get(patch.id), ...patch };
    this.rows.approvals.set(row.id, row);
    this.emit(type, row, row.task_id);
    return row;
  }

  object(patch) {
    const row = {
      role: null, version: 1, media_type: "application/octet-stream", task_id: TASK, step_key: null, slot: null,
      meta: {}, created_at: this.now(), ...patch,
    };
    row.size = sizeOf(row.file);
    row.url = `/v1/objects/${row.id}/content?version=${row.version}`;
    this.rows.objects.set(row.id, row);
    this.emit("object.created", row, row.task_id);
    return row;
  }

  delta(message_id, generation, offset, text) {
    const delta = { message_id, generation, offset, text };
    this.stream = offset === 0 ? { ...delta } : { ...this.stream, text: this.stream.text + text };
    for (const listener of this.listeners) listener.delta(delta);
  }

  snapshot() {
    const rows = (kind) => [...this.rows[kind].values()];
    return structuredClone({
      seq: this.seq,
      server_epoch: this.epoch,
      workspace: this.workspace,
      messages: rows("messages"),
      tasks: rows("tasks"),
      approvals: rows("approvals").sort((a, b) => (a.status === "pending" ? -1 : 1) - (b.status === "pending" ? -1 : 1)),
      objects: rows("objects"),
    });
  }
}

export const TASK = "task-market";
export const PLAN_APPROVAL = "approval-plan";
const cents = (n) => n * 10_000;

function sizeOf(file) {
  try {
    return statSync(new URL(file, MEDIA)).size;
  } catch {
    return 0;
  }
}

const item = (key, title, kind, expected, depends_on = []) => ({
  key, title, kind, status: "todo", expected, done: 0, running: 0, failed: 0, depends_on, outputs: [],
});

const freshPlan = () => ({
  version: 1,
  approved: false,
  items: [
    item("script", "Script and shot list", "document", 1),
    item("pictures", "Pictures", "image", 12, ["script"]),
    item("narration", "Narration", "audio", 1, ["script"]),
    item("music", "Music", "audio", 1, ["script"]),
    item("clips", "Moving shots", "video", 12, ["pictures"]),
    item("captions", "Captions", "captions", 1, ["narration"]),
    item("film", "Final film", "video", 1, ["clips", "music", "captions"]),
  ],
});

const noJobs = () => ({ total: 0, queued: 0, running: 0, succeeded: 0, failed: 0, unknown: 0, cancelled: 0, items: [] });

function* reply(world, id, text, { task_id = null, reply_to = null, pause = 0.05, stopAt = null } = {}) {
  world.emit("assistant.started", { message_id: id, reply_to, task_id });
  world.rows.messages.set(id, {
    id, client_id: null, role: "assistant", text: "", language: "en", status: "streaming", task_id, reply_to,
    route: null, consumed_by: null, created_at: world.now(),
  });
  yield 0.7;
  const characters = Array.from(text);
  for (let offset = 0; offset < characters.length; offset += 9) {
    world.delta(id, 1, offset, characters.slice(offset, offset + 9).join(""));
    if (stopAt !== null && offset <= stopAt && offset + 9 > stopAt) yield { mark: "streaming" };
    yield pause;
  }
  world.stream = null;
  world.message("assistant.completed", { id, role: "assistant", text, status: "complete", task_id, reply_to });
}

export function* tell(world, first = { id: "message-1", client_id: null, text: BRIEF }) {
  if (!world.rows.messages.has(first.id)) world.message("message.received", first);
  yield 1;
  world.message("message.routed", {
    id: first.id, status: "routed",
    route: { layer: 2, outcome: "new", reason: "A goal that needs ongoing work.", task_id: TASK }, task_id: TASK,
  });
  world.task("task.created", {
    id: TASK, kind: "persistent", title: "Autumn market teaser", goal: first.text, language: "en", status: "active",
    waiting_reason: null, reason: null, created_at: world.now(), checklist: null, jobs: noJobs(),
    budget: { currency: "USD", limit_micros: 0, held_micros: 0, settled_micros: 0, absorbed_micros: 0 },
    delivery: null, results: [],
  });
  world.message("message.delivered", { id: first.id, status: "delivered" });
  yield 1;
  world.emit("step.started", { task_id: TASK, number: 1 }, TASK);
  world.message("message.consumed", { id: first.id, status: "consumed", consumed_by: { step: 1 } });
  yield 0.6;
  yield* reply(world, "message-2", REPLY, { task_id: TASK, reply_to: first.id, stopAt: 330 });
  world.emit("step.finished", { task_id: TASK, number: 1, verdict: "wait" }, TASK);
  yield 1;
  yield* askForPlan(world);
  yield { until: () => world.rows.approvals.get(PLAN_APPROVAL).status !== "pending", otherwise: () => approve(world, PLAN_APPROVAL) };
  if (world.rows.approvals.get(PLAN_APPROVAL).status !== "approved") {
    world.task("task.stopped", { id: TASK, status: "stopped", waiting_reason: null });
    return;
  }
  yield* makePictures(world);
  yield* finish(world);
}

function* askForPlan(world) {
  world.approval("approval.requested", {
    id: PLAN_APPROVAL, task_id: TASK, kind: "plan", title: "Make the autumn market teaser",
    body: "Seven steps, 36 seconds, 1920 × 1080. I'll stop and ask if anything would cost more than this.",
    lines: [
      { label: "Pictures", detail: "12 × 1920 × 1080, one retry each included", amount_micros: cents(180) },
      { label: "Moving shots", detail: "12 × 3 seconds", amount_micros: cents(216) },
      { label: "Narration", detail: "31 seconds, English", amount_micros: cents(12) },
      { label: "Music", detail: "36 seconds", amount_micros: cents(20) },
      { label: "Script, captions, final film", detail: "made on this machine", amount_micros: 0 },
    ],
    price: { amount_micros: cents(428), maximum_micros: cents(560), currency: "USD" },
    options: [], actions: ["approve", "reject"], args_hash: "hash-1", status: "pending",
    created_at: world.now(), expires_at: new Date(Date.now() + 23.6 * 3_600_000).toISOString(),
    decision: null, decided_by: null, free_text: false,
  });
  world.task("task.waiting", { id: TASK, status: "waiting", waiting_reason: "approval", checklist: freshPlan() });
  yield { mark: "approval" };
}

export function approve(world, id, decision = { decision: "approve", choice: null, note: null }) {
  const status = { approve: "approved", reject: "rejected", edit: "approved", choose: "chosen" }[decision.decision];
  return world.approval("approval.answered", { id, status, decision, decided_by: "you" });
}

function step(world, key, patch) {
  const task = world.rows.tasks.get(TASK);
  const items = task.checklist.items.map((it) => (it.key === key ? { ...it, ...patch } : it));
  world.rows.tasks.set(TASK, { ...task, checklist: { ...task.checklist, items } });
}

const tellPlan = (world) =>
  world.emit("checklist.updated", { task_id: TASK, checklist: world.rows.tasks.get(TASK).checklist }, TASK);

function money(world, held, settled) {
  const task = world.rows.tasks.get(TASK);
  const budget = { ...task.budget, held_micros: cents(held), settled_micros: cents(settled) };
  world.rows.tasks.set(TASK, { ...task, budget });
  world.emit("budget.settled", { task_id: TASK, budget }, TASK);
}

function job(world, id, patch) {
  const task = world.rows.tasks.get(TASK);
  const known = task.jobs.items.find((it) => it.id === id);
  const row = {
    id, task_id: TASK, call_key: id, operation: "image", provider: "local", title: id, step_key: null, slot: null,
    status: "queued", progress: null, error: null, price: { held_micros: 0, settled_micros: 0 }, ...known, ...patch,
  };
  const items = known ? task.jobs.items.map((it) => (it.id === id ? row : it)) : [...task.jobs.items, row];
  const count = (status) => items.filter((it) => it.status === status).length;
  world.rows.tasks.set(TASK, {
    ...task,
    jobs: {
      total: items.length, queued: count("queued"), running: count("running"), succeeded: count("succeeded"),
      failed: count("failed"), unknown: count("unknown"), cancelled: count("cancelled"), items,
    },
  });
  const verb = { queued: "submitted", running: "progress" }[row.status] ?? row.status;
  world.emit(`job.${verb}`, row, TASK);
}

function* makePictures(world) {
  const plan = freshPlan();
  plan.approved = true;
  world.task("task.updated", {
    id: TASK, status: "active", waiting_reason: null, checklist: plan,
    budget: { currency: "USD", limit_micros: cents(560), held_micros: 0, settled_micros: 0, absorbed_micros: 0 },
  });
  yield 1;
  step(world, "script", { status: "doing", running: 1 });
  tellPlan(world);
  yield 3;
  world.object({ id: "object-script", kind: "document", name: "Autumn market – script and shots", media_type: "text/markdown", step_key: "script", file: "script.md" });
  step(world, "script", { status: "done", running: 0, done: 1, outputs: [{ object_id: "object-script", version: 1, slot: null }] });
  step(world, "pictures", { status: "doing", running: 12 });
  step(world, "narration", { status: "doing", running: 1 });
  step(world, "music", { status: "ready" });
  tellPlan(world);
  for (let n = 1; n <= 12; n += 1) {
    job(world, `job-picture-${n}`, { title: `Picture ${n}: ${NAMES[n - 1]}`, step_key: "pictures", slot: n, price: { held_micros: cents(20), settled_micros: 0 } });
  }
  job(world, "job-narration", { title: "Narration", operation: "narration", step_key: "narration", status: "running", progress: 0.3, price: { held_micros: cents(15), settled_micros: 0 } });
  money(world, 255, 0);
  world.task("task.waiting", { id: TASK, status: "waiting", waiting_reason: "jobs" });
  yield 2;
  job(world, "job-narration", { status: "succeeded", progress: 1, price: { held_micros: 0, settled_micros: cents(12) } });
  world.object({ id: "object-narration", kind: "audio", role: "narration", name: "Narration", media_type: "audio/wav", step_key: "narration", meta: { duration_s: 31 }, file: "narration.wav" });
  step(world, "narration", { status: "done", running: 0, done: 1, outputs: [{ object_id: "object-narration", version: 1, slot: null }] });
  tellPlan(world);
  for (let n = 1; n <= 12; n += 1) {
    for (const ahead of [0, 1, 2]) {
      if (n + ahead <= 12) job(world, `job-picture-${n + ahead}`, { status: "running", progress: 0.72 - ahead * 0.27 });
    }
    yield 4;
    job(world, `job-picture-${n}`, { status: "succeeded", progress: 1, price: { held_micros: 0, settled_micros: cents(15) } });
    picture(world, n);
    money(world, 240 - n * 20, 12 + n * 15);
    if (n === 5) {
      job(world, "job-picture-6", { status: "running", progress: 0.81 });
      job(world, "job-picture-7", { status: "running", progress: 0.4 });
      job(world, "job-picture-8", { status: "failed", progress: null, error: "The provider was overloaded; it is tried once more.", price: { held_micros: 0, settled_micros: 0 } });
      world.message("message.received", { id: "message-3", text: "Please keep people out of the pictures, only traces of them." });
      yield 1;
      world.message("message.delivered", { id: "message-3", status: "delivered", task_id: TASK, route: { layer: 1, outcome: "existing", reason: "", task_id: TASK } });
      world.emit("step.started", { task_id: TASK, number: 3 }, TASK);
      yield 1;
      world.message("message.consumed", { id: "message-3", status: "consumed", consumed_by: { step: 3 } });
      yield* reply(world, "message-4", "Noted: no people. The five finished pictures already have none, so nothing is made again; the rest follow the same rule.", { task_id: TASK, reply_to: "message-3" });
      yield { mark: "running" };
    }
  }
  world.object({ id: "object-picture-8", kind: "image", role: "image", name: "Fiddle", version: 2, media_type: "image/jpeg", step_key: "pictures", slot: 8, meta: { width: 1280, height: 720 }, file: "picture-8.jpg" });
}

function picture(world, n) {
  const id = `object-picture-${n}`;
  world.object({ id, kind: "image", role: "image", name: NAMES[n - 1], media_type: "image/jpeg", step_key: "pictures", slot: n, meta: { width: 1280, height: 720 }, file: `picture-${n}.jpg` });
  const item = world.rows.tasks.get(TASK).checklist.items.find((it) => it.key === "pictures");
  step(world, "pictures", {
    status: n === 12 ? "done" : "doing", done: n, running: 12 - n,
    outputs: [...item.outputs, { object_id: id, version: 1, slot: n }],
  });
  tellPlan(world);
}

function* finish(world) {
  step(world, "music", { status: "done", done: 1, outputs: [{ object_id: "object-music", version: 1, slot: null }] });
  world.object({ id: "object-music", kind: "audio", role: "music", name: "Music bed", media_type: "audio/wav", step_key: "music", meta: { duration_s: 36 }, file: "music.wav" });
  world.object({ id: "object-captions", kind: "captions", role: "captions_vtt", name: "Captions (WebVTT)", media_type: "text/vtt", step_key: "captions", meta: { language: "en" }, file: "captions.vtt" });
  world.object({ id: "object-captions-srt", kind: "captions", role: "captions", name: "Captions (SubRip)", media_type: "application/x-subrip", step_key: "captions", meta: { language: "en" }, file: "captions.srt" });
  step(world, "captions", { status: "done", done: 1, outputs: [{ object_id: "object-captions", version: 1, slot: null }] });
  step(world, "clips", { status: "doing", running: 4, done: 8 });
  tellPlan(world);
  money(world, 96, 12 + 180 + 20 + 144);
  world.task("task.waiting", { id: TASK, status: "waiting", waiting_reason: "jobs" });
  yield 6;
  step(world, "clips", { status: "done", running: 0, done: 12 });
  step(world, "film", { status: "doing", running: 1 });
  tellPlan(world);
  money(world, 0, 12 + 180 + 20 + 216);
  job(world, "job-film", { title: "Final film", operation: "render", step_key: "film", status: "running", progress: 0.35 });
  yield 5;
  job(world, "job-film", { status: "succeeded", progress: 1 });
  const film = world.object({ id: "object-film", kind: "video", role: "master", name: "Autumn market.mp4", media_type: "video/mp4", step_key: "film", meta: { width: 1280, height: 720, duration_s: 36 }, file: "film.mp4" });
  const poster = world.object({ id: "object-poster", kind: "image", role: "poster", name: "Poster", media_type: "image/jpeg", step_key: "film", meta: { width: 1280, height: 720 }, file: "picture-10.jpg" });
  const timeline = world.object({ id: "object-timeline", kind: "timeline", role: "timeline", name: "Autumn market.otio", media_type: "application/json+otio", step_key: "film", file: "timeline.otio" });
  step(world, "film", { status: "done", running: 0, done: 1, outputs: [{ object_id: "object-film", version: 1, slot: null }] });
  const captions = world.rows.objects.get("object-captions");
  world.task("task.completed", {
    id: TASK, status: "completed", waiting_reason: null,
    delivery: {
      status: "delivered", revision: 1, files: [film, poster, captions, timeline], delivered_at: world.now(),
      summary: "Thirty-six seconds from before light to the last lantern, with six spoken lines. It came to **$4.28** of the $5.60 you approved.",
      findings: [
        { id: "loudness", severity: "info", message: "Loudness is on target for a room.", measured: "-16.1 LUFS", limit: "-16 ± 1", time_range: null },
        { id: "freeze", severity: "warning", message: "The picture hardly moves here; it may look like a still.", measured: "1.8 s", limit: "1.5 s", time_range: [21, 23] },
      ],
      missing: [], replaced: [{ title: "Picture 8, “Fiddle”", reason: "the first try failed at the provider; the second is used" }], truncated: [],
    },
  });
  yield 0.6;
  yield* reply(world, "message-5", "Your teaser is ready. One thing to look at: at 0:21 the picture stands almost still. If that bothers you, say so and I'll give that shot a slow push, at about $0.20.", { task_id: TASK });
  yield { mark: "delivered" };
}

/** Anything said later reaches the task and is read at its next step. */
export function* chat(world, id) {
  yield 0.8;
  const isForTask = world.rows.tasks.has(TASK);
  world.message("message.delivered", { id, status: "delivered", task_id: isForTask ? TASK : null });
  yield 1.6;
  world.message("message.consumed", { id, status: "consumed", consumed_by: { step: 4 } });
  yield* reply(world, `reply-${id}`, "Understood. I'll take that into the next step; what is already out stays as it is.", { task_id: isForTask ? TASK : null, reply_to: id });
}
