import { describe, expect, test } from "vitest";
import type { Approval, Artifact, ChecklistItem, Message, StepStatus, Task } from "../src/contract";
import { contentUrl, downloadUrl } from "../src/net/api";
import { EMPTY_LOG, fromSnapshot, type Log } from "../src/state/log";
import {
  acceptanceOf,
  contactSheet,
  correctionOf,
  type Entry,
  goesOn,
  listedTasks,
  matches,
  objectsOf,
  progressOf,
  hasNamesake,
  saysIt,
  shortOf,
  cellShape,
  shownTask,
  sortWorks,
  timeline,
  wordsOf,
} from "../src/state/view";
import { standing } from "../src/text/states";
import { record } from "./recorded";

const { snapshots, events } = record();

/** The log at the first moment at which `is` holds. */
function logWhen(is: (task: Task) => boolean) {
  const found = snapshots.find((snapshot) => snapshot.tasks[0] && is(snapshot.tasks[0]));
  if (!found) throw new Error("The story has no such moment.");
  const log = fromSnapshot(found);
  return { log, task: log.tasks["task-market"] as Task };
}

const picturesOf = (task: Task) => task.checklist!.items.find((item) => item.key === "pictures")!;

describe("a redone series", () => {
  test("shows what was delivered, and keeps what it has replaced out of sight", () => {
    const { log, task } = logWhen((row) => row.status === "completed");
    const objects = objectsOf(log, task);
    const pictures = sortWorks(objects).pictures;
    expect(pictures.length).toBeGreaterThan(2);
    const delivery = { ...task.delivery!, files: pictures.slice(0, 2) };
    expect(sortWorks(objects, delivery).pictures).toEqual(pictures.slice(0, 2));
  });
});

test("a text that was written anew has a namesake, its report and itself are none", () => {
  const file = (id: string, role: string): Artifact => ({ id, role, name: "Concept: Market" }) as Artifact;
  const files = [file("a", "script"), file("b", "script"), file("r", "delivery_report")];
  expect(files.map((one) => hasNamesake(one, files))).toEqual([true, true, false]);
});

test("only a delivery that stands is asked about", () => {
  const acceptance = { revision: 2, state: "awaiting" } as Task["acceptance"];
  const at = (revision: number, status: string): Task =>
    ({ acceptance, delivery: { revision, status } }) as Task;
  expect(acceptanceOf(at(2, "delivered"))).toBe(acceptance);
  expect(acceptanceOf(at(3, "refused"))).toBeNull();
  expect(acceptanceOf(at(3, "delivered"))).toBeNull();
  expect(acceptanceOf({ ...at(2, "delivered"), acceptance: null })).toBeNull();
  const { acceptance: _none, ...older } = at(2, "delivered");
  expect(acceptanceOf(older)).toBeNull();
});

test("the open questions about money need what is not left", () => {
  const asked = (id: string, patch: Partial<Approval>): Approval =>
    ({
      id, task_id: "t", status: "pending", category: "budget", created_at: "",
      price: { amount_micros: 50, maximum_micros: 50, currency: "USD" }, ...patch,
    }) as Approval;
  const rows = [
    asked("a", {}),
    asked("b", {}),
    asked("other", { task_id: "u" }),
    asked("permission", { category: "permission" }),
    asked("answered", { status: "approved" }),
  ];
  const log: Log = { ...EMPTY_LOG, approvals: Object.fromEntries(rows.map((row) => [row.id, row])) };
  const with_ = (limit_micros: number): Task =>
    ({ id: "t", budget: { limit_micros, settled_micros: 60, held_micros: 10 } }) as Task;
  expect(shortOf(log, with_(100))).toBe(70);
  expect(shortOf(log, with_(0))).toBe(100);
  expect(shortOf(log, with_(1000))).toBe(0);
  expect(shortOf(EMPTY_LOG, with_(0))).toBe(0);
});

describe("tasks that were put away", () => {
  const row = (id: string, patch: Partial<Task> = {}): Task =>
    ({ id, kind: "persistent", status: "active", created_at: "2026-11-30T10:00:00Z", ...patch }) as Task;
  const away = row("away", { status: "stopped", archived_at: "2026-11-30T11:00:00Z" });
  const log: Log = { ...EMPTY_LOG, tasks: { open: row("open"), away } };

  test("stand neither in the conversation nor in the list, and can be looked at", () => {
    expect(timeline(log).map(({ key }) => key)).toEqual(["task-open"]);
    expect(listedTasks(log).map(({ id }) => id)).toEqual(["open"]);
    expect(shownTask(log, null)?.id).toBe("open");
    expect(shownTask(log, "away")).toBe(away);
    const old = row("old");
    expect(shownTask(log, "old", { old })).toBe(old);
  });

  test("are found by words of their title and their goal, in any order", () => {
    const film = { title: "Harbour in the fog", goal: "A film of 6 seconds" } as Task;
    expect(matches(film, "FOG harbour")).toBe(true);
    expect(matches(film, "film fog")).toBe(true);
    expect(matches(film, "  ")).toBe(true);
    expect(matches(film, "fog lighthouse")).toBe(false);
  });

  test.each([
    [{ status: "consumed", route: { outcome: "existing" } }, "move"],
    [{ status: "delivered", route: { outcome: "existing" } }, "move"],
    [{ status: "moved", route: { outcome: "existing" } }, "move"],
    [{ status: "consumed", route: { outcome: "new" } }, "merge"],
    [{ status: "consumed", route: { outcome: "lightweight" } }, "merge"],
    [{ status: "received", route: null }, null],
    [{ status: "withdrawn", route: { outcome: "existing" } }, null],
    [{ status: "answered", task_id: null, route: { outcome: "answer" } }, null],
    [{ status: "consumed", task_id: "away", route: { outcome: "existing" } }, null],
    [{ status: "consumed", task_id: "not here", route: { outcome: "existing" } }, null],
  ])("a message %o can be put right by %o", (patch, correction) => {
    expect(correctionOf(log, { task_id: "open", ...patch } as Message)).toBe(correction);
  });
});

describe("a step of a task that has ended", () => {
  test("is left, unless it is done or has failed", () => {
    const stopped = { status: "stopped" } as Task;
    const item = (status: StepStatus) => ({ status }) as ChecklistItem;
    expect((["todo", "doing"] as const).map((status) => standing(stopped, item(status)))).toEqual([
      "left",
      "left",
    ]);
    expect(standing(stopped, item("done"))).toBe("done");
    expect(standing({ status: "active" } as Task, item("doing"))).toBe("doing");
  });
});

describe("progress", () => {
  test("counts steps whole and their parts in the bar", () => {
    const { task } = logWhen(
      (row) => !!row.checklist?.approved && picturesOf(row).done === 6 && picturesOf(row).running > 0,
    );
    // script and narration done, half of the pictures
    expect(progressOf(task)).toMatchObject({ steps: 7, stepsDone: 2, fraction: 2.5 / 7 });
    expect(progressOf(task)?.current?.key).toBe("pictures");
  });

  test("is absent without a plan", () => {
    expect(progressOf({ checklist: null } as Task)).toBeNull();
  });
});

describe("the contact sheet", () => {
  test("has a place for every expected picture: made, in work, to come", () => {
    const { log, task } = logWhen((row) => !!row.checklist && picturesOf(row).done === 5);
    const cells = contactSheet(log, task, picturesOf(task));
    expect(cells).toHaveLength(12);
    expect(cells.filter((cell) => cell.object).map((cell) => cell.object?.slot)).toEqual([1, 2, 3, 4, 5]);
    expect(cells.slice(5).every((cell) => cell.job !== null)).toBe(true);
  });

  test("is for pictures only", () => {
    const { log, task } = logWhen((row) => row.status === "completed");
    const clips = task.checklist!.items.find((item) => item.key === "clips")!;
    expect(contactSheet(log, task, clips)).toEqual([]);
  });
});

describe("works", () => {
  test("are sorted by how a person meets them", () => {
    const { log, task } = logWhen((row) => row.status === "completed");
    const works = sortWorks(objectsOf(log, task), task.delivery);
    expect(works.film?.id).toBe("object-film");
    expect(works.poster?.id).toBe("object-poster");
    expect(works.pictures).toHaveLength(12);
    expect(works.documents.map((file) => file.id)).toEqual(["object-script"]);
    expect(works.sounds).toHaveLength(2);
    expect(works.captions).toHaveLength(2);
    expect(works.others.map((file) => file.id)).toEqual(["object-timeline"]);
  });

  test("a clip is not mistaken for the film", () => {
    const clip = { id: "c", kind: "video", role: "clip" } as Artifact;
    expect(sortWorks([clip]).film).toBeNull();
    expect(sortWorks([clip]).clips).toEqual([clip]);
  });
});

describe("a task that the server told of", () => {
  const object = (id: string, patch: Partial<Artifact>): Artifact => ({
    id,
    kind: "image",
    role: "image",
    name: id,
    version: 1,
    media_type: "",
    size: 1,
    task_id: "t",
    step_key: null,
    slot: null,
    url: "",
    meta: {},
    created_at: "2026-01-01T00:00:00Z",
    ...patch,
  });
  const wide = { width: 1280, height: 720 };
  const film = object("film", {
    kind: "video",
    role: "master",
    step_key: "master",
    slot: 1,
    meta: wide,
    created_at: "2026-01-01T00:01:00Z",
  });
  const frames = [2, 1].map((slot) => object(`frame-${slot}`, { step_key: "frames", slot, meta: wide }));
  const files = [{ object_id: "film", version: 1, kind: "video" as const, name: "film" }];
  const task = { id: "t", checklist: null, delivery: { status: "delivered", files } } as unknown as Task;
  const log = {
    ...fromSnapshot(snapshots[0]!),
    objects: Object.fromEntries([...frames, film].map((one) => [one.id, one])),
  };

  test("shows each delivered file once, with all that is known of it", () => {
    const found = objectsOf(log, task);
    expect(found.map((one) => one.id)).toEqual(["frame-1", "frame-2", "film"]);
    expect(found.at(-1)).toMatchObject({ step_key: "master", role: "master" });
    expect(sortWorks(found, task.delivery).film?.id).toBe("film");
  });

  test("knows a delivered file that the log no longer has", () => {
    const found = objectsOf({ ...log, objects: {} }, task);
    expect(found).toMatchObject([{ id: "film", kind: "video", task_id: "t" }]);
  });

  test("has the film's first picture for a poster, unless the shape is another", () => {
    const { poster, pictures } = sortWorks(objectsOf(log, task), task.delivery);
    expect(poster?.id).toBe("frame-1");
    expect(pictures).toHaveLength(2);
    const tall = object("tall", { step_key: "frames", slot: 1, meta: { width: 720, height: 1280 } });
    expect(sortWorks([tall, film]).poster).toBeNull();
  });

  test("says a delivery's summary once", () => {
    const said = { id: "m", role: "assistant", task_id: "t", text: "It is ready." };
    const told = { ...log, messages: { m: said as never } };
    expect(saysIt(told, task, "It is ready.")).toBe(true);
    expect(saysIt(told, task, "It is not.")).toBe(false);
    expect(saysIt(told, { ...task, id: "u" }, "It is ready.")).toBe(false);
  });
});

describe("a heading", () => {
  const entry = (role: string, task_id: string | null, at: string): Entry =>
    ({ kind: "message", key: at, at, message: { role, task_id } }) as Entry;
  const first = entry("assistant", "t", "2026-01-01T10:00:00Z");

  test.each([
    ["the same task a minute later", entry("assistant", "t", "2026-01-01T10:01:00Z"), true],
    ["the same task an hour later", entry("assistant", "t", "2026-01-01T11:00:00Z"), false],
    ["another task", entry("assistant", "u", "2026-01-01T10:01:00Z"), false],
    ["the person", entry("user", "t", "2026-01-01T10:01:00Z"), false],
  ])("stands for what follows from %s: %#", (_what, next, answer) => {
    expect(goesOn(first, next)).toBe(answer);
    expect(goesOn(undefined, next)).toBe(false);
  });
});

describe("the timeline", () => {
  test("puts cards where they happened", () => {
    const keys = timeline(fromSnapshot(snapshots[events.length]!)).map((entry) => entry.key);
    expect(keys).toEqual([
      "message-1",
      "task-task-market",
      "message-2",
      "approval-approval-plan",
      "message-3",
      "message-4",
      "delivery-task-market",
      "message-5",
    ]);
  });
});

test("the panel shows the chosen task, else one that is open", () => {
  const task = (id: string, status: string, created_at: string): Task =>
    ({ id, status, kind: "persistent", created_at }) as Task;
  const log = {
    ...fromSnapshot(snapshots[0]!),
    tasks: {
      old: task("old", "active", "2026-01-01T00:00:00Z"),
      done: task("done", "completed", "2026-01-02T00:00:00Z"),
    },
  };
  expect(shownTask(log, null)?.id).toBe("old");
  expect(shownTask(log, "done")?.id).toBe("done");
  expect(shownTask(log, "gone")?.id).toBe("old");
});

test("an object's bytes are only ever asked of this origin", () => {
  const object = { id: "o 1", version: 2, url: "https://elsewhere.example/x" };
  expect(contentUrl(object)).toBe("/v1/objects/o%201/content?version=2");
  expect(contentUrl({ ...object, url: "//elsewhere.example/x" })).toMatch(/^\/v1\//);
  expect(downloadUrl({ ...object, url: "/v1/objects/o/content?version=2" })).toBe(
    "/v1/objects/o/content?version=2&download=1",
  );
});

test.each([
  ["a sentence", "a sentence"],
  [{ title: "Shot 3", reason: "the provider refused it" }, "Shot 3 – the provider refused it"],
  [{ message: "only this" }, "only this"],
  [{ code: "rejected", message: "Too long to be said." }, "Too long to be said."],
  [{ n: 1 }, '{"n":1}'],
])("an entry of a report reads as words: %o", (entry, words) => {
  expect(wordsOf(entry)).toBe(words);
});

test("places have the shape of the pictures that are in them, within bounds", () => {
  const picture = (width: unknown, height: unknown): Artifact =>
    ({ ...({} as Artifact), meta: { width, height } });
  expect(cellShape([picture(800, 1000)])).toEqual({ "--shape": "0.8" });
  expect(cellShape([picture(undefined, undefined), picture(1600, 900)])).toEqual({
    "--shape": String(16 / 9),
  });
  expect(cellShape([picture(5000, 100)])).toEqual({ "--shape": "2" });
  expect(cellShape([picture(100, 5000)])).toEqual({ "--shape": "0.5" });
  for (const unknown of [[], [picture("wide", 10)], [picture(10, 0)]]) {
    expect(cellShape(unknown)).toEqual({});
  }
});
