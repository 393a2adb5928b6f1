import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { Acceptance as Standing, AcceptanceAction, Artifact, Task } from "../contract";
import { useLanguage } from "../i18n";
import type { Language } from "../i18n";
import { ProblemError } from "../net/api";
import { client } from "../state/app";
import { useAtelier } from "../state/store";
import { acceptanceOf, sortWorks } from "../state/view";
import { isOwn } from "./ApprovalOutcome";
import { Files } from "./Files";
import { Mark } from "./icons";
import { InWords } from "./InWords";
import { Pictures } from "./Pictures";
import { Problem } from "./Problem";

/** Whether what was delivered is as the person wants it: asked, or how it was answered. */
export function Acceptance({ task }: { task: Task }): ReactNode {
  const standing = acceptanceOf(task);
  const isAsked = (standing?.actions.length ?? 0) > 0;
  const block = useFocusAfterAnswer(isAsked);
  if (!standing) return null;
  return (
    <div className="acceptance" ref={block} tabIndex={-1}>
      <Suggestions task={task} standing={standing} />
      <Late standing={standing} />
      {isAsked ? <Ask task={task} standing={standing} /> : <AcceptanceState task={task} />}
    </div>
  );
}

/** The pressed button goes away with the question: who used it stays here. */
function useFocusAfterAnswer(isAsked: boolean): RefObject<HTMLDivElement | null> {
  const block = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  useEffect(() => {
    const element = block.current;
    const note = (): void => {
      wasPressed.current = true;
    };
    element?.addEventListener("click", note);
    return () => element?.removeEventListener("click", note);
  }, []);
  useEffect(() => {
    if (!isAsked && wasPressed.current && document.activeElement === document.body) {
      block.current?.focus({ preventScroll: true });
    }
  }, [isAsked]);
  return block;
}

function Ask({ task, standing }: { task: Task; standing: Standing }): ReactNode {
  const language = useLanguage();
  const { acceptance: a, approval } = language.words;
  const [isChanging, setChanging] = useState(false);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState("");

  async function decide(decision: AcceptanceAction, note?: string): Promise<void> {
    const { revision, args_hash } = standing;
    setSending(true);
    setProblem("");
    try {
      await client.accept(task.id, { decision, revision, args_hash, ...(note ? { note } : {}) });
    } catch (error) {
      setProblem(problemSentence(error, language));
    } finally {
      setSending(false);
    }
  }

  return (
    <>
      <p className="acceptance-ask">{a.ask}</p>
      {isChanging ? (
        <InWords
          label={a.changeLabel}
          send={a.changeSend}
          isSending={isSending}
          isRequired
          onCancel={() => setChanging(false)}
          onSend={(note) => void decide("ask_changes", note)}
        />
      ) : (
        <div className="buttons">
          <button
            type="button"
            className="button primary"
            disabled={isSending}
            onClick={() => void decide("accept")}
          >
            {isSending ? approval.sending : a.accept}
          </button>
          <button
            type="button"
            className="button"
            disabled={isSending}
            onClick={() => setChanging(true)}
          >
            {a.change}
          </button>
        </div>
      )}
      <Problem text={problem} />
    </>
  );
}

function problemSentence(error: unknown, { words }: Language): string {
  const { problem } = words.approval;
  if (!(error instanceof ProblemError) || error.passing) return problem.unreachable;
  if (error.code === "already_decided" || error.code === "superseded") return problem[error.code];
  return error.detail || problem.other;
}

/** One line: who accepted it, or asked for what. */
export function AcceptanceState({ task }: { task: Task }): ReactNode {
  const language = useLanguage();
  const standing = acceptanceOf(task);
  const sentence = standing && stateSentence(standing, language);
  if (!sentence) return null;
  return (
    <p className="outcome">
      <Mark name={standing.state === "accepted" ? "done" : "waiting"} />
      <span dir="auto">{sentence}</span>
    </p>
  );
}

function stateSentence(
  { state, basis, decided_by: who, note }: Standing,
  { words }: Language,
): string {
  const { acceptance: a, approval, task } = words;
  switch (state) {
    case "awaiting":
      return task.awaiting;
    case "accepted":
      if (basis === "grant") return who === "autonomy" ? a.byAutonomy : a.bySetting;
      return who && !isOwn(who) ? a.acceptedBy(who) : a.accepted;
    case "changes_asked": {
      const said = who && !isOwn(who) ? a.askedBy(who) : a.asked;
      return note ? `${said} ${approval.note(note)}` : said;
    }
    default:
      return "";
  }
}

/** What judges propose: nothing of it happens before the person asks for it. */
function Suggestions({ task, standing }: { task: Task; standing: Standing }): ReactNode {
  const { words, formats } = useLanguage();
  const { acceptance: a } = words;
  const proposals = (standing.judgements ?? []).flatMap((judged) => judged.proposals);
  if (proposals.length === 0) return null;
  const titleOf = (key: string): string =>
    task.checklist?.items.find((item) => item.key === key)?.title ?? key;
  return (
    <section className="suggestions">
      <h4>{a.judged}</h4>
      <ul>
        {proposals.map(({ advice, step, slot, reason }) => (
          <li key={`${advice} ${step} ${slot} ${reason}`}>
            <strong>{a.advice[advice]}</strong>
            {step && (
              <span className="suggested-place" dir="auto">
                {slot === null ? titleOf(step) : a.place(titleOf(step), formats.number(slot))}
              </span>
            )}
            <span dir="auto">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was made too late: offered beside the delivery, not put in. */
function Late({ standing }: { standing: Standing }): ReactNode {
  const { words } = useLanguage();
  const objects = useAtelier((state) => state.log.objects);
  const { acceptance: a } = words;
  if (standing.offered.length === 0) return null;
  const made = standing.offered
    .flatMap(({ outputs }) => outputs)
    .map((output) => objects[output.object_id])
    .filter((object): object is Artifact => object !== undefined);
  const { pictures } = sortWorks(made);
  const files = made.filter((object) => !pictures.includes(object));
  return (
    <section className="late">
      <h4>{a.late}</h4>
      <p>{a.lateDetail}</p>
      {made.length === 0 && (
        <ul>
          {standing.offered.map(({ call_key: key, title }) => (
            <li key={key} dir="auto">
              {title}
            </li>
          ))}
        </ul>
      )}
      {pictures.length > 0 && <Pictures pictures={pictures} />}
      {files.length > 0 && <Files files={files} />}
    </section>
  );
}
