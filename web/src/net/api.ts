/** The server's routes as functions: JSON in, JSON out, every failure one of two errors. */
import type {
  AcceptBody,
  Account,
  Approval,
  Artifact,
  Control,
  DecideBody,
  Id,
  Limits,
  Message,
  More,
  Moved,
  Problem,
  ProductionGraph,
  Scope,
  SendAnswer,
  SendBody,
  Settings,
  Snapshot,
  Task,
  Verdicts,
} from "../contract";

const PATIENCE_MS = 20_000;
/** Without the snapshot there is no page: better late than asked for again from the beginning. */
const SNAPSHOT_PATIENCE_MS = 90_000;
/** So many tasks are listed at once. */
export const MOST_TASKS = 200;

/** The server answered no; `detail` is its sentence for a person, empty when it had none. */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = problem.code ?? "";
    this.detail = problem.detail ?? "";
  }

  /** Whether the same request may succeed later. */
  get passing(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }
}

/** No answer came: the server or the network is away. */
export class UnreachableError extends Error {}

export interface Api {
  snapshot(): Promise<Snapshot>;
  send(body: SendBody): Promise<SendAnswer>;
  decide(id: Id, body: DecideBody, key: string): Promise<Approval>;
  control(id: Id, action: Control): Promise<Task>;
  /** Accept what a task has delivered, or ask for changes of it. */
  accept(id: Id, body: AcceptBody, key: string): Promise<Task>;
  /** Give a task more rounds, time or money. */
  more(id: Id, more: More, key: string): Promise<Task>;
  /** The newest verdict on a task, with its limits. */
  verdict(id: Id): Promise<Verdicts>;
  /** Join a task to another one; the answer is that one. */
  merge(id: Id, into: Id, key: string): Promise<Task>;
  /** Give a message to a task, or to a new one (`new`). */
  move(id: Id, to: Id, key: string): Promise<Moved>;
  withdraw(id: Id): Promise<Message>;
  tasks(scope: Scope, isWithSingle: boolean): Promise<Task[]>;
  task(id: Id): Promise<Task>;
  graph(id: Id): Promise<ProductionGraph>;
  objectsOf(task: Id): Promise<Artifact[]>;
  object(id: Id): Promise<Artifact>;
  settings(): Promise<Settings>;
  saveSettings(settings: Settings): Promise<Settings>;
  limits(): Promise<Limits>;
  saveLimits(limits: Limits): Promise<Limits>;
  account(): Promise<Account>;
  text(url: string): Promise<string>;
}

export const api: Api = {
  snapshot: async () =>
    (await request("GET", "/v1/snapshot", undefined, undefined, SNAPSHOT_PATIENCE_MS)).json() as Promise<Snapshot>,
  send: (body) => json("POST", "/v1/messages", body, body.client_id),
  decide: (id, body, key) => json("POST", `/v1/approvals/${encodeURIComponent(id)}`, body, key),
  control: (id, action) => json("POST", `${taskUrl(id)}/${action}`, {}, crypto.randomUUID()),
  accept: (id, body, key) => json("POST", `${taskUrl(id)}/acceptance`, body, key),
  more: (id, more, key) => json("POST", `${taskUrl(id)}/more`, more, key),
  verdict: (id) => json("GET", `${taskUrl(id)}/verdicts?limit=1`),
  merge: (id, into, key) => json("POST", `${taskUrl(id)}/merge`, { into }, key),
  move: (id, to, key) =>
    json("POST", `/v1/messages/${encodeURIComponent(id)}/move`, { task_id: to }, key),
  withdraw: (id) => json("DELETE", `/v1/messages/${encodeURIComponent(id)}`),
  tasks: async (scope, isWithSingle) => {
    const kind = isWithSingle ? "any" : "persistent";
    const url = `/v1/tasks?scope=${scope}&kind=${kind}&limit=${MOST_TASKS}`;
    return (await json<{ tasks: Task[] }>("GET", url)).tasks;
  },
  task: (id) => json("GET", taskUrl(id)),
  graph: (id) => json("GET", `${taskUrl(id)}/graph`),
  objectsOf: async (task) =>
    (await json<{ objects: Artifact[] }>("GET", `${taskUrl(task)}/objects`)).objects,
  object: (id) => json("GET", `/v1/objects/${encodeURIComponent(id)}`),
  settings: () => json("GET", "/v1/settings"),
  saveSettings: (settings) => json("PUT", "/v1/settings", settings),
  limits: () => json("GET", "/v1/settings/limits"),
  saveLimits: (limits) => json("PUT", "/v1/settings/limits", limits),
  account: () => json("GET", "/v1/account"),
  text: async (url) => (await request("GET", url)).text(),
};

const taskUrl = (id: Id): string => `/v1/tasks/${encodeURIComponent(id)}`;

async function json<T>(method: string, url: string, body?: unknown, key?: string): Promise<T> {
  return (await request(method, url, body, key)).json() as Promise<T>;
}

async function request(
  method: string,
  url: string,
  body?: unknown,
  key?: string,
  patience = PATIENCE_MS,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json, */*;q=0.5" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key !== undefined) headers["Idempotency-Key"] = key;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    });
  } catch (cause) {
    throw new UnreachableError("The server did not answer.", { cause });
  }
  if (response.ok) return response;
  throw new ProblemError(response.status, await readProblem(response));
}

async function readProblem(response: Response): Promise<Partial<Problem>> {
  try {
    return (await response.json()) as Partial<Problem>;
  } catch {
    return {};
  }
}

/** The bytes of an object; only ever this origin's, whatever the row says. */
export function contentUrl(object: Pick<Artifact, "id" | "version" | "url">): string {
  if (object.url?.startsWith("/") && !object.url.startsWith("//")) return object.url;
  return `/v1/objects/${encodeURIComponent(object.id)}/content?version=${object.version}`;
}

export function downloadUrl(object: Pick<Artifact, "id" | "version" | "url">): string {
  const url = contentUrl(object);
  return `${url}${url.includes("?") ? "&" : "?"}download=1`;
}
