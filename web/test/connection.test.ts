import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Snapshot } from "../src/contract";
import {
  connect,
  type ConnectionStatus,
  type Feed,
  HIDDEN_MS,
  SILENT_MS,
} from "../src/net/connection";

class FakeFeed extends EventTarget implements Feed {
  readonly url: string;
  closed = false;

  constructor(url: string) {
    super();
    this.url = url;
  }

  close(): void {
    this.closed = true;
  }

  say(name: string, data: unknown = null): void {
    this.dispatchEvent(new MessageEvent(name, { data: data === null ? "" : JSON.stringify(data) }));
  }
}

function setUp(loadSnapshot?: () => Promise<Snapshot>) {
  const feeds: FakeFeed[] = [];
  const statuses: ConnectionStatus[] = [];
  const events: number[] = [];
  let seq = -1;
  let epoch: string | null = null;
  let snapshots = 0;
  const page = Object.assign(new EventTarget(), { hidden: false });
  const network = new EventTarget();
  connect({
    sink: {
      snapshot(snapshot) {
        snapshots += 1;
        seq = snapshot.seq;
        epoch = snapshot.server_epoch;
      },
      event(event) {
        events.push(event.seq);
        seq = event.seq;
      },
      delta: () => undefined,
      status: (status) => statuses.push(status),
      seq: () => seq,
      epoch: () => epoch,
    },
    loadSnapshot: loadSnapshot ?? (async () => ({ seq: 10, server_epoch: "a" }) as Snapshot),
    openFeed(url) {
      const feed = new FakeFeed(url);
      feeds.push(feed);
      return feed;
    },
    page,
    network,
    random: () => 0.5,
  });
  const hide = (hidden: boolean): void => {
    page.hidden = hidden;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  return { feeds, statuses, events, network, hide, snapshots: () => snapshots };
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the connection", () => {
  test("asks for what comes after the snapshot", async () => {
    const { feeds, statuses } = setUp();
    await settle();
    expect(feeds.map((feed) => feed.url)).toEqual(["/v1/events?after=10"]);
    feeds[0]!.say("open");
    expect(statuses).toEqual(["connecting", "live"]);
  });

  test("resumes after the last event that it saw, without a new snapshot", async () => {
    const { feeds, statuses, snapshots } = setUp();
    await settle();
    feeds[0]!.say("open");
    feeds[0]!.say("task.updated", { seq: 12 });
    feeds[0]!.say("error");
    expect(statuses.at(-1)).toBe("reconnecting");
    await vi.advanceTimersByTimeAsync(500);
    expect(feeds.map((feed) => feed.url)).toEqual(["/v1/events?after=10", "/v1/events?after=12"]);
    expect(snapshots()).toBe(1);
  });

  test("waits longer from try to try, and from the start after a success", async () => {
    const { feeds } = setUp();
    await settle();
    feeds[0]!.say("error");
    await vi.advanceTimersByTimeAsync(500);
    feeds[1]!.say("error");
    await vi.advanceTimersByTimeAsync(999);
    expect(feeds).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(feeds).toHaveLength(3);
    feeds[2]!.say("open");
    feeds[2]!.say("error");
    await vi.advanceTimersByTimeAsync(500);
    expect(feeds).toHaveLength(4);
  });

  test("keeps trying when the very first snapshot cannot be had", async () => {
    let isUp = false;
    const { feeds, statuses } = setUp(async () => {
      if (!isUp) throw new Error("away");
      return { seq: 3, server_epoch: "a" } as Snapshot;
    });
    await settle();
    expect(statuses).toEqual(["connecting", "reconnecting"]);
    isUp = true;
    await vi.advanceTimersByTimeAsync(500);
    expect(feeds[0]?.url).toBe("/v1/events?after=3");
  });

  test.each([
    ["reset", { reason: "too old" }],
    ["hello", { seq: 10, server_epoch: "another" }],
    ["hello", { seq: 9, server_epoch: "a" }],
  ])("takes a new snapshot on %s %o", async (name, data) => {
    const { feeds, snapshots } = setUp();
    await settle();
    feeds[0]!.say(name, data);
    await settle();
    expect(snapshots()).toBe(2);
    expect(feeds).toHaveLength(2);
    expect(feeds[0]!.closed).toBe(true);
  });

  test("goes on without a word when the server greets as expected", async () => {
    const { feeds, snapshots } = setUp();
    await settle();
    feeds[0]!.say("hello", { seq: 14, server_epoch: "a" });
    await settle();
    expect([snapshots(), feeds.length]).toEqual([1, 1]);
  });

  test("lets go when hidden for a minute and resumes when seen again", async () => {
    const { feeds, statuses, hide } = setUp();
    await settle();
    hide(true);
    await vi.advanceTimersByTimeAsync(HIDDEN_MS - 1);
    expect(feeds[0]!.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(feeds[0]!.closed).toBe(true);
    expect(statuses.at(-1)).toBe("asleep");
    await vi.advanceTimersByTimeAsync(10 * SILENT_MS);
    expect(feeds).toHaveLength(1);
    hide(false);
    await settle();
    expect(feeds).toHaveLength(2);
  });

  test("does not mind a short look away", async () => {
    const { feeds, hide } = setUp();
    await settle();
    hide(true);
    await vi.advanceTimersByTimeAsync(HIDDEN_MS / 2);
    hide(false);
    await vi.advanceTimersByTimeAsync(HIDDEN_MS / 2 + 1);
    expect(feeds).toHaveLength(1);
  });

  test("tries at once when the network is back", async () => {
    const { feeds, network } = setUp();
    await settle();
    network.dispatchEvent(new Event("offline"));
    network.dispatchEvent(new Event("online"));
    await settle();
    expect(feeds).toHaveLength(2);
  });

  test("renews a connection that has been silent for too long", async () => {
    const { feeds } = setUp();
    await settle();
    feeds[0]!.say("open");
    await vi.advanceTimersByTimeAsync(SILENT_MS - 1);
    feeds[0]!.say("task.updated", { seq: 11 });
    await vi.advanceTimersByTimeAsync(SILENT_MS - 1);
    expect(feeds).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(feeds[1]?.url).toBe("/v1/events?after=11");
  });

  test("does not hear a feed that it has left", async () => {
    const { feeds, events } = setUp();
    await settle();
    feeds[0]!.say("error");
    await vi.advanceTimersByTimeAsync(500);
    feeds[0]!.say("task.updated", { seq: 11 });
    expect(events).toEqual([]);
  });
});
