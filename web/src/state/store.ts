/** The page's one value and who listens to it. */
import { useSyncExternalStore } from "react";
import type { Approval, Artifact, Decision, Id, Task } from "../contract";
import type { ConnectionStatus } from "../net/connection";
import { EMPTY_LIVE, type Live } from "./live";
import { EMPTY_LOG, type Log } from "./log";

/** What the composer's next message is about; nothing set: the agent finds out. */
export interface Target {
  kind: "task" | "object" | "approval" | "message";
  id: Id;
  label: string;
}

/** A message on its way; gone as soon as the log has it. */
export interface Outgoing {
  clientId: string;
  text: string;
  target: Target | null;
  state: "sending" | "failed" | "accepted";
  /** The server's sentence when it said no; null when it could not be reached. */
  problem: string | null;
  messageId: Id | null;
}

/** How far an answer to an approval has got on this page. */
export interface Answering {
  decision: Decision;
  state: "sending" | "failed" | "refused";
  /** `unreachable`, or the code of the server's no. */
  code: string;
  detail: string;
}

/** What is asked or shown in the middle of the page, above everything. */
export type Asked =
  | { kind: "works" }
  | { kind: "settings" }
  | { kind: "questions" }
  | { kind: "move"; message: Id }
  | { kind: "merge"; task: Id }
  | { kind: "graph"; task: Id }
  | { kind: "more"; task: Id; of: "limit" | "budget" }
  | { kind: "object"; object: Artifact };

export interface State {
  log: Log;
  live: Live;
  outbox: Outgoing[];
  answering: Record<Id, Answering>;
  connection: ConnectionStatus;
  selectedTask: Id | null;
  /** Tasks that were looked up: too old for the log, or put away. */
  beyond: Record<Id, Task>;
  asked: Asked | null;
  panelOpen: boolean;
  target: Target | null;
  draft: string;
}

export const INITIAL_STATE: State = {
  log: EMPTY_LOG,
  live: EMPTY_LIVE,
  outbox: [],
  answering: {},
  connection: "connecting",
  selectedTask: null,
  beyond: {},
  asked: null,
  panelOpen: false,
  target: null,
  draft: "",
};

export interface Store {
  get(): State;
  set(change: (state: State) => Partial<State>): void;
  subscribe(listener: () => void): () => void;
}

export function createStore(initial: State = INITIAL_STATE): Store {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      const patch = change(state);
      if (Object.keys(patch).length === 0) return;
      state = { ...state, ...patch };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const store = createStore();

export function useAtelier<T>(select: (state: State) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

export const isPending = (approval: Approval): boolean => approval.status === "pending";

/** After these codes no other answer to the question is taken. */
const FINAL = ["already_decided", "superseded", "expired", "not_found"];

/** Whether the server's no was the last word; changes that it did not take can be changed again. */
export const isRefusedForGood = (answering: Answering | undefined): boolean =>
  answering?.state === "refused" &&
  (answering.decision !== "edit" || FINAL.includes(answering.code));
