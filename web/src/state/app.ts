/** The one client of this page. */
import { api } from "../net/api";
import { createClient } from "./client";
import { store, type Target } from "./store";

export const client = createClient(store, api);

export function selectTask(id: string): void {
  store.set(() => ({ selectedTask: id, panelOpen: true }));
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

export const COMPOSER_ID = "composer-text";

/** Let the next message be about something, and put the cursor where it is written. */
export function writeAbout(target: Target): void {
  store.set(() => ({ target, panelOpen: false }));
  requestAnimationFrame(() => document.getElementById(COMPOSER_ID)?.focus());
}
