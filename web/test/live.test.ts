import { describe, expect, test } from "vitest";
import type { Delta } from "../src/contract";
import {
  applyDelta,
  EMPTY_LIVE,
  joinDelta,
  passEvent,
  SILENT_REPLY_MS,
  type Stream,
  unannounced,
} from "../src/state/live";
import { applyEvent, EMPTY_LOG, type Log } from "../src/state/log";
import type { Live } from "../src/state/live";
import { randomFrom, record } from "./recorded";

const delta = (offset: number, text: string, generation = 1): Delta => ({
  message_id: "m",
  generation,
  offset,
  text,
});
const join = (...deltas: Delta[]): Stream =>
  deltas.reduce<Stream | undefined>(joinDelta, undefined) as Stream;

describe("a streaming reply", () => {
  test("grows by its deltas", () => {
    expect(join(delta(0, "One "), delta(4, "day"))).toMatchObject({ text: "One day", length: 7 });
  });

  test("takes a repeated or overlapping delta once", () => {
    const text = join(delta(0, "One "), delta(0, "One "), delta(2, "e day")).text;
    expect(text).toBe("One day");
    expect(join(delta(0, "One day"), delta(0, "One "), delta(7, " more")).text).toBe("One day more");
  });

  test("counts characters, not UTF-16 units", () => {
    expect(join(delta(0, "🌒🌓"), delta(2, "한글"), delta(4, "!")).text).toBe("🌒🌓한글!");
  });

  test("starts anew with a new generation and ignores the old one's rest", () => {
    const text = join(delta(0, "First try"), delta(0, "Second", 2), delta(9, " more", 1)).text;
    expect(text).toBe("Second");
  });

  test("shows a hole as an ellipsis and goes on behind it", () => {
    expect(join(delta(0, "One "), delta(20, "night"), delta(25, ".")).text).toBe("One  … night.");
  });

  test("continues the part that a snapshot brought", () => {
    const stored = { status: "streaming", text: "One " } as never;
    const live = applyDelta(EMPTY_LIVE, delta(4, "day", 3), stored);
    expect(live.streams["m"]?.text).toBe("One day");
  });

  test("is deaf once the reply is complete", () => {
    expect(applyDelta(EMPTY_LIVE, delta(0, "late"), { status: "complete" } as never)).toBe(EMPTY_LIVE);
  });

  test("is shown before the log knows of it, until it is complete or falls silent", () => {
    const live = applyDelta(EMPTY_LIVE, delta(0, "One "), undefined, 1_000);
    expect(unannounced(live, {}, 1_000)).toEqual(["m"]);
    expect(unannounced(live, { m: {} as never }, 1_000)).toEqual([]);
    expect(unannounced(live, {}, 1_000 + SILENT_REPLY_MS)).toEqual([]);
    const longer = applyDelta(live, delta(4, "day"), undefined, 40_000);
    expect(unannounced(longer, {}, 1_000 + SILENT_REPLY_MS)).toEqual(["m"]);
  });

  test.each([1, 2, 3, 4, 5])("ends as the completed text, however many deltas are lost (%i)", (seed) => {
    const random = randomFrom(seed);
    let log: Log = EMPTY_LOG;
    let live: Live = EMPTY_LIVE;
    for (const item of record().wire) {
      if ("event" in item) {
        log = applyEvent(log, item.event);
        live = passEvent(live, item.event);
      } else if (random() < 0.7) {
        live = applyDelta(live, item.delta, log.messages[item.delta.message_id]);
      }
    }
    expect(live.streams).toEqual({});
    expect(log.messages["message-2"]?.text).toMatch(/^I'd make this as .* approve it\.$/s);
  });
});

test("only the last notices are kept", () => {
  const said = Array.from({ length: 5 }, (_, seq) => ({
    seq,
    ts: "",
    type: "notice",
    workspace: "",
    task: null,
    cause: null,
    v: 1,
    data: { level: "info", text: `${seq}` },
  }));
  expect(said.reduce(passEvent, EMPTY_LIVE).notices.map((notice) => notice.text)).toEqual([
    "2",
    "3",
    "4",
  ]);
});
