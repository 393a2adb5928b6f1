/**
 * What passes by and is in no snapshot: replies as they stream, the step at work, notices.
 *
 * Losing any of it is harmless: the log's next event for the same thing replaces it.
 */
import type { Delta, Envelope, Id, Message } from "../contract";

export interface Stream {
  generation: number | null;
  text: string;
  /** How far the stream is known, in code points. */
  length: number;
  /** When its newest piece came, on this page's clock. */
  heardAt: number;
}

export interface Notice {
  key: string;
  level: "info" | "warning" | "error";
  text: string;
}

export interface Live {
  streams: Record<Id, Stream>;
  steps: Record<Id, { number: number; running: boolean }>;
  notices: Notice[];
}

export const EMPTY_LIVE: Live = { streams: {}, steps: {}, notices: [] };
const KEPT_NOTICES = 3;

/** Join a delta to what is known; a hole (a lost delta) shows as an ellipsis until the reply is complete. */
export function joinDelta(known: Stream | undefined, delta: Delta, now = 0): Stream {
  let { generation, text, length } = known ?? { generation: null, text: "", length: 0 };
  if (generation !== null && delta.generation < generation) return known as Stream;
  const restarts = generation === null ? delta.offset === 0 : delta.generation > generation;
  if (restarts) {
    text = "";
    length = 0;
  }
  generation = delta.generation;
  const characters = Array.from(delta.text);
  const end = delta.offset + characters.length;
  if (end <= length) return { generation, text, length, heardAt: now };
  const more =
    delta.offset > length ? ` … ${delta.text}` : characters.slice(length - delta.offset).join("");
  return { generation, text: text + more, length: end, heardAt: now };
}

/** `stored` is the reply as the log has it: a snapshot may bring the first part of a stream. */
export function applyDelta(
  live: Live,
  delta: Delta,
  stored: Message | undefined,
  now = 0,
): Live {
  if (stored?.status === "complete") return live;
  const begun = stored?.text
    ? { generation: null, text: stored.text, length: Array.from(stored.text).length, heardAt: now }
    : undefined;
  const known = live.streams[delta.message_id];
  const joined = joinDelta(known ?? begun, delta, now);
  if (joined === known) return live;
  return { ...live, streams: { ...live.streams, [delta.message_id]: joined } };
}

/** A reply whose words stop for so long was given up; what replaces it has a name of its own. */
export const SILENT_REPLY_MS = 45_000;

/** Replies in the making that the log knows nothing of yet: it will, once they are complete. */
export function unannounced(live: Live, known: Record<Id, Message>, now: number): Id[] {
  return Object.entries(live.streams)
    .filter(([id, stream]) => !(id in known) && now - stream.heardAt < SILENT_REPLY_MS)
    .map(([id]) => id);
}

export function passEvent(live: Live, { type, data, seq }: Envelope): Live {
  switch (type) {
    case "assistant.completed":
    case "assistant.started": {
      const row = data as { id?: Id; message_id?: Id };
      const { [row.message_id ?? row.id ?? ""]: _gone, ...streams } = live.streams;
      return { ...live, streams };
    }
    case "step.started":
    case "step.finished": {
      const { task_id, number } = data as { task_id: Id; number: number };
      const step = { number, running: type === "step.started" };
      return { ...live, steps: { ...live.steps, [task_id]: step } };
    }
    case "notice": {
      const { level, text } = data as { level: string; text: string };
      const notice: Notice = { key: `notice-${seq}`, level: asLevel(level), text };
      return { ...live, notices: [...live.notices, notice].slice(-KEPT_NOTICES) };
    }
    default:
      return live;
  }
}

function asLevel(level: string): Notice["level"] {
  return level === "error" || level === "warning" ? level : "info";
}
