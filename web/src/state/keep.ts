/** What survives a reload of this tab: the draft, what it is about, and messages that were not sent. */
import type { Outgoing, State, Store } from "./store";

const KEY = "atelier.tab.v1";

type Kept = Pick<State, "draft" | "target" | "outbox" | "selectedTask">;

export function restore(store: Store, storage: Storage | null = tabStorage()): void {
  const kept = read(storage);
  if (!kept) return;
  // a send that was cut off by the reload counts as failed: it goes again, with the same client id
  const outbox = kept.outbox.map((item): Outgoing => {
    return item.state === "failed" ? item : { ...item, state: "failed", problem: null };
  });
  store.set(() => ({ ...kept, outbox }));
}

export function keep(store: Store, storage: Storage | null = tabStorage()): void {
  let last: Kept | null = null;
  store.subscribe(() => {
    const { draft, target, outbox, selectedTask } = store.get();
    const isSame =
      last !== null &&
      last.draft === draft &&
      last.target === target &&
      last.outbox === outbox &&
      last.selectedTask === selectedTask;
    if (isSame) return;
    last = { draft, target, outbox, selectedTask };
    try {
      storage?.setItem(KEY, JSON.stringify(last));
    } catch {
      // a full or forbidden storage costs the draft's survival, nothing else
    }
  });
}

function read(storage: Storage | null): Kept | null {
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? "null") as Partial<Kept> | null;
    if (!kept) return null;
    return {
      draft: typeof kept.draft === "string" ? kept.draft : "",
      target: kept.target ?? null,
      outbox: Array.isArray(kept.outbox) ? kept.outbox : [],
      selectedTask: kept.selectedTask ?? null,
    };
  } catch {
    return null;
  }
}

function tabStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
