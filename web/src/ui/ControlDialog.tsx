import { type ReactNode, useState } from "react";
import type { Task } from "../contract";
import { useLanguage } from "../i18n";
import { ProblemError } from "../net/api";
import { client } from "../state/app";
import { Dialog } from "./Dialog";
import { Problem } from "./Problem";

interface ControlDialogProps {
  task: Task;
  action: "stop" | "pause" | "reopen";
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
  const asks = {
    stop: [dialog.stopTitle(task.title), dialog.stopBody, dialog.confirmStop, dialog.keepGoing],
    pause: [dialog.pauseTitle(task.title), dialog.pauseBody, dialog.confirmPause, dialog.keepGoing],
    reopen: [dialog.reopenTitle(task.title), dialog.reopenBody, dialog.confirmReopen, dialog.leave],
  } as const;
  const [title, body, yes, no] = asks[action];

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
      title={title}
      className="question"
      onClose={onClose}
    >
      <p>{body}</p>
      <ul className="dialog-facts">
        <li>
          {settled > 0 ? dialog.paid(formats.money(settled, currency)) : dialog.nothingPaid}
        </li>
        {out > 0 && <li>{dialog.jobsOut(out, formats.number(out))}</li>}
        {held > 0 && <li>{dialog.heldNow(formats.moneyAtMost(held, currency))}</li>}
      </ul>
      <Problem text={problem} />
      <div className="buttons">
        <button
          type="button"
          className={action === "stop" ? "button danger" : "button primary"}
          disabled={state === "sending"}
          onClick={() => void confirm()}
        >
          {yes}
        </button>
        <button type="button" className="button quiet" onClick={onClose} autoFocus>
          {no}
        </button>
      </div>
    </Dialog>
  );
}
