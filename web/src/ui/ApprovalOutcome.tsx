import type { ReactNode } from "react";
import type { Approval } from "../contract";
import { useLanguage } from "../i18n";
import type { Language } from "../i18n";
import type { Answering } from "../state/store";
import { Mark } from "./icons";

/** Without accounts everybody who reaches the server is its owner. */
const OWN_NAMES = ["owner", "user", "you", "person", "local"];

export const isOwn = (who: string | null | undefined): boolean => !who || OWN_NAMES.includes(who);

interface OutcomeProps {
  approval: Approval;
  answering: Answering | undefined;
  children: ReactNode;
}

/** A question that takes no more answers: who decided what, or why it lapsed; the terms stay readable. */
export function ApprovalOutcome({ approval, answering, children }: OutcomeProps): ReactNode {
  const language = useLanguage();
  const { words } = language;
  const isDecided = ["approved", "edited", "chosen"].includes(approval.status);
  return (
    <>
      {answering?.state === "refused" && (
        <p className="problem" role="alert">
          {problemSentence(answering, language)}
        </p>
      )}
      {approval.status !== "pending" && (
        <p className="outcome">
          <Mark name={isDecided ? "done" : "stopped"} />
          <span dir="auto">{outcomeSentence(approval, language)}</span>
        </p>
      )}
      <details className="closed-terms">
        <summary>{words.approval.details}</summary>
        {children}
      </details>
    </>
  );
}

function problemSentence({ code, detail }: Answering, { words }: Language): string {
  const { problem } = words.approval;
  if (code === "already_decided" || code === "superseded" || code === "expired") {
    return problem[code];
  }
  return detail || problem.other;
}

/** “You approved this, at most $5.60 · “less blue”” */
function outcomeSentence(approval: Approval, { words, formats }: Language): string {
  const { price, decision, decided_by: who } = approval;
  const isEdit = approval.status === "approved" && decision?.["decision"] === "edit";
  const status = isEdit ? "edited" : approval.status;
  const a = words.approval;
  if (status === "pending") return "";
  if (approval.replaced_by) return a.replaced;
  if (status === "expired" || status === "superseded") return a.outcome[status];
  const parts = [!who || isOwn(who) ? a.byYou[status] : a.by(a.outcome[status], who)];
  const choice = textOf(decision?.["choice"]);
  if (choice) {
    const label = approval.options.find((option) => option.id === choice)?.label ?? choice;
    parts[0] += ` ${a.choice(label)}`;
  }
  if (approval.status === "approved" && price) {
    const maximum = isEdit ? Number(decision?.["price_micros"]) : price.maximum_micros;
    parts.push(`${a.atMost} ${formats.moneyAtMost(maximum, price.currency)}`);
  }
  const note = textOf(decision?.["note"]);
  if (note) parts.push(a.note(note));
  return parts.join(" · ");
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
