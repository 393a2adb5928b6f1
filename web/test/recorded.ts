/** The story of the mock server as a recording: every event and delta in order, and the snapshot after each. */
import { tell, World } from "../dev/story.mjs";
import type { Delta, Envelope, Snapshot } from "../src/contract";

export type Wire = { event: Envelope } | { delta: Delta };

export interface Recording {
  wire: Wire[];
  events: Envelope[];
  /** By seq; index 0 is the empty workspace. */
  snapshots: Snapshot[];
}

export function record(): Recording {
  const world = new World();
  const wire: Wire[] = [];
  const snapshots: Snapshot[] = [world.snapshot()];
  world.listeners.add({
    event(event) {
      wire.push({ event });
      snapshots[event.seq] = world.snapshot();
    },
    delta: (delta) => wire.push({ delta: structuredClone(delta) }),
  });
  for (const said of tell(world)) {
    if (typeof said === "number") world.time += said * 4_000;
    else if ("until" in said && !said.until()) said.otherwise();
  }
  return { wire, events: world.log, snapshots };
}

/** Small and seeded, so that a failure names its run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
