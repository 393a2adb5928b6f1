import type { ReactNode } from "react";
import type { Task } from "../contract";
import { useLanguage } from "../i18n";
import { ask } from "../state/app";
import { restEnds, taskReason } from "../text/states";
import { Plus } from "./icons";

interface WaitProps {
  task: Task;
  /** In the conversation: only what is more than a plain wait. */
  isBrief?: boolean;
  /** Whether the panel beside it offers the same. */
  isShown?: boolean;
}

/** Why a task stands still, what ends that, and where a person can end it right here, the way to. */
export function Wait({ task, isBrief = false, isShown = false }: WaitProps): ReactNode {
  const language = useLanguage();
  const { more } = language.words;
  const reason = taskReason(task, language);
  const ends = restEnds(task, language);
  const isWaiting = task.status === "waiting" && !task.archived_at && !isShown;
  const wait = isWaiting ? task.waiting_reason : null;
  const hasPlan = task.checklist?.approved ?? false;
  return (
    <>
      {reason && (
        <p className="reason" dir="auto">
          {reason}
        </p>
      )}
      {ends && (!isBrief || reason) && <p className="ends">{ends}</p>}
      {wait === "limit" && (
        <Way words={more.button} onPress={() => ask({ kind: "more", task: task.id, of: "limit" })} />
      )}
      {wait === "budget" && (
        <Way
          words={hasPlan ? more.budgetButton : more.allowances}
          onPress={() => ask(hasPlan ? { kind: "more", task: task.id, of: "budget" } : { kind: "settings" })}
        />
      )}
    </>
  );
}

function Way({ words, onPress }: { words: string; onPress: () => void }): ReactNode {
  return (
    <div className="buttons way">
      <button type="button" className="button primary" onClick={onPress}>
        <Plus />
        {words}
      </button>
    </div>
  );
}
