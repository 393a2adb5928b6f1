import { memo, type ReactNode, useId, useState } from "react";
import type { Approval, DecideBody } from "../contract";
import { useLanguage } from "../i18n";
import { client, writeAbout } from "../state/app";
import { isPending, useAtelier } from "../state/store";
import { ApprovalOutcome } from "./ApprovalOutcome";
import { Hand, Warning } from "./icons";
import { useNow } from "./now";
import { Prose } from "./Prose";

type Answer = Omit<DecideBody, "args_hash">;

export const approvalAnchor = (id: string): string => `approval-${id}`;

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
  const isOpen = isPending(approval) && refusal?.state !== "refused";
  const kind = words.approval.kind[approval.kind] ?? words.approval.label;
  return (
    <article
      id={approvalAnchor(approval.id)}
      className={`card approval ${isOpen ? "is-open" : "is-closed"}`}
      aria-labelledby={titleId}
      tabIndex={-1}
    >
      <p className="card-label">
        {isOpen && <Hand className="small" />}
        <span>{isOpen ? words.approval.label : kind}</span>
        {taskTitle && taskTitle !== approval.title && <span dir="auto">{taskTitle}</span>}
      </p>
      <h3 id={titleId} dir="auto">
        {approval.title}
      </h3>
      {isOpen ? (
        <>
          <Terms approval={approval} />
          <Answers approval={approval} />
        </>
      ) : (
        <ApprovalOutcome approval={approval} answering={refusal}>
          <Terms approval={approval} />
        </ApprovalOutcome>
      )}
    </article>
  );
});

function Terms({ approval }: { approval: Approval }): ReactNode {
  const { words, formats } = useLanguage();
  const { lines, price } = approval;
  const workspaceCurrency = useAtelier((state) => state.log.workspace?.currency ?? "USD");
  const currency = price?.currency ?? workspaceCurrency;
  return (
    <>
      {approval.body && <Prose text={approval.body} />}
      {(lines.length > 0 || price) && (
        <table className="terms">
          <thead className="sr-only">
            <tr>
              <th scope="col">{words.approval.item}</th>
              <th scope="col">{words.approval.amount}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, place) => (
              <tr key={`${place}-${line.label}`}>
                <th scope="row" dir="auto">
                  {line.label}
                  {line.detail && <small>{line.detail}</small>}
                </th>
                <td>
                  {line.amount_micros === null ? "–" : formats.money(line.amount_micros, currency)}
                </td>
              </tr>
            ))}
          </tbody>
          {price && (
            <tfoot>
              <tr>
                <th scope="row">{words.approval.total}</th>
                <td>{formats.money(price.amount_micros, currency)}</td>
              </tr>
              <tr className="maximum">
                <th scope="row">{words.approval.atMost}</th>
                <td>{formats.money(price.maximum_micros, currency)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      )}
    </>
  );
}

function Answers({ approval }: { approval: Approval }): ReactNode {
  const { words, formats } = useLanguage();
  const [mode, setMode] = useState<"offer" | "reject" | "edit">("offer");
  const answering = useAtelier((state) => state.answering[approval.id]);
  const isSending = answering?.state === "sending";
  const { actions, price } = approval;
  const decide = (answer: Answer): void => void client.decide(approval.id, answer);
  const approveWords = price
    ? words.approval.approveAtMost(formats.money(price.maximum_micros, price.currency))
    : words.approval.approve;
  return (
    <div className="answers" aria-busy={isSending}>
      {mode === "offer" && (
        <>
          {actions.includes("choose") && approval.options.length > 0 && (
            <Options approval={approval} isSending={isSending} decide={decide} />
          )}
          <div className="buttons">
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
        <InWords
          label={words.approval.editLabel}
          send={words.approval.editSend}
          isSending={isSending}
          needsText
          onCancel={() => setMode("offer")}
          onSend={(note) => decide({ decision: "edit", edited: { text: note }, note })}
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

interface OptionsProps {
  approval: Approval;
  isSending: boolean;
  decide: (answer: Answer) => void;
}

/** One press answers a plain question; where more hangs on it, choosing and confirming are two presses. */
function Options({ approval, isSending, decide }: OptionsProps): ReactNode {
  const { words } = useLanguage();
  const [chosen, setChosen] = useState<string | null>(null);
  const isPlain = approval.kind === "question" || approval.kind === "route";
  const name = useId();
  if (isPlain) {
    return (
      <ul className="options">
        {approval.options.map((option) => (
          <li key={option.id}>
            <button
              type="button"
              disabled={isSending}
              onClick={() => decide({ decision: "choose", choice: option.id })}
            >
              <strong dir="auto">{option.label}</strong>
              {option.detail && <small dir="auto">{option.detail}</small>}
            </button>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <fieldset className="options" disabled={isSending}>
      <legend className="sr-only">{approval.title}</legend>
      {approval.options.map((option) => (
        <label key={option.id}>
          <input
            type="radio"
            name={name}
            value={option.id}
            checked={chosen === option.id}
            onChange={() => setChosen(option.id)}
          />
          <span>
            <strong dir="auto">{option.label}</strong>
            {option.detail && <small dir="auto">{option.detail}</small>}
          </span>
        </label>
      ))}
      <button
        type="button"
        className="button primary"
        disabled={chosen === null || isSending}
        onClick={() => chosen !== null && decide({ decision: "choose", choice: chosen })}
      >
        {words.approval.choose}
      </button>
    </fieldset>
  );
}

interface InWordsProps {
  label: string;
  send: string;
  isSending: boolean;
  needsText?: boolean;
  onSend: (note: string) => void;
  onCancel: () => void;
}

function InWords({
  label,
  send,
  isSending,
  needsText = false,
  onSend,
  onCancel,
}: InWordsProps): ReactNode {
  const { words } = useLanguage();
  const [text, setText] = useState("");
  const id = useId();
  const note = text.trim();
  return (
    <form
      className="in-words"
      onSubmit={(event) => {
        event.preventDefault();
        if (note !== "" || !needsText) onSend(note);
      }}
    >
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        dir="auto"
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="buttons">
        <button
          type="submit"
          className="button primary"
          disabled={isSending || (needsText && note === "")}
        >
          {isSending ? words.approval.sending : send}
        </button>
        <button type="button" className="button quiet" disabled={isSending} onClick={onCancel}>
          {words.approval.cancel}
        </button>
      </div>
    </form>
  );
}
