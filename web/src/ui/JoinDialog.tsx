import { type ReactNode, useState } from "react";
import type { Id, Task } from "../contract";
import { useLanguage } from "../i18n";
import { client, tell } from "../state/app";
import { useAttempt } from "./CorrectDialog";
import { Dialog } from "./Dialog";
import { Problem } from "./Problem";
import { Warning } from "./icons";
import { TaskPicker } from "./TaskPicker";

/** Joins a task to another one: which, and that it stays so. */
export function JoinDialog({ task, onClose }: { task: Task; onClose: () => void }): ReactNode {
  const { words, formats } = useLanguage();
  const { join } = words;
  const [into, setInto] = useState<Id | null>(null);
  const { isSending, problem, attempt } = useAttempt(onClose);
  const out = task.jobs.running + task.jobs.queued + task.jobs.unknown;
  const send = (): void => {
    if (into === null) return;
    void attempt(async () => tell(join.done(task.title, (await client.merge(task.id, into)).title)));
  };
  return (
    <Dialog title={join.title(task.title)} className="question" onClose={onClose}>
      <p>{join.body(task.title)}</p>
      {out > 0 ? (
        <p className="reason">{join.running(out, formats.number(out))}</p>
      ) : (
        <>
          <TaskPicker
            legend={join.toWhich}
            except={task.id}
            none={join.none}
            chosen={into}
            onChange={setInto}
          />
          <p className="final">
            <Warning className="small" />
            {join.final}
          </p>
        </>
      )}
      <Problem text={problem} />
      <div className="buttons">
        {out === 0 && (
          <button
            type="button"
            className="button danger"
            disabled={into === null || isSending}
            onClick={send}
          >
            {isSending ? words.approval.sending : join.send}
          </button>
        )}
        <button type="button" className="button quiet" onClick={onClose}>
          {words.approval.cancel}
        </button>
      </div>
    </Dialog>
  );
}
