/**
 * Keeps the page in step with the server: a snapshot once, then one event stream, for as long as it is open.
 *
 * Promises: events reach the sink in order and are asked for after the last one it has seen; a lost
 * connection is tried again by itself, sooner when the network or the person comes back; a page hidden for a
 * minute lets go of its connection and resumes where it stopped; a `reset` or another server's log means a
 * new snapshot.
 */
import { type Delta, type Envelope, LOG_EVENT_NAMES, type Snapshot } from "../contract";

export type ConnectionStatus = "connecting" | "live" | "reconnecting" | "asleep";

export interface Sink {
  snapshot(snapshot: Snapshot): void;
  event(event: Envelope): void;
  delta(delta: Delta): void;
  status(status: ConnectionStatus): void;
  seq(): number;
  epoch(): string | null;
}

export interface Ports {
  sink: Sink;
  loadSnapshot(): Promise<Snapshot>;
  openFeed(url: string): Feed;
  page: Pick<EventTarget, "addEventListener"> & { hidden: boolean };
  network: Pick<EventTarget, "addEventListener">;
  random(): number;
}

/** What the page needs of an EventSource. */
export interface Feed {
  addEventListener(name: string, listener: (event: Event) => void): void;
  close(): void;
}

export const HIDDEN_MS = 60_000;
/** Longer than this without an event, the connection may be dead without a sign: it is renewed. */
export const SILENT_MS = 90_000;
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

export function connect({ sink, loadSnapshot, openFeed, page, network, random }: Ports): void {
  let feed: Feed | null = null;
  let needsSnapshot = true;
  let attempts = 0;
  let round = 0; // what an older round still answers is ignored
  let retryTimer: Timer;
  let hiddenTimer: Timer;
  let silentTimer: Timer;
  let asleep = false;

  function close(): void {
    round += 1;
    feed?.close();
    feed = null;
    clearTimeout(retryTimer);
    clearTimeout(silentTimer);
  }

  async function open(): Promise<void> {
    close();
    const mine = round;
    if (needsSnapshot) {
      try {
        const snapshot = await loadSnapshot();
        if (mine !== round) return;
        sink.snapshot(snapshot);
        needsSnapshot = false;
      } catch {
        if (mine === round) retry();
        return;
      }
    }
    listen(openFeed(`/v1/events?after=${sink.seq()}`), mine);
  }

  function listen(opened: Feed, mine: number): void {
    feed = opened;
    const on = <T>(name: string, act: (data: T) => void): void =>
      opened.addEventListener(name, (event) => {
        if (mine !== round) return;
        watchSilence();
        const { data } = event as MessageEvent<string>;
        act((data ? JSON.parse(data) : null) as T);
      });
    on("open", () => {
      attempts = 0;
      sink.status("live");
    });
    on<{ seq: number; server_epoch: string }>("hello", (hello) => {
      if (hello.server_epoch !== sink.epoch() || hello.seq < sink.seq()) renew();
    });
    on("reset", renew);
    on<Delta>("assistant.delta", (delta) => sink.delta(delta));
    for (const name of LOG_EVENT_NAMES) on<Envelope>(name, (event) => sink.event(event));
    opened.addEventListener("error", () => {
      if (mine === round) retry();
    });
    watchSilence();
  }

  function renew(): void {
    needsSnapshot = true;
    void open();
  }

  function retry(): void {
    close();
    sink.status("reconnecting");
    const step = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)] as number;
    attempts += 1;
    retryTimer = setTimeout(() => void open(), step * (0.75 + random() / 2));
  }

  function watchSilence(): void {
    clearTimeout(silentTimer);
    silentTimer = setTimeout(() => void open(), SILENT_MS);
  }

  page.addEventListener("visibilitychange", () => {
    clearTimeout(hiddenTimer);
    if (page.hidden) {
      hiddenTimer = setTimeout(() => {
        asleep = true;
        close();
        sink.status("asleep");
      }, HIDDEN_MS);
    } else if (asleep) {
      asleep = false;
      sink.status("connecting");
      void open();
    }
  });
  network.addEventListener("online", () => {
    if (!asleep) void open();
  });
  network.addEventListener("offline", () => {
    if (!asleep) retry();
  });

  sink.status("connecting");
  void open();
}

type Timer = ReturnType<typeof setTimeout> | undefined;
