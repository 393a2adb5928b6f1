/** The one client of this page. */
import type { Artifact, Id } from "../contract";
import { api } from "../net/api";
import { createClient } from "./client";
import type { Linked } from "./links";
import type { Notice } from "./live";
import { type Asked, store, type Target } from "./store";

export const client = createClient(store, api);

export function selectTask(id: string): void {
  store.set(() => ({ selectedTask: id, panelOpen: true, asked: null }));
}

export const REPORT_ID = "delivery-report";

/** Open a task where its delivery report stands. */
export function openReport(id: string): void {
  selectTask(id);
  requestAnimationFrame(() =>
    document.getElementById(REPORT_ID)?.scrollIntoView({ block: "start", behavior: "smooth" }),
  );
}

export function closePanel(): void {
  store.set(() => ({ panelOpen: false }));
}

/** Ask or show something above the page; null closes it. */
export function ask(asked: Asked | null): void {
  store.set(() => ({ asked }));
}

const TOLD = "told";
const TOLD_MS = 12_000;
let toldTimer: ReturnType<typeof setTimeout> | undefined;

/** Say for a while, in a strip above the composer, what has become of what was asked for just now. */
export function tell(text: string, level: Notice["level"] = "info"): void {
  const others = (notices: Notice[]): Notice[] => notices.filter(({ key }) => key !== TOLD);
  const say = (told: Notice[]): void =>
    store.set(({ live }) => ({ live: { ...live, notices: [...others(live.notices), ...told] } }));
  say([{ key: TOLD, level, text }]);
  clearTimeout(toldTimer);
  toldTimer = setTimeout(() => say([]), TOLD_MS);
}

export const COMPOSER_ID = "composer-text";

/** Let the next message be about something, and put the cursor where it is written. */
export function writeAbout(target: Target): void {
  store.set(() => ({ target, panelOpen: false, asked: null }));
  requestAnimationFrame(() => document.getElementById(COMPOSER_ID)?.focus());
}

export const approvalAnchor = (id: Id): string => `approval-${id}`;

/** Go to a question in the conversation. */
export function goToApproval(id: Id): void {
  store.set(() => ({ panelOpen: false, asked: null }));
  requestAnimationFrame(() => {
    const card = document.getElementById(approvalAnchor(id));
    card?.scrollIntoView({ block: "center" });
    card?.focus({ preventScroll: true });
  });
}

/** Show what a link leads to; false where nothing of it is here. */
export async function follow({ kind, id }: Linked): Promise<boolean> {
  const { log } = store.get();
  try {
    switch (kind) {
      case "task":
        await client.open(id);
        return true;
      case "approval":
        if (!(id in log.approvals)) return false;
        goToApproval(id);
        return true;
      case "object": {
        const object: Artifact = log.objects[id] ?? (await api.object(id));
        ask({ kind: "object", object });
        return true;
      }
    }
  } catch {
    return false;
  }
}
