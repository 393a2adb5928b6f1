import type { Delta, Envelope, Snapshot } from "../src/contract";

export type Said = number | { mark: string } | { until: () => boolean; otherwise: () => void };

export class World {
  constructor(options?: { rehearsal?: boolean; startedMinutesAgo?: number });
  seq: number;
  log: Envelope[];
  time: number;
  listeners: Set<{ event(event: Envelope): void; delta(delta: Delta): void }>;
  snapshot(): Snapshot;
}

export function tell(world: World): Generator<Said, void, undefined>;
