/**
 * A stand-in for the server, for developing the page and for its screenshots: no part of the product.
 *
 * node dev/mock.mjs [--port 5190] [--state empty|streaming|approval|running|delivered] [--speed 1] [--no-rehearsal]
 * Serves the committed build under the product's Content-Security-Policy, and the contract from a told story.
 * With --state empty the first message starts the story; it goes on when its card is approved.
 * POST /__dev/down?seconds=8 breaks every connection and refuses new ones for that long; GET /__dev/posts counts.
 */
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { approve, chat, tell, World } from "./story.mjs";

const { values: options } = parseArgs({
  options: {
    port: { type: "string", default: "5190" },
    state: { type: "string", default: "empty" },
    speed: { type: "string", default: "1" },
    "no-rehearsal": { type: "boolean", default: false },
    lag: { type: "string", default: "120" },
  },
});
const APP = fileURLToPath(new URL("../../server/static/app/", import.meta.url));
const MEDIA = fileURLToPath(new URL("./.media/", import.meta.url));
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; " +
  "media-src 'self' blob:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'";
const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
  ".woff2": "font/woff2", ".jpg": "image/jpeg", ".mp4": "video/mp4", ".wav": "audio/wav", ".vtt": "text/vtt",
  ".srt": "application/x-subrip", ".md": "text/markdown; charset=utf-8", ".otio": "application/json",
};

const world = new World({ rehearsal: !options["no-rehearsal"] });
const posts = {};
let downUntil = 0;
const sockets = new Set();

/** Run a telling: at once up to a state, or in real time. */
function runTo(telling, state) {
  for (const said of telling) {
    if (typeof said === "number") world.time += said * 4_000;
    else if (said.until && !said.until()) said.otherwise();
    else if (said.mark === state) return telling;
  }
  return telling;
}

async function perform(telling) {
  const pause = (seconds) => new Promise((done) => setTimeout(done, (seconds * 1000) / Number(options.speed)));
  for (;;) {
    const { value: said, done } = telling.next();
    if (done) return;
    if (typeof said === "number") await pause(said);
    else while (said.until && !said.until()) await pause(0.2);
  }
}

let story = null;
if (options.state !== "empty") story = keepGoing(tell(world), options.state);
world.live = true;

function keepGoing(telling, state) {
  // a for-of would close the generator: step by hand
  const iterator = { [Symbol.iterator]: () => ({ next: () => telling.next() }) };
  runTo(iterator, state);
  return telling;
}
if (story && options.state === "approval") void perform(story);

const json = (response, status, body) => {
  response.writeHead(status, { "Content-Type": status < 400 ? "application/json" : "application/problem+json" });
  response.end(JSON.stringify(body));
};
const problem = (response, status, code, detail) =>
  json(response, status, { type: "about:blank", title: code, status, code, detail });

function events(request, response, url) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const write = (name, data, id) =>
    response.write(`${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  const after = Number(request.headers["last-event-id"] ?? url.searchParams.get("after") ?? 0);
  write("hello", { seq: world.seq, server_epoch: world.epoch });
  for (const event of world.log) if (event.seq > after) write(event.type, event, event.seq);
  if (world.stream) write("assistant.delta", world.stream);
  const listener = {
    event: (event) => write(event.type, event, event.seq),
    delta: (delta) => write("assistant.delta", delta),
  };
  world.listeners.add(listener);
  const ping = setInterval(() => response.write(": ping\n\n"), 5_000);
  response.on("close", () => {
    clearInterval(ping);
    world.listeners.delete(listener);
  });
}

function bytes(request, response, path, { download = false, csp = false } = {}) {
  if (!existsSync(path) || !statSync(path).isFile()) return problem(response, 404, "not_found", "There is no such thing.");
  const size = statSync(path).size;
  const headers = { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Accept-Ranges": "bytes", "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff" };
  if (csp) headers["Content-Security-Policy"] = CSP;
  if (download) headers["Content-Disposition"] = "attachment";
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  if (!range) {
    response.writeHead(200, { ...headers, "Content-Length": size });
    return void createReadStream(path).pipe(response);
  }
  const start = Number(range[1]);
  const end = range[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
  response.writeHead(206, { ...headers, "Content-Length": end - start + 1, "Content-Range": `bytes ${start}-${end}/${size}` });
  return void createReadStream(path, { start, end }).pipe(response);
}

async function body(request) {
  let text = "";
  for await (const part of request) text += part;
  return text ? JSON.parse(text) : {};
}

function receive(response, sent) {
  for (const row of world.rows.messages.values()) {
    if (row.client_id === sent.client_id) return json(response, 202, { message_id: row.id, status: row.status, seq: world.seq });
  }
  const id = `message-${world.seq + 100}`;
  const isFirst = world.rows.messages.size === 0;
  const row = world.message("message.received", { id, client_id: sent.client_id, text: sent.text, task_id: sent.task_id ?? null });
  void perform(isFirst ? tell(world, { id, client_id: sent.client_id, text: sent.text }) : chat(world, id));
  return json(response, 202, { message_id: id, status: row.status, task_id: row.task_id, seq: world.seq });
}

function decide(response, id, sent) {
  const row = world.rows.approvals.get(id);
  if (!row) return problem(response, 404, "not_found", "There is no such question.");
  if (row.status !== "pending") return problem(response, 409, row.status === "superseded" || row.status === "expired" ? row.status : "already_decided", "This was answered before.");
  if (sent.decision === "edit") return edit(response, row, sent.edited);
  return json(response, 200, approve(world, id, { decision: sent.decision, choice: sent.choice ?? null, note: sent.note ?? null }));
}

/** As the server does: what is wider costs more and is asked anew, what is not valid is refused. */
function edit(response, row, edited) {
  if (edited.prompt === "") return problem(response, 422, "invalid_request", "prompt must not be empty.");
  const width = Number(edited.width ?? row.arguments.width);
  const price = { ...row.price, amount_micros: width * 100, maximum_micros: width * 100 };
  const decision = { decision: "edit", choice: null, note: null, edited, price_micros: width * 100 };
  if (price.maximum_micros <= row.price.maximum_micros) return json(response, 200, approve(world, row.id, decision));
  const id = `${row.id}-${width}`;
  world.approval("approval.superseded", { id: row.id, status: "superseded", decision, replaced_by: id });
  const lines = [{ label: row.title, detail: null, amount_micros: width * 100 }];
  const card = { ...row, id, price, lines, arguments: { ...row.arguments, ...edited }, args_hash: id, replaces: row.id, created_at: world.now() };
  return json(response, 200, world.approval("approval.requested", card));
}

const CONTROLS = {
  stop: ["task.stopped", () => ({ status: "stopped", waiting_reason: null })],
  pause: ["task.paused", () => ({ status: "paused", waiting_reason: null })],
  resume: ["task.resumed", () => ({ status: "active", waiting_reason: null })],
  reopen: ["task.reopened", () => ({ status: "active", waiting_reason: null })],
  archive: ["task.archived", () => ({ archived_at: world.now() })],
  unarchive: ["task.unarchived", () => ({ archived_at: null })],
};

function control(response, id, action) {
  const [type, change] = CONTROLS[action] ?? [];
  if (!type) return problem(response, 404, "not_found", "There is no such route.");
  return json(response, 200, world.task(type, { id, ...change() }));
}

let settings = {
  autonomy: "balanced",
  per_call_allowance_micros: 100_000,
  daily_allowance_micros: 2_000_000,
  review_points: [],
  accepts_deliveries: false,
};
let limits = { rounds: 400, rounds_without_progress: 3, seconds: 86_400 };
const USED = { calls: 12, uncounted: 0, unpriced: 0, input_tokens: 48_120, output_tokens: 2_310, price_micros: 0 };

function look(response, kind, id, part, url) {
  const rows = [...world.rows.tasks.values()];
  const isWanted = (row) => Boolean(row.archived_at) === (url.searchParams.get("scope") === "archived");
  if (kind === "settings") return json(response, 200, id === "limits" ? limits : settings);
  if (kind === "account") {
    const usage = { currency: "USD", ...USED, models: [{ model: "rehearsal", ...USED }] };
    return json(response, 200, { budget: rows[0]?.budget ?? world.budget, model_usage: usage });
  }
  if (kind === "tasks" && !id) return json(response, 200, { tasks: rows.filter(isWanted) });
  if (kind === "tasks" && part === "objects") {
    return json(response, 200, { objects: [...world.rows.objects.values()].filter((row) => row.task_id === id) });
  }
  if (kind === "tasks" && part === "graph") return json(response, 200, graph(world.rows.tasks.get(id)));
  if (kind === "tasks" && part === "verdicts") {
    return json(response, 200, { limits: { ...limits, worked_seconds: 600 }, verdicts: [{ facts: { rounds: 7 } }] });
  }
  const row = kind === "tasks" || kind === "objects" ? world.rows[kind].get(id) : undefined;
  return row ? json(response, 200, row) : problem(response, 404, "not_found", "There is no such thing here.");
}

/** The plan as a graph, as far as the story knows it. */
function graph(task) {
  const items = task?.checklist?.items ?? [];
  const nodes = items.map((item) => ({
    ...item, review: false, ready: [], affected: [], price_micros: 0,
    slots: Array.from({ length: item.expected }, (_, place) => ({
      slot: place + 1, state: place < item.done ? "done" : "missing", is_affected: false, evidence: [],
    })),
  }));
  const edges = items.flatMap((item) => item.depends_on.map((from) => ({ from, to: item.key, by: "step" })));
  const version = task?.checklist?.version ?? null;
  return { task_id: task?.id, currency: "USD", version, approved: true, nodes, edges, changes: [], mermaid: "", versions: [] };
}

async function api(request, response, url) {
  const [, , kind, id, action] = url.pathname.split("/");
  const isPost = request.method === "POST";
  const sent = isPost ? await body(request) : {};
  if (isPost) {
    posts[url.pathname] = (posts[url.pathname] ?? 0) + 1;
    await new Promise((done) => setTimeout(done, Number(options.lag)));
  }
  if (kind === "snapshot") return json(response, 200, world.snapshot());
  if (kind === "events") return events(request, response, url);
  if (kind === "messages" && isPost) return receive(response, sent);
  if (kind === "approvals" && isPost) return decide(response, id, sent);
  if (kind === "tasks" && isPost) return control(response, id, action);
  if (kind === "objects" && action === "content") {
    const object = world.rows.objects.get(id);
    return bytes(request, response, join(MEDIA, object?.file ?? "none"), { download: url.searchParams.has("download") });
  }
  if (kind === "settings" && request.method === "PUT") {
    const given = await body(request);
    if (id === "limits") limits = given;
    else settings = given;
    return json(response, 200, given);
  }
  if (request.method === "GET") return look(response, kind, id, action, url);
  return problem(response, 404, "not_found", "There is no such route.");
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://mock");
  if (url.pathname === "/__dev/down") {
    downUntil = Date.now() + Number(url.searchParams.get("seconds") ?? 8) * 1000;
    response.end("down");
    setTimeout(() => sockets.forEach((socket) => socket.destroy()), 50);
    return;
  }
  if (url.pathname === "/__dev/posts") return json(response, 200, posts);
  if (url.pathname === "/__dev/emit") {
    void body(request).then(({ kind, type, row }) => {
      if (kind) world[kind](type, row);
      else world.emit(type, row);
      response.end("ok");
    });
    return;
  }
  if (Date.now() < downUntil) return request.socket.destroy();
  if (url.pathname.startsWith("/v1/")) return void api(request, response, url);
  const name = url.pathname === "/" ? "index.html" : url.pathname.slice(1);
  return bytes(request, response, join(APP, name), { csp: true });
});
server.on("connection", (socket) => {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
});
server.listen(Number(options.port), "127.0.0.1", () => {
  const version = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
  console.log(`atelier-page ${version} mock on http://127.0.0.1:${options.port} (${options.state})`);
});
