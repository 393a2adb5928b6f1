import { type ReactNode, useState } from "react";
import type { Id, Message, Moved } from "../contract";
import { useLanguage } from "../i18n";
import type { Dictionary } from "../i18n/en";
import { ProblemError } from "../net/api";
import { client, tell, writeAbout } from "../state/app";
import { store, useAtelier } from "../state/store";
import { Dialog } from "./Dialog";
import { Problem } from "./Problem";
import { TaskPicker } from "./TaskPicker";

const NEW = "new";

/** Gives a message to the work that it belongs to, and says plainly what has been done with it already. */
export function CorrectDialog({
  message,
  onClose,
}: {
  message: Message;
  onClose: () => void;
}): ReactNode {
  const { words, formats } = useLanguage();
  const { correct } = words;
  const task = useAtelier(({ log }) => log.tasks[message.task_id ?? ""] ?? null);
  const [to, setTo] = useState<{ id: Id; title: string } | null>(null);
  const { isSending, problem, attempt } = useAttempt(onClose);
  const step = message.status === "consumed" ? (message.consumed_by?.step ?? null) : null;
  const isRead = message.status === "consumed";
  const title = task?.title ?? "";

  const give = (): void => {
    if (!to) return;
    void attempt(async () => tell(whatBecame(await client.move(message.id, to.id), to, words, step, formats.number)));
  };
  const takeBack = (): void =>
    void attempt(async () => {
      await client.withdraw(message.id);
      const { draft } = store.get();
      store.set(() => ({ draft: draft.trim() === "" ? message.text : `${message.text}\n\n${draft}` }));
      if (task) writeAbout({ kind: "task", id: task.id, label: title });
    });

  return (
    <Dialog title={correct.title} className="question" onClose={onClose}>
      <blockquote className="quoted" dir="auto" lang={message.language ?? undefined}>
        {message.text}
      </blockquote>
      <p className={isRead ? "reason" : ""}>
        {isRead ? correct.used(title, step === null ? "?" : formats.number(step)) : correct.unread(title)}
      </p>
      <TaskPicker
        legend={correct.toWhich}
        except={message.task_id ?? ""}
        extra={{ id: NEW, label: correct.new, detail: correct.newDetail }}
        none=""
        chosen={to?.id ?? null}
        onChange={(id, chosen) => setTo({ id, title: chosen })}
      />
      <Problem text={problem} />
      <div className="buttons">
        <button
          type="button"
          className="button primary"
          disabled={to === null || isSending}
          onClick={give}
        >
          {isSending ? words.approval.sending : isRead ? correct.giveCopy : correct.give}
        </button>
        {!isRead && (
          <button type="button" className="button" disabled={isSending} onClick={takeBack}>
            {correct.withdraw}
          </button>
        )}
        <button type="button" className="button quiet" onClick={onClose}>
          {words.approval.cancel}
        </button>
      </div>
    </Dialog>
  );
}

/** What the server did: a message that was read meanwhile has become a copy. */
function whatBecame(
  moved: Moved,
  to: { id: Id; title: string },
  { correct }: Dictionary,
  step: number | null,
  number: (value: number) => string,
): string {
  const where = to.id === NEW ? correct.somethingNew : `“${to.title}”`;
  const used = step ?? Number(/\d+/.exec(moved.note ?? "")?.[0]);
  return moved.copy_of ? correct.copied(where, number(used)) : correct.moved(where);
}

/** Something that is tried once at a time: it closes the dialog, or says why it could not be done. */
export function useAttempt(onDone: () => void) {
  const { words } = useLanguage();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState("");
  async function attempt(act: () => Promise<void>): Promise<void> {
    if (isSending) return;
    setSending(true);
    setProblem("");
    try {
      await act();
      onDone();
    } catch (error) {
      setSending(false);
      setProblem((error instanceof ProblemError && error.detail) || words.dialog.failed);
    }
  }
  return { isSending, problem, attempt };
}
