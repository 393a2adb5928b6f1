/** The server's routes as functions: JSON in, JSON out, every failure one of two errors. */
import type {
  Approval,
  Artifact,
  DecideBody,
  Id,
  Problem,
  SendAnswer,
  SendBody,
  Snapshot,
  Task,
} from "../contract";

const PATIENCE_MS = 20_000;

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
  control(id: Id, action: "stop" | "pause" | "resume"): Promise<Task>;
  text(url: string): Promise<string>;
}

export const api: Api = {
  snapshot: () => json("GET", "/v1/snapshot"),
  send: (body) => json("POST", "/v1/messages", body, body.client_id),
  decide: (id, body, key) => json("POST", `/v1/approvals/${encodeURIComponent(id)}`, body, key),
  control: (id, action) =>
    json("POST", `/v1/tasks/${encodeURIComponent(id)}/${action}`, {}, crypto.randomUUID()),
  text: async (url) => (await request("GET", url)).text(),
};

async function json<T>(method: string, url: string, body?: unknown, key?: string): Promise<T> {
  return (await request(method, url, body, key)).json() as Promise<T>;
}

async function request(
  method: string,
  url: string,
  body?: unknown,
  key?: string,
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
      signal: AbortSignal.timeout(PATIENCE_MS),
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
