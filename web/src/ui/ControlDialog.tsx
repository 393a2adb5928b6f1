import { type ReactNode, useState } from "react";
import type { Task } from "../contract";
import { useLanguage } from "../i18n";
import { ProblemError } from "../net/api";
import { client } from "../state/app";
import { Dialog } from "./Dialog";

interface ControlDialogProps {
  task: Task;
  action: "stop" | "pause";
  onClose: () => void;
}

/** Asks before work is halted, and says what that cannot bring back. */
export function ControlDialog({ task, action, onClose }: ControlDialogProps): ReactNode {
  const { words, formats } = useLanguage();
  const [state, setState] = useState<"asking" | "sending">("asking");
  const [problem, setProblem] = useState("");
  const { dialog } = words;
  const { settled_micros: settled, held_micros: held, currency } = task.budget;
  const out = task.jobs.running + task.jobs.queued + task.jobs.unknown;
  const isStop = action === "stop";

  async function confirm(): Promise<void> {
    if (state === "sending") return;
    setState("sending");
    setProblem("");
    try {
      await client.control(task.id, action);
      onClose();
    } catch (error) {
      setState("asking");
      setProblem((error instanceof ProblemError && error.detail) || dialog.failed);
    }
  }

  return (
    <Dialog
      title={isStop ? dialog.stopTitle(task.title) : dialog.pauseTitle(task.title)}
      className="question"
      onClose={onClose}
    >
      <p>{isStop ? dialog.stopBody : dialog.pauseBody}</p>
      <ul className="dialog-facts">
        <li>
          {settled > 0 ? dialog.paid(formats.money(settled, currency)) : dialog.nothingPaid}
        </li>
        {out > 0 && <li>{dialog.jobsOut(out, formats.number(out))}</li>}
        {held > 0 && <li>{dialog.heldNow(formats.moneyAtMost(held, currency))}</li>}
      </ul>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="buttons">
        <button
          type="button"
          className={isStop ? "button danger" : "button primary"}
          disabled={state === "sending"}
          onClick={() => void confirm()}
        >
          {isStop ? dialog.confirmStop : dialog.confirmPause}
        </button>
        <button type="button" className="button quiet" onClick={onClose} autoFocus>
          {dialog.keepGoing}
        </button>
      </div>
    </Dialog>
  );
}
