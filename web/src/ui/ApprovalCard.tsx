import {
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { Approval, DecideBody } from "../contract";
import { useLanguage } from "../i18n";
import { approvalAnchor, client, writeAbout } from "../state/app";
import { isPending, isRefusedForGood, store, useAtelier } from "../state/store";
import { Candidates, Choices } from "./ApprovalOptions";
import { ApprovalOutcome } from "./ApprovalOutcome";
import { ApprovalTerms } from "./ApprovalTerms";
import { CopyLink } from "./CopyLink";
import { EditCall } from "./EditCall";
import { Hand, Warning } from "./icons";
import { InWords } from "./InWords";
import { Looked } from "./Looked";
import { useNow } from "./now";

type Answer = Omit<DecideBody, "args_hash">;

/** A question to the person: what would happen, what it costs at most, and exactly the offered answers. */
export const ApprovalCard = memo(function ApprovalCard({
  approval,
}: {
  approval: Approval;
}): ReactNode {
  const { words } = useLanguage();
  const titleId = useId();
  const taskTitle = useAtelier((state) =>
    approval.task_id === null ? null : (state.log.tasks[approval.task_id]?.title ?? null),
  );
  const refusal = useAtelier((state) => state.answering[approval.id]);
  const isOpen = isPending(approval) && !isRefusedForGood(refusal);
  const card = useFocusAfterAnswer(approval, isOpen, refusal !== undefined);
  const kind = words.approval.kind[approval.kind] ?? words.approval.label;
  return (
    <article
      ref={card}
      id={approvalAnchor(approval.id)}
      className={`card approval ${isOpen ? "is-open" : "is-closed"}`}
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <p className="card-label">
        {isOpen && <Hand className="small" />}
        <span>{isOpen ? words.approval.label : kind}</span>
        {taskTitle && taskTitle !== approval.title && <span dir="auto">{taskTitle}</span>}
        <CopyLink to={{ kind: "approval", id: approval.id }} />
      </p>
      <h3 id={titleId} dir="auto">
        {approval.title}
      </h3>
      {isOpen ? (
        <>
          {approval.category && approval.kind !== "review" && (
            <p className="reason">{words.approval.category[approval.category]}</p>
          )}
          {approval.replaces && <p className="reason">{words.approval.replaces}</p>}
          <ApprovalTerms approval={approval} />
          {approval.kind === "gaps" && <p className="reason">{words.approval.gaps}</p>}
          <Looked approval={approval} isOpen />
          <Answers approval={approval} />
        </>
      ) : (
        <ApprovalOutcome approval={approval} answering={refusal}>
          <ApprovalTerms approval={approval} />
          <Looked approval={approval} isOpen={false} />
        </ApprovalOutcome>
      )}
    </article>
  );
});

/**
 * The pressed button goes away with the question; who used the keyboard stays at the card, not at the top, or
 * goes on to the card that took its place. Who answered elsewhere is left where they are.
 */
function useFocusAfterAnswer(
  { replaces, replaced_by: replacedBy }: Approval,
  isOpen: boolean,
  isAnswering: boolean,
): RefObject<HTMLElement | null> {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen && replaces && store.get().answering[replaces] && isFocusLost()) {
      card.current?.scrollIntoView({ block: "nearest" });
      card.current?.focus({ preventScroll: true });
    }
    // when the card appears, not later
  }, []);
  const before = useRef({ isOpen, isAnswering });
  useEffect(() => {
    const wasAnsweredHere = isAnswering || before.current.isAnswering;
    if (before.current.isOpen && !isOpen && wasAnsweredHere && !replacedBy && isFocusLost()) {
      card.current?.focus({ preventScroll: true });
    }
    before.current = { isOpen, isAnswering };
  }, [isOpen, isAnswering, replacedBy]);
  return card;
}

const isFocusLost = (): boolean =>
  document.activeElement === document.body || document.activeElement === null;

function Answers({ approval }: { approval: Approval }): ReactNode {
  const { words, formats } = useLanguage();
  const [mode, setMode] = useState<"offer" | "reject" | "edit">("offer");
  const [chosen, setChosen] = useState<string | null>(null);
  const answering = useAtelier((state) => state.answering[approval.id]);
  const isSending = answering?.state === "sending";
  const { actions, price } = approval;
  const decide = (answer: Answer): void => void client.decide(approval.id, answer);
  const choose = (choice: string): void => decide({ decision: "choose", choice });
  const offersChoice = actions.includes("choose") && approval.options.length > 0;
  // one press answers a plain question; where more hangs on it, choosing and confirming are two presses
  const isPlain = approval.kind === "question" || approval.kind === "route";
  const approveWords = price
    ? words.approval.approveAtMost(formats.moneyAtMost(price.maximum_micros, price.currency))
    : approval.kind === "gaps"
      ? words.approval.approveGaps
    : approval.kind === "review"
      ? words.approval.accept
      : words.approval.approve;
  return (
    <div className="answers" aria-busy={isSending}>
      {mode === "offer" && (
        <>
          {offersChoice &&
            (isPlain ? (
              <Candidates approval={approval} isSending={isSending} onChoose={choose} />
            ) : (
              <Choices
                approval={approval}
                isSending={isSending}
                chosen={chosen}
                onChange={setChosen}
              />
            ))}
          <div className="buttons">
            {offersChoice && !isPlain && (
              <button
                type="button"
                className="button primary"
                disabled={chosen === null || isSending}
                onClick={() => chosen !== null && choose(chosen)}
              >
                {isSending ? words.approval.sending : words.approval.choose}
              </button>
            )}
            {actions.includes("approve") && (
              <button
                type="button"
                className="button primary"
                disabled={isSending}
                onClick={() => decide({ decision: "approve" })}
              >
                {isSending ? words.approval.sending : approveWords}
              </button>
            )}
            {actions.includes("edit") && (
              <button
                type="button"
                className="button"
                disabled={isSending}
                onClick={() => setMode("edit")}
              >
                {words.approval.edit}
              </button>
            )}
            {actions.includes("reject") && (
              <button
                type="button"
                className="button"
                disabled={isSending}
                onClick={() => setMode("reject")}
              >
                {words.approval.reject}
              </button>
            )}
            {approval.free_text && (
              <button
                type="button"
                className="button quiet"
                onClick={() =>
                  writeAbout({ kind: "approval", id: approval.id, label: approval.title })
                }
              >
                {words.approval.answerInWords}
              </button>
            )}
          </div>
        </>
      )}
      {mode === "reject" && (
        <InWords
          label={words.approval.rejectLabel}
          send={words.approval.rejectSend}
          isSending={isSending}
          onCancel={() => setMode("offer")}
          onSend={(note) => decide(note ? { decision: "reject", note } : { decision: "reject" })}
        />
      )}
      {mode === "edit" && (
        <EditCall
          approval={approval}
          answering={answering}
          onCancel={() => setMode("offer")}
          onSend={(edited) => decide({ decision: "edit", edited })}
        />
      )}
      {answering?.state === "failed" && (
        <p className="problem" role="alert">
          <Warning className="small" />
          {words.approval.problem.unreachable}
        </p>
      )}
      {approval.expires_at && <Expiry at={approval.expires_at} />}
    </div>
  );
}

function Expiry({ at }: { at: string }): ReactNode {
  const { words, formats } = useLanguage();
  const now = useNow();
  return (
    <p className="expiry">
      <time dateTime={at}>{words.approval.expires(formats.relative(at, now))}</time>
    </p>
  );
}
