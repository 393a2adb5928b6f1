/** A task's and a message's state as a sentence for a person. */
import type { Approval, ChecklistItem, Message, StepStatus, Task } from "../contract";
import type { Language } from "../i18n";
import { acceptanceOf, hasEnded, progressOf } from "../state/view";

/** The language of the sentences that the server writes about tasks. */
const SERVER_SPEAKS = "en";

/** One line: what is going on, in words. */
export function taskSentence(task: Task, { words, formats }: Language): string {
  const { task: t } = words;
  if (task.merged_into) return t.joined;
  if (task.archived_at) return t.putAway;
  switch (task.status) {
    case "active":
      return currentWork(task, { words, formats }) ?? t.working;
    case "waiting": {
      const reason = task.waiting_reason ?? "other";
      if (reason === "jobs") return currentWork(task, { words, formats }) ?? t.waitingFor.jobs;
      if (reason === "review") return lookSentence(task, { words });
      if (reason in t.waitingFor) return t.waitingFor[reason as keyof typeof t.waitingFor];
      return t.waitingFor.other;
    }
    case "paused":
      return t.paused;
    case "completed":
      return deliveredSentence(task, { words });
    case "failed":
      return t.failed;
    case "stopped":
      return t.stopped;
  }
}

function deliveredSentence(task: Task, { words: { task: t } }: Pick<Language, "words">): string {
  const state = acceptanceOf(task)?.state;
  if (state === "awaiting" || state === "accepted") return t[state];
  return task.delivery?.status === "delivered" ? t.delivered : t.finished;
}

/** One word for a list: a task whose results are being made is at work, whatever it waits for. */
export function taskWord(task: Task, { words }: Pick<Language, "words">): string {
  if (task.merged_into) return words.task.joined;
  const isAtWork = task.status === "waiting" && task.waiting_reason === "jobs";
  return words.task.status[isAtWork ? "active" : task.status];
}

/** What a person should know of a task that stands still: in the page's words, where it has any. */
export function taskReason(task: Task, { words, tag }: Language): string | null {
  const { why } = words.task;
  if (task.archived_at) return null;
  if (task.status === "failed") return tag === SERVER_SPEAKS ? task.reason : why.failed;
  if (task.status !== "waiting") return null;
  switch (task.waiting_reason) {
    case "approval":
    case "review":
    case "jobs":
      return null;
    case "answer":
      return refusedSentence(task, { words });
    case "no_progress":
      return why.noProgress;
    case "limit":
    case "budget":
      return tag === SERVER_SPEAKS && task.reason ? task.reason : why[task.waiting_reason];
    case "blocked": {
      const failed = (task.checklist?.items ?? []).filter((item) => item.status === "failed");
      if (failed.length > 0) return why.stepsFailed(failed.map((item) => item.title).join(", "));
      return task.delivery?.status === "refused" ? why.checksFailed : task.reason;
    }
    default:
      return task.reason; // a cause from outside, in its own words
  }
}

/** What ends a task's rest, where its reason has not said so. */
export function restEnds(task: Task, { words }: Pick<Language, "words">): string | null {
  if (task.archived_at || hasEnded(task)) return null;
  const wait = task.status === "paused" ? "paused" : task.status === "waiting" ? task.waiting_reason : null;
  if (wait === null) return null;
  const { ends } = words.task;
  return wait in ends ? ends[wait as keyof typeof ends] : null;
}

const titlesOf = (task: Task, status: StepStatus): string =>
  (task.checklist?.items ?? [])
    .filter((item) => item.status === status)
    .map((item) => item.title)
    .join(", ");

/** “Waiting for you to look at Keyframes” */
function lookSentence(task: Task, { words }: Pick<Language, "words">): string {
  const titles = titlesOf(task, "review");
  return titles ? words.task.lookAt(titles) : words.task.waitingFor.approval;
}

function refusedSentence(task: Task, { words }: Pick<Language, "words">): string | null {
  const titles = titlesOf(task, "rejected");
  return titles ? words.task.why.notAccepted(titles) : null;
}

function currentWork(
  task: Task,
  { words, formats }: Pick<Language, "words" | "formats">,
): string | null {
  const current = progressOf(task)?.current;
  if (!current || (current.status === "ready" && current.running === 0)) return null;
  if (current.expected < 2) return words.task.workingOn(current.title);
  return words.task.workingCount(
    current.title,
    formats.number(current.done),
    formats.number(current.expected),
  );
}

/** How a step stands: in a task that has ended, what is not done stays undone. */
export function standing(task: Task, { status }: ChecklistItem): StepStatus | "left" {
  return hasEnded(task) && status !== "done" && status !== "failed" ? "left" : status;
}

export function stepSentence(task: Task, item: ChecklistItem, { words, formats }: Language): string {
  const parts = [words.step[standing(task, item)]];
  if (item.expected > 1) {
    parts.push(words.step.count(formats.number(item.done), formats.number(item.expected)));
  }
  if (item.running > 0 && item.expected > 1) {
    parts.push(words.step.runningCount(formats.number(item.running)));
  }
  const asked = item.absent?.asked ?? [];
  if (asked.length > 0) parts.push(words.step.askedCount(formats.number(asked.length)));
  if (item.failed > 0 && item.status !== "failed") {
    parts.push(words.step.failedCount(formats.number(item.failed)));
  }
  const leftOut = item.absent?.left_out ?? [];
  if (leftOut.length > 0) parts.push(words.step.leftOutCount(formats.number(leftOut.length)));
  return parts.join(", ");
}

/** What of a step is not as planned: places that failed and why, places left out, replacements. */
export function gapsOf(item: ChecklistItem, { words }: Pick<Language, "words">): string[] {
  const { step } = words;
  const failed = item.absent?.failed ?? [];
  const tried = (item.absent?.missing ?? []).filter((place) => reasonOf(item, place) !== null);
  const leftOut = item.absent?.left_out ?? [];
  const gaps: string[] = [];
  for (const [reason, places] of byReason(item, [...failed, ...tried])) {
    const where = step.missing(ranges(places));
    gaps.push(reason === null ? where : `${where} – ${reason}`);
  }
  if (leftOut.length > 0) gaps.push(step.leftOut(ranges(leftOut)));
  for (const [say, places] of byReplacement(item, step)) gaps.push(say(ranges(places)));
  const making = item.absent?.running ?? [];
  // with nothing amiss its count says enough
  return gaps.length > 0 && making.length > 0 ? [step.making(ranges(making)), ...gaps] : gaps;
}

const reasonOf = (item: ChecklistItem, place: number): string | null =>
  item.failures?.find((failure) => failure.slot === place)?.reason ?? null;

const SERVICES: Record<string, string> = {
  comfyui: "ComfyUI",
  elevenlabs: "ElevenLabs",
  fal: "fal",
  openai_images: "OpenAI",
  replicate: "Replicate",
  runway: "Runway",
};

/** A generation service by its own name; one that is not known here by its id, which says as much. */
export const serviceName = (id: string, { thisMachine }: { thisMachine: string }): string =>
  id === "local" ? thisMachine : (SERVICES[id] ?? id.replaceAll("_", " "));

/** “3 ×”, which the server writes where a line counts, as words; what else it says stays. */
export function detailOf(detail: string, { words }: Pick<Language, "words">): string {
  const count = /^(\d+) ×$/.exec(detail.trim())?.[1];
  return count === undefined ? detail : words.approval.inAll(count);
}

/** What a plan says of a step of which nothing is made anew: `0 ×`, `0 × 5 s`. */
const NOTHING = /^0 ×/;
const WORTH_TELLING_S = 60;
const WORTH_TELLING = 0.15;

/** What small print a line of a question has: how much of what, what stays of it, how long it takes. */
export function lineDetails(approval: Approval, place: number, language: Language): string {
  const { words, formats } = language;
  const { detail } = approval.lines[place] ?? { detail: null };
  const step = approval.kind === "plan" ? approval.estimate?.steps[place] : undefined;
  const whole = approval.estimate?.seconds ?? 0;
  const seen = step && approval.saw?.[step.key];
  const staysWhole = seen !== undefined && seen.done > 0 && seen.done >= seen.expected;
  const parts = [detail && !(staysWhole && NOTHING.test(detail)) ? detailOf(detail, language) : ""];
  if (seen && seen.done > 0) {
    parts.push(words.approval.stays(formats.number(seen.done), formats.number(seen.expected)));
  }
  if (step && whole >= WORTH_TELLING_S && step.seconds >= WORTH_TELLING * whole) {
    parts.push(words.approval.about(formats.duration(step.seconds)));
  }
  return parts.filter(Boolean).join(" · ");
}

function byReplacement(
  item: ChecklistItem,
  words: Language["words"]["step"],
): [words: (places: string) => string, places: number[]][] {
  const found = new Map<string, { provider: string; others: string; places: number[] }>();
  for (const { slot, provider, instead_of } of item.replaced ?? []) {
    const name = serviceName(provider, words);
    const others = instead_of.map((other) => serviceName(other, words)).join(", ");
    const same = found.get(`${name}/${others}`);
    if (same) same.places.push(slot);
    else found.set(`${name}/${others}`, { provider: name, others, places: [slot] });
  }
  return [...found.values()].map(({ provider, others, places }) => [
    (shown) => words.replaced(shown, provider, others),
    places,
  ]);
}

function byReason(item: ChecklistItem, places: number[]): Map<string | null, number[]> {
  const found = new Map<string | null, number[]>();
  for (const place of places) {
    const reason = reasonOf(item, place);
    found.set(reason, [...(found.get(reason) ?? []), place]);
  }
  return found;
}

/** Numbers as a person writes them: 1–3, 7. */
export function ranges(places: number[]): string {
  const runs: [number, number][] = [];
  for (const place of [...places].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && place === last[1] + 1) last[1] = place;
    else runs.push([place, place]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

/** A copy of words that another task had read: nobody has sent it, so it is named by the server. */
const isCopy = ({ id, client_id: sentAs }: Message): boolean => sentAs != null && sentAs === id;

/** How far a person's message has got: `reached` of 3 marks, and the words. */
export interface Passage {
  reached: 0 | 1 | 2 | 3;
  words: string;
  isProblem: boolean;
}

export function passageOf(message: Message, titleOf: (id: string) => string | null, language: Language): Passage {
  const { message: m } = language.words;
  const taskId = message.task_id ?? message.route?.task_id ?? null;
  const title = taskId === null ? null : titleOf(taskId);
  const arrived = title === null ? m.delivered : m.deliveredTo(title);
  const delivered = isCopy(message) ? `${m.copy} · ${arrived}` : arrived;
  const passage = (reached: Passage["reached"], words: string, isProblem = false): Passage => ({
    reached,
    words,
    isProblem,
  });
  switch (message.status) {
    case "received":
      return passage(1, m.received);
    case "routed":
      return passage(1, message.route?.outcome === "ask" ? m.asked : m.routed);
    case "delivered":
      return passage(2, delivered);
    case "consumed": {
      const step = message.consumed_by?.step;
      const read = step === undefined ? m.read : m.readAt(language.formats.number(step));
      return passage(3, `${delivered} · ${read}`);
    }
    case "answered":
      // the words of an answer are read by code, before any model
      return passage(3, message.route?.layer === 1 ? m.tookAsAnswer : m.answered);
    case "complete":
    case "streaming":
      return passage(3, m.answered);
    case "moved":
      return passage(2, title === null ? m.moved : m.movedTo(title));
    case "withdrawn":
      return passage(0, m.withdrawn);
    case "replaced":
      return passage(0, m.replaced);
    case "refused":
      return passage(0, message.route?.reason || m.refused, true);
  }
}
