import { describe, expect, test } from "vitest";
import type { Approval, Envelope, Job } from "../src/contract";
import { applyEvent, countJobs, EMPTY_LOG, fromSnapshot, type Log } from "../src/state/log";
import { needsYou, objectsOf, sortWorks, timeline } from "../src/state/view";
import { randomFrom, record } from "./recorded";

const recording = record();
const last = recording.events.length;

/** All that the page shows of the log. */
function shown(log: Log): unknown {
  const task = log.tasks["task-market"];
  return {
    log: { ...log, epoch: null, workspace: null },
    timeline: timeline(log).map(({ key, kind, at }) => [key, kind, at]),
    needsYou: needsYou(log).map((approval) => approval.id),
    film: task && sortWorks(objectsOf(log, task), task.delivery).film?.id,
  };
}

const fromTheStart = recording.events.reduce(applyEvent, fromSnapshot(recording.snapshots[0]!));

describe("the log", () => {
  test("tells the whole story from the start", () => {
    expect(fromTheStart.seq).toBe(last);
    expect(fromTheStart.tasks["task-market"]?.status).toBe("completed");
    expect(Object.keys(fromTheStart.messages)).toHaveLength(5);
    expect(shown(fromTheStart)).toMatchObject({ film: "object-film", needsYou: [] });
  });

  test.each(Array.from({ length: 120 }, (_, seed) => seed + 1))(
    "shows the same after any reconnects, repeats and late arrivals (seed %i)",
    (seed) => {
      const random = randomFrom(seed);
      const below = (limit: number): number => Math.floor(random() * limit);
      let log = fromSnapshot(recording.snapshots[below(last + 1)]!);
      while (log.seq < last) {
        // a connection: asked for after what is known, or served from further back
        const start = random() < 0.5 ? log.seq : below(log.seq + 1);
        const length = 1 + below(40);
        for (const event of recording.events.slice(start, start + length)) {
          log = applyEvent(log, event);
          if (random() < 0.2) log = applyEvent(log, event);
          if (random() < 0.1) log = applyEvent(log, recording.events[below(event.seq)]!);
        }
        // a reset: a new snapshot, never older than what was seen
        if (random() < 0.1) {
          log = fromSnapshot(recording.snapshots[log.seq + below(last - log.seq + 1)]!);
        }
      }
      expect(shown(log)).toEqual(shown(fromTheStart));
    },
  );

  test("ignores what it has already seen", () => {
    const older = recording.events[3]!;
    expect(applyEvent(fromTheStart, older)).toBe(fromTheStart);
  });

  test("passes over kinds of events that it does not know", () => {
    const event = envelope(1, "weather.changed", { cloudy: true });
    expect(applyEvent(EMPTY_LOG, event)).toEqual({ ...EMPTY_LOG, seq: 1 });
  });

  test("keeps a completed reply when its start arrives from an older telling", () => {
    const completed = recording.events.find((event) => event.type === "assistant.completed")!;
    const started = envelope(completed.seq + 1, "assistant.started", { message_id: "message-2" });
    const log = applyEvent(applyEvent(EMPTY_LOG, completed), started);
    expect(log.messages["message-2"]?.status).toBe("complete");
  });

  test("never shows an older version of an object over a newer one", () => {
    const object = recording.events.find((event) => event.type === "object.created")!;
    const row = object.data as { id: string; version: number };
    const newer = envelope(1, "object.version", { ...row, version: 3 });
    const older = envelope(2, "object.version", { ...row, version: 2 });
    const log = [newer, older].reduce(applyEvent, EMPTY_LOG);
    expect(log.objects[row.id]?.version).toBe(3);
  });

  test("counts jobs by what they are doing, whatever order they came in", () => {
    const items = (["running", "failed", "running", "succeeded"] as const).map(
      (status, place) => ({ id: String(place), status }) as Job,
    );
    expect(countJobs(items)).toMatchObject({
      total: 4,
      running: 2,
      failed: 1,
      succeeded: 1,
      queued: 0,
    });
  });

  test("asks for what is pending only, the oldest first", () => {
    const card = (id: string, status: string, created_at: string): Envelope =>
      envelope(Number(id), "approval.requested", { id, status, created_at } as Approval);
    const log = [
      card("1", "pending", "2026-11-29T10:00:00Z"),
      card("2", "approved", "2026-11-29T08:00:00Z"),
      card("3", "pending", "2026-11-29T09:00:00Z"),
    ].reduce(applyEvent, EMPTY_LOG);
    expect(needsYou(log).map((approval) => approval.id)).toEqual(["3", "1"]);
  });
});

function envelope(seq: number, type: string, data: unknown): Envelope {
  return { seq, ts: "2026-11-29T10:00:00Z", type, workspace: "w", task: null, cause: null, v: 1, data };
}
