import { describe, expect, test } from "vitest";
import type { Approval, ChecklistItem, Message, Task } from "../src/contract";
import { chooseLanguage } from "../src/i18n";
import { de } from "../src/i18n/de";
import { en } from "../src/i18n/en";
import { ko } from "../src/i18n/ko";
import { zh } from "../src/i18n/zh";
import { amountOf, clock, createFormats, toMicros, toWebVtt } from "../src/text/format";
import { healPartial } from "../src/text/partial";
import {
  detailOf,
  gapsOf,
  lineDetails,
  passageOf,
  ranges,
  restEnds,
  stepSentence,
  taskReason,
  taskSentence,
  taskWord,
} from "../src/text/states";

/** Every text of a dictionary with its path; functions are called with marked values. */
function texts(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value === "function") return [[path, (value as (...a: unknown[]) => string)(2, "⟨2⟩")]];
  return Object.entries(value as object).flatMap(([key, inner]) => texts(inner, `${path}.${key}`));
}

describe("the dictionaries", () => {
  test.each(Object.entries({ de, ko, zh }))("%s has every text, none empty", (_name, dictionary) => {
    expect(texts(dictionary).map(([path]) => path)).toEqual(texts(en).map(([path]) => path));
    expect(texts(dictionary).filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  test.each(Object.entries({ de, ko, zh }))("%s is translated", (_name, dictionary) => {
    const english = new Map(texts(en));
    const same = texts(dictionary).filter(([path, text]) => english.get(path) === text);
    const meant = [
      ".chat.atelier", ".step.count", ".task.workingCount", ".panel.film", ".panel.clips",
      ".panel.pictureOf", ".delivery.between", ".announce.task", ".panel.plan", ".approval.note", ".approval.choice",
      ".graph.kinds.document",
    ];
    expect(same.map(([path]) => path).filter((path) => !meant.includes(path))).toEqual([]);
  });

  test.each([
    [["de-AT", "en"], "de"],
    [["ko"], "ko"],
    [["zh-Hans-CN"], "zh"],
    [["fr", "de"], "de"],
    [["fr-FR"], "en"],
    [[], "en"],
    [["not a locale"], "en"],
  ])("%o reads %s", (preferred, tag) => {
    expect(chooseLanguage(preferred).tag).toBe(tag);
  });

  test("the language that was set on the page comes first, amounts stay the person's", () => {
    const { tag, formats } = chooseLanguage(["fr-FR", "en"], "ko");
    expect(tag).toBe("ko");
    expect(formats.money(1_500_000, "EUR")).toMatch(/^1,50\s€$/);
    expect(chooseLanguage(["de"], "tlh").tag).toBe("de");
  });

  test("amounts follow the person's locale, sentences the words'", () => {
    const { formats } = chooseLanguage(["fr-FR"]);
    expect(formats.money(1_500_000, "EUR")).toMatch(/^1,50\s€$/);
    expect(formats.relative("2026-11-29T12:00:00Z", Date.parse("2026-11-29T11:00:00Z"))).toBe(
      "in 1 hour",
    );
  });
});

describe("money", () => {
  const formats = createFormats("en-US");

  test.each([
    [5_600_000, "USD", "$5.60"],
    [0, "USD", "$0.00"],
    [3_500, "USD", "$0.0035"],
    [14_000, "USD", "$0.014"],
    [25_000, "USD", "$0.025"],
    [12, "USD", "<$0.0001"],
    [300_000, "JPY", "¥0.3"],
    [1_234_567_890_000, "USD", "$1,234,567.89"],
    [12_000_000, "JPY", "¥12"],
    [2_000_000, "credits", "2 credits"],
  ])("%i micro-units of %s read %s", (micros, currency, text) => {
    expect(formats.money(micros, currency)).toBe(text);
  });

  test("is rounded up where it is a limit", () => {
    expect(formats.moneyAtMost(58_375, "USD")).toBe("$0.0584");
    expect(formats.moneyAtMost(50_001, "USD")).toBe("$0.0501");
    expect(formats.moneyAtMost(50_000, "USD")).toBe("$0.05");
    expect(formats.moneyAtMost(0, "USD")).toBe("$0.00");
    expect(formats.moneyAtMost(1_200_001, "JPY")).toBe("¥1.21");
    expect(formats.moneyAtMost(2_500_000, "credits")).toBe("2.5 credits");
  });

  test("beside finer amounts is as fine as they are, so that what is shown adds up", () => {
    const lines = [12_000, 18_000, 3_000, 1_200, 500, 12_000];
    const shown = lines.map((micros) => formats.money(micros, "USD", lines));
    expect(shown).toEqual(["$0.0120", "$0.0180", "$0.0030", "$0.0012", "$0.0005", "$0.0120"]);
    const sum = shown.reduce((total, text) => total + Number(text.slice(1)), 0);
    expect(formats.money(46_700, "USD", lines)).toBe(`$${sum.toFixed(4)}`);
  });

  test.each([
    ["0.5", 500_000],
    ["0,025", 25_000],
    [" 12 ", 12_000_000],
    ["", null],
    ["-1", null],
    ["1e3", null],
    ["1.000,50", null],
  ])("typed as %o is %o micro-units", (typed, micros) => {
    expect(toMicros(typed)).toBe(micros);
  });

  test("is typed again as it was saved", () => {
    for (const locale of ["en-US", "de-DE", "ar-EG"]) {
      for (const micros of [0, 100_000, 1_234_500_000, 25_000, 1]) {
        expect(toMicros(amountOf(micros, locale))).toBe(micros);
      }
    }
    expect(amountOf(100_000, "de-DE")).toBe("0,10");
  });

  test("is written as the person writes it", () => {
    expect(createFormats("de-DE").money(1_234_500_000, "EUR")).toMatch(/^1\.234,50\s€$/);
    expect(createFormats("ko-KR").money(5_000_000_000, "KRW")).toBe("₩5,000");
  });
});

test("sizes, clocks and captions", () => {
  const formats = createFormats("en-US");
  expect(formats.size(512)).toBe("512 bytes");
  expect(formats.size(1_243_000)).toBe("1.2 MB");
  expect(clock(83.6)).toBe("1:24");
  expect(toWebVtt("1\r\n00:00:01,500 --> 00:00:02,000\r\nHi, you\r\n")).toBe(
    "WEBVTT\n\n1\n00:00:01.500 --> 00:00:02.000\nHi, you\n",
  );
});

describe("states in words", () => {
  const language = chooseLanguage(["en-US"]);
  const task = (patch: Partial<Task>): Task =>
    ({ status: "active", waiting_reason: null, reason: null, checklist: null, delivery: null, ...patch }) as Task;

  test.each([
    [{}, "Working"],
    [{ status: "waiting", waiting_reason: "approval" }, "Waiting for your decision"],
    [{ status: "waiting", waiting_reason: "jobs" }, "Waiting for renders to finish"],
    [{ status: "waiting", waiting_reason: "a reason of tomorrow" }, "Waiting"],
    [{ status: "completed" }, "Finished"],
    [{ status: "completed", delivery: { status: "delivered" } }, "Delivered"],
  ] as [Partial<Task>, string][])("%o reads “%s”", (patch, sentence) => {
    expect(taskSentence(task(patch), language)).toBe(sentence);
  });

  test("a list calls a task at work whose results are being made", () => {
    expect(taskWord(task({ status: "waiting", waiting_reason: "jobs" }), language)).toBe("Working");
    expect(taskWord(task({ status: "waiting", waiting_reason: "answer" }), language)).toBe("Waiting");
    expect(taskWord(task({ status: "stopped" }), language)).toBe("Stopped");
  });

  test("a stop says why, a plain wait does not repeat itself", () => {
    const reason = "Because.";
    const why = (patch: Partial<Task>): string | null => taskReason(task({ reason, ...patch }), language);
    expect(why({ status: "failed" })).toBe(reason);
    expect(why({ status: "waiting", waiting_reason: "provider" })).toBe(reason);
    expect(why({ status: "waiting", waiting_reason: "jobs" })).toBeNull();
    expect(why({})).toBeNull();
    const items = [
      { title: "Shots", status: "failed" },
      { title: "Music", status: "done" },
    ];
    const failed = { version: 1, approved: true, items } as Task["checklist"];
    const blocked = { status: "waiting", waiting_reason: "blocked" } as const;
    expect(why({ ...blocked, checklist: failed })).toBe(
      "Failed after several tries: Shots.",
    );
    const refused = { status: "refused" } as Task["delivery"];
    expect(why({ ...blocked, delivery: refused })).toMatch(/did not pass its checks/);
  });

  test.each([
    ["en", "Waiting for you to look at Keyframes", "You did not accept Shots."],
    ["de", "Wartet, bis Sie Keyframes angesehen haben", "Sie haben Shots nicht angenommen."],
    ["ko", "Keyframes 확인을 기다리고 있습니다", "Shots 결과를 승인하지 않으셨습니다."],
    ["zh", "等待你查看Keyframes", "你没有接受Shots。"],
  ])("a look that is waited for and one that found faults, in %s", (tag, looks, refused) => {
    const spoken = chooseLanguage([tag]);
    const items = [
      { title: "Keyframes", status: "review" },
      { title: "Shots", status: "rejected" },
    ];
    const checklist = { version: 1, approved: true, items } as Task["checklist"];
    const at = (waiting_reason: string): Task => task({ status: "waiting", waiting_reason, checklist });
    expect(taskSentence(at("review"), spoken)).toBe(looks);
    expect(taskReason(at("review"), spoken)).toBeNull();
    expect(taskReason(at("answer"), spoken)).toContain(refused);
  });

  test.each([
    ["en", "The task has reached its limit of 5 rounds.", "It goes on when you give it more"],
    ["de", "Sie hat so viel allein getan", "Es geht weiter, wenn Sie mehr geben"],
    ["ko", "스스로 할 수 있는 만큼", "더 주시거나"],
    ["zh", "它已经做到了", "你给它更多"],
  ])("a limit and what ends the wait at it, in %s", (tag, why, ends) => {
    const spoken = chooseLanguage([tag]);
    const reason = "The task has reached its limit of 5 rounds.";
    const at = task({ status: "waiting", waiting_reason: "limit", reason });
    expect(taskReason(at, spoken)).toContain(why);
    expect(restEnds(at, spoken)).toContain(ends);
    const short = task({ status: "waiting", waiting_reason: "budget", reason: null });
    expect(taskReason(short, spoken)).toBe(spoken.words.task.why.budget);
  });

  test("what ends a rest is said of rests only, and not where the reason says it", () => {
    expect(restEnds(task({ status: "paused" }), language)).toBe("It goes on when you resume it.");
    expect(restEnds(task({}), language)).toBeNull();
    expect(restEnds(task({ status: "stopped", waiting_reason: "limit" }), language)).toBeNull();
    const spins = task({ status: "waiting", waiting_reason: "no_progress" });
    expect(restEnds(spins, language)).toBeNull();
  });

  test("a stop is told in the page's language, not in the server's", () => {
    const german = chooseLanguage(["de-DE"]);
    const reason = "Nothing new came of the last 3 rounds.";
    const stuck = task({ status: "waiting", waiting_reason: "no_progress", reason });
    expect(taskReason(stuck, german)).toMatch(/^Die letzten Runden/);
    expect(taskReason(task({ status: "failed", reason }), german)).toMatch(/^Auch nach mehreren/);
  });

  const shots = (patch: Partial<ChecklistItem>): ChecklistItem =>
    ({
      key: "shots", title: "Shots", kind: "shots", status: "doing", expected: 40, done: 9, running: 28,
      failed: 3, depends_on: [], outputs: [], ...patch,
    }) as ChecklistItem;

  test("a step says how many of its results are there, being made, failed and left out", () => {
    expect(stepSentence(task({}), shots({}), language)).toBe(
      "in work, 9 of 40, 28 being made, 3 failed",
    );
    const asked = shots({ running: 27, absent: { running: [9], asked: [10, 11] } });
    expect(stepSentence(task({}), asked, language)).toBe(
      "in work, 9 of 40, 27 being made, 2 awaiting your yes, 3 failed",
    );
    const done = shots({ status: "done", done: 37, running: 0, failed: 0, absent: { left_out: [4, 5, 9] } });
    expect(stepSentence(task({}), done, language)).toBe("done, 37 of 40, 3 left out");
  });

  test.each([
    ["awaiting", "Delivered, waits for you to accept it"],
    ["accepted", "Delivered and accepted"],
    ["superseded", "Delivered"],
  ] as const)("a delivery that is %s", (state, sentence) => {
    const delivery = { status: "delivered", revision: 1 } as Task["delivery"];
    const acceptance = { state, revision: 1 } as Task["acceptance"];
    expect(taskSentence(task({ status: "completed", delivery, acceptance }), language)).toBe(sentence);
  });

  test("a line of a plan says what stays of it, and how long it takes where that matters", () => {
    const steps = [
      { key: "script", seconds: 0, basis: "none", samples: 0 },
      { key: "shots", seconds: 700, basis: "measured", samples: 6 },
      { key: "music", seconds: 20, basis: "declared", samples: 0 },
    ];
    const plan = {
      kind: "plan",
      lines: [{ label: "Script", detail: "" }, { label: "Shots", detail: "9 ×" }, { label: "Music", detail: "36 s" }],
      estimate: { seconds: 720, steps },
      saw: { script: { done: 1, expected: 1 }, shots: { done: 3, expected: 12 }, music: { done: 0, expected: 1 } },
    } as unknown as Approval;
    const told = (approval: Approval): string[] =>
      approval.lines.map((_line, place) => lineDetails(approval, place, language));
    expect(told(plan)).toEqual([
      "1 of 1 stay as they are",
      "9 in all · 3 of 12 stay as they are · about 12 min",
      "36 s",
    ]);
    expect(told({ ...plan, kind: "gaps" })).toEqual(["", "9 in all", "36 s"]);
    const kept = {
      ...plan,
      lines: [{ label: "Script", detail: "" }, { label: "Shots", detail: "0 × 5 s" }, { label: "Music", detail: "0 ×" }],
      saw: { shots: { done: 12, expected: 12 }, music: { done: 1, expected: 1 } },
    } as unknown as Approval;
    expect(told(kept)).toEqual(["", "12 of 12 stay as they are · about 12 min", "1 of 1 stay as they are"]);
    const { estimate: _none, saw: _nor, ...older } = plan;
    expect(told(older)).toEqual(["", "9 in all", "36 s"]);
  });

  test.each([
    [3, "5 sec"], [28, "30 sec"], [80, "80 sec"], [100, "2 min"], [700, "12 min"], [5_500, "1.5 hr"], [200_000, "2.3 days"],
  ])("%i seconds are about %s", (seconds, text) => {
    expect(language.formats.duration(seconds)).toBe(text);
  });

  test("a step names what has no result and why, and what another service made", () => {
    const item = shots({
      absent: { failed: [10, 11, 12], missing: [13, 14], running: [15] },
      failures: [
        { slot: 10, reason: "No face found" },
        { slot: 11, reason: "No face found" },
        { slot: 12, reason: "Flagged" },
        { slot: 13, reason: "Flagged" },
      ],
      replaced: [
        { slot: 4, provider: "second", instead_of: ["first"] },
        { slot: 6, provider: "third", instead_of: ["first", "second"] },
        { slot: 5, provider: "second", instead_of: ["first"] },
        { slot: 9, provider: "openai_images", instead_of: ["runway", "local"] },
      ],
    });
    expect(gapsOf(item, language)).toEqual([
      "Being made: 15",
      "Without a result: 10–11 – No face found",
      "Without a result: 12–13 – Flagged",
      "4–5: second instead of first",
      "6: third instead of first, second",
      "9: OpenAI instead of Runway, this machine",
    ]);
    expect(gapsOf(shots({ absent: { left_out: [3, 1, 2, 7] } }), language)).toEqual([
      "Left out, as you agreed: 1–3, 7",
    ]);
    expect(gapsOf(shots({}), language)).toEqual([]);
    expect(gapsOf(shots({ absent: { running: [1, 2] } }), language)).toEqual([]);
    expect(ranges([5, 1, 3, 2])).toBe("1–3, 5");
  });

  test.each([
    ["3 ×", "3 in all"],
    ["3 × 2 s", "3 × 2 s"],
    ["6 s", "6 s"],
    ["", ""],
  ])("the detail %o of a line reads %o", (detail, shown) => {
    expect(detailOf(detail, language)).toBe(shown);
  });

  test("a task that was put away says so, and nothing of its former state", () => {
    const archived = task({ status: "failed", reason: "Because.", archived_at: "2026-11-30T10:00:00Z" });
    expect(taskSentence(archived, language)).toBe("Archived");
    expect(taskReason(archived, language)).toBeNull();
    const joined = { ...archived, merged_into: "other" };
    expect(taskSentence(joined, language)).toBe("Joined to another task");
    expect(taskWord(joined, language)).toBe("Joined to another task");
  });

  test("a message that asks back, an answer and a copy are told apart", () => {
    const says = (patch: Partial<Message>): string =>
      passageOf({ id: "m", task_id: "t", route: null, ...patch } as Message, () => "Teaser", language).words;
    const route = (layer: number, outcome: string): Message["route"] => ({
      layer,
      outcome,
      reason: null,
      task_id: null,
    });
    expect(says({ status: "routed", route: route(2, "ask") })).toBe("Waiting for your answer: which task?");
    expect(says({ status: "routed", route: route(2, "new") })).toBe("Understood");
    expect(says({ status: "answered", route: route(1, "answer") })).toBe("Taken as your answer");
    expect(says({ status: "answered", route: route(2, "answer") })).toBe("Answered");
    expect(says({ status: "delivered", client_id: "m" })).toBe("Copy · Delivered to “Teaser”");
    expect(says({ status: "delivered", client_id: "c" })).toBe("Delivered to “Teaser”");
    expect(says({ status: "delivered", client_id: null })).toBe("Delivered to “Teaser”");
  });

  test("a message says how far it has got", () => {
    const words = (patch: Partial<Message>): string =>
      passageOf({ route: null, task_id: "t", consumed_by: null, ...patch } as Message, () => "Teaser", language)
        .words;
    expect(words({ status: "received" })).toBe("Received");
    expect(words({ status: "delivered" })).toBe("Delivered to “Teaser”");
    expect(words({ status: "consumed", consumed_by: { step: 3 } })).toBe(
      "Delivered to “Teaser” · read at step 3",
    );
    expect(words({ status: "refused", task_id: null })).toBe("Not accepted.");
  });
});

describe("a reply in the making", () => {
  test.each([
    ["A **bold", "A **bold**"],
    ["A **bold*", "A **bold**"],
    ["A **bold** word", "A **bold** word"],
    ["- one\n- **", "- one\n- "],
    ["run `ls", "run `ls`"],
    ["```js\nlet a", "```js\nlet a\n```"],
    ["plain", "plain"],
  ])("%j is shown as %j", (partial, healed) => {
    expect(healPartial(partial)).toBe(healed);
  });
});
