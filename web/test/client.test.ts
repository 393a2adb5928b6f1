import { describe, expect, test, vi } from "vitest";
import type {
  AcceptBody,
  Account,
  Approval,
  Artifact,
  DecideBody,
  Limits,
  Message,
  More,
  Moved,
  ProductionGraph,
  SendAnswer,
  SendBody,
  Settings,
  Snapshot,
  Task,
  Verdicts,
} from "../src/contract";
import { type Api, ProblemError, UnreachableError } from "../src/net/api";
import { createClient } from "../src/state/client";
import { keep, restore } from "../src/state/keep";
import { createStore, isRefusedForGood } from "../src/state/store";

const APPROVAL = { id: "a", status: "pending", args_hash: "h", created_at: "" } as Approval;

function setUp(patch: Partial<Api> = {}) {
  const store = createStore();
  const sent: SendBody[] = [];
  const decided: { body: DecideBody; key: string }[] = [];
  const api: Api = {
    snapshot: async () => ({}) as Snapshot,
    async send(body) {
      sent.push(body);
      return { message_id: `m-${sent.length}`, status: "received", seq: 1 };
    },
    async decide(id, body, key) {
      decided.push({ body, key });
      return { ...APPROVAL, id, status: "approved" };
    },
    control: async () => ({}) as Task,
    accept: async () => ({}) as Task,
    more: async () => ({}) as Task,
    verdict: async () => ({}) as Verdicts,
    merge: async () => ({}) as Task,
    move: async () => ({}) as Moved,
    withdraw: async () => ({}) as Message,
    tasks: async () => [],
    task: async () => ({}) as Task,
    graph: async () => ({}) as ProductionGraph,
    objectsOf: async () => [],
    object: async () => ({}) as Artifact,
    settings: async () => ({}) as Settings,
    saveSettings: async (settings) => settings,
    limits: async () => ({}) as Limits,
    saveLimits: async (limits) => limits,
    account: async () => ({}) as Account,
    text: async () => "",
    ...patch,
  };
  const client = createClient(store, api);
  client.sink.snapshot({
    seq: 0,
    server_epoch: "e",
    workspace: { id: "w", currency: "USD", autonomy: "", model: "", rehearsal: false },
    messages: [],
    tasks: [],
    approvals: [APPROVAL],
    objects: [],
  });
  return { store, client, sent, decided };
}

const arrival = (seq: number, message: Partial<Message>) => ({
  seq,
  ts: "",
  type: "message.received",
  workspace: "w",
  task: null,
  cause: null,
  v: 1,
  data: message,
});

const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

describe("tasks beyond the log", () => {
  const old = { id: "old", title: "Old", updated_at: "1" } as Task;

  test("are looked up with what they have made, and shown outside the conversation", async () => {
    const { store, client } = setUp({
      task: async () => old,
      objectsOf: async () => [{ id: "o", version: 2 } as Artifact],
    });
    await client.open("old");
    expect(store.get()).toMatchObject({ selectedTask: "old", panelOpen: true, beyond: { old } });
    expect(store.get().log.tasks).toEqual({});
    expect(store.get().log.objects["o"]?.version).toBe(2);
  });

  test("that were joined show the one that goes on", async () => {
    const { store, client } = setUp({ merge: async (_id, into) => ({ ...old, id: into }) });
    await client.merge("old", "other");
    expect(store.get().selectedTask).toBe("other");
    expect(Object.keys(store.get().log.tasks)).toEqual(["other"]);
  });
});

test("an answer to a delivery names what was shown, and goes once", async () => {
  const said: { body: AcceptBody; key: string }[] = [];
  const { store, client } = setUp({
    accept: async (id, body, key) => {
      said.push({ body, key });
      if (said.length === 1) throw new UnreachableError("away");
      return { id, title: "A film", updated_at: "2" } as Task;
    },
  });
  const shown = { decision: "accept", revision: 2, args_hash: "h" } as const;
  await expect(client.accept("t", shown)).rejects.toThrow("away");
  await client.accept("t", shown);
  await client.accept("t", { ...shown, revision: 3 });
  expect(said[0]?.body).toEqual(shown);
  expect(said[1]?.key).toBe(said[0]?.key);
  expect(said[2]?.key).not.toBe(said[0]?.key);
  expect(store.get().log.tasks["t"]?.title).toBe("A film");
});

test("more is given once however often the same press is tried, and again when it is meant again", async () => {
  const given: { more: More; key: string }[] = [];
  const { store, client } = setUp({
    more: async (id, more, key) => {
      given.push({ more, key });
      if (given.length === 1) throw new UnreachableError("away");
      return { id, status: "active", updated_at: "2" } as Task;
    },
  });
  await expect(client.more("t", { rounds: 5 })).rejects.toThrow("away");
  await client.more("t", { rounds: 5 });
  await client.more("t", { rounds: 5 });
  const keys = given.map(({ key }) => key);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
  expect(given[2]?.more).toEqual({ rounds: 5 });
  expect(store.get().log.tasks["t"]?.status).toBe("active");
});

test("a move without an answer is made again under its key, a later one under its own", async () => {
  const keys: string[] = [];
  const { client } = setUp({
    move: async (_id, _to, key) => {
      keys.push(key);
      if (keys.length === 1) throw new UnreachableError("away");
      return {} as Moved;
    },
  });
  await expect(client.move("m", "t")).rejects.toThrow("away");
  await client.move("m", "t");
  await client.move("m", "t");
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

describe("sending", () => {
  test("shows the message at once and lets go of it when the log has it", async () => {
    const { store, client, sent } = setUp();
    client.send("Hello", null);
    expect(store.get().outbox).toMatchObject([{ text: "Hello", state: "sending" }]);
    const clientId = sent[0]!.client_id;
    // the event may overtake the answer
    client.sink.event(arrival(1, { id: "m-1", client_id: clientId }));
    expect(store.get().outbox).toEqual([]);
    await settle();
    expect(store.get().outbox).toEqual([]);
  });

  test("recognises the message by the server's id where the log gives no client id", async () => {
    const { store, client } = setUp();
    client.send("Hello", null);
    await settle();
    expect(store.get().outbox).toMatchObject([{ state: "accepted" }]);
    client.sink.event(arrival(1, { id: "m-1" }));
    expect(store.get().outbox).toEqual([]);
  });

  test("tries again with the same client id", async () => {
    const bodies: SendBody[] = [];
    const { store, client } = setUp({
      async send(body): Promise<SendAnswer> {
        bodies.push(body);
        if (bodies.length === 1) throw new UnreachableError("away");
        return { message_id: "m", status: "received", seq: 1 };
      },
    });
    client.send("Hello", { kind: "task", id: "t", label: "Teaser" });
    await settle();
    expect(store.get().outbox).toMatchObject([{ state: "failed", problem: null }]);
    client.retry(store.get().outbox[0]!.clientId);
    await settle();
    expect(bodies[0]).toEqual(bodies[1]);
    expect(bodies[0]).toMatchObject({ text: "Hello", task_id: "t" });
  });

  test("sends what was lost by itself when the connection is back, but not what was refused", async () => {
    let isUp = false;
    const texts: string[] = [];
    const { store, client } = setUp({
      async send({ text }): Promise<SendAnswer> {
        texts.push(text);
        if (text === "forbidden") throw new ProblemError(422, { detail: "Too long." });
        if (!isUp) throw new UnreachableError("away");
        return { message_id: "m", status: "received", seq: 1 };
      },
    });
    client.send("lost", null);
    client.send("forbidden", null);
    await settle();
    isUp = true;
    client.sink.status("live");
    await settle();
    expect(texts).toEqual(["lost", "forbidden", "lost"]);
    expect(store.get().outbox).toMatchObject([
      { text: "lost", state: "accepted" },
      { text: "forbidden", state: "failed", problem: "Too long." },
    ]);
  });
});

describe("deciding", () => {
  test("sends one answer however often it is pressed", async () => {
    const { client, decided, store } = setUp();
    await Promise.all([
      client.decide("a", { decision: "approve" }),
      client.decide("a", { decision: "approve" }),
      client.decide("a", { decision: "reject" }),
    ]);
    await client.decide("a", { decision: "approve" });
    expect(decided.map(({ body }) => body)).toEqual([{ decision: "approve", args_hash: "h" }]);
    expect(store.get().log.approvals["a"]?.status).toBe("approved");
  });

  test("keeps its key when the same answer is tried again, and takes a new one for another", async () => {
    const keys: string[] = [];
    const { client, store } = setUp({
      async decide(_id, _body, key): Promise<Approval> {
        keys.push(key);
        throw new UnreachableError("away");
      },
    });
    await client.decide("a", { decision: "approve" });
    expect(store.get().answering["a"]).toMatchObject({ state: "failed", code: "unreachable" });
    await client.decide("a", { decision: "approve" });
    await client.decide("a", { decision: "reject" });
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test("tells why an answer was not taken", async () => {
    const { client, store } = setUp({
      async decide(): Promise<Approval> {
        throw new ProblemError(409, { code: "superseded", detail: "Newer." });
      },
    });
    await client.decide("a", { decision: "approve" });
    expect(store.get().answering["a"]).toMatchObject({ state: "refused", code: "superseded" });
  });

  const DEARER = { ...APPROVAL, id: "b", args_hash: "h2", replaces: "a" } as Approval;
  const OLD = { ...APPROVAL, status: "superseded", replaced_by: "b" };

  test("puts the question about a dearer change in the place of the old one", async () => {
    const hashes: string[] = [];
    const { client, store } = setUp({
      async decide(_id, body): Promise<Approval> {
        hashes.push(body.args_hash);
        return DEARER;
      },
    });
    await client.decide("a", { decision: "edit", edited: { width: 2000 } });
    expect(store.get().log.approvals).toEqual({ a: OLD, b: DEARER });
    await client.decide("a", { decision: "approve" }); // is no longer asked
    expect(hashes).toEqual(["h"]);
  });

  test("keeps what the log says of a dearer change before its answer is there", async () => {
    const { client, store } = setUp({
      async decide(): Promise<Approval> {
        client.sink.event({ ...arrival(1, {}), type: "approval.superseded", data: OLD });
        const answered = { ...DEARER, status: "rejected" };
        client.sink.event({ ...arrival(2, {}), type: "approval.answered", data: answered });
        return DEARER;
      },
    });
    await client.decide("a", { decision: "edit", edited: { width: 2000 } });
    expect(store.get().log.approvals["b"]?.status).toBe("rejected");
    expect(store.get().log.approvals["a"]).toEqual(OLD);
  });

  test.each([
    ["edit", "invalid_request", false],
    ["edit", "capability", false],
    ["edit", "superseded", true],
    ["edit", "already_decided", true],
    ["edit", "expired", true],
    ["approve", "invalid_request", true],
  ] as const)("after %s is refused with %s the card is closed: %s", async (decision, code, is) => {
    const { client, store } = setUp({
      async decide(): Promise<Approval> {
        throw new ProblemError(422, { code, detail: "No." });
      },
    });
    await client.decide("a", { decision });
    expect(isRefusedForGood(store.get().answering["a"])).toBe(is);
    expect(store.get().answering["a"]).toMatchObject({ state: "refused", detail: "No." });
    expect(store.get().log.approvals["a"]?.status).toBe("pending");
  });

  test("does not undo what the log says meanwhile", async () => {
    const { client, store } = setUp({
      async decide(): Promise<Approval> {
        client.sink.event({
          ...arrival(1, {}),
          type: "approval.superseded",
          data: { ...APPROVAL, status: "superseded" },
        });
        return { ...APPROVAL, status: "approved" };
      },
    });
    await client.decide("a", { decision: "approve" });
    expect(store.get().log.approvals["a"]?.status).toBe("superseded");
  });
});

describe("a reload", () => {
  const storage = (): Storage => {
    const values = new Map<string, string>();
    return {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
    } as Storage;
  };

  test("keeps the draft, and a message that was on its way goes again", async () => {
    const kept = storage();
    const before = createStore();
    keep(before, kept);
    before.set(() => ({
      draft: "half a thought",
      outbox: [
        { clientId: "c", text: "Hello", target: null, state: "sending", problem: null, messageId: null },
      ],
    }));
    const { client, store, sent } = setUp();
    restore(store, kept);
    expect(store.get().draft).toBe("half a thought");
    client.sink.status("live");
    await settle();
    expect(sent).toEqual([{ text: "Hello", client_id: "c" }]);
  });

  test("survives a storage that is full, forbidden or full of nonsense", () => {
    const store = createStore();
    const broken = {
      getItem: () => "{nonsense",
      setItem: vi.fn(() => {
        throw new Error("full");
      }),
    } as unknown as Storage;
    restore(store, broken);
    keep(store, broken);
    store.set(() => ({ draft: "kept in memory" }));
    expect(store.get().draft).toBe("kept in memory");
  });
});
