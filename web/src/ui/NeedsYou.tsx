import { type ReactNode, useEffect } from "react";
import type { Approval } from "../contract";
import { useLanguage } from "../i18n";
import { ask, goToApproval } from "../state/app";
import { useAtelier } from "../state/store";
import { needsYou } from "../state/view";
import { Dialog } from "./Dialog";
import { ChevronRight, Hand } from "./icons";
import { useIsWide } from "./now";

const ROOMY = "(min-width: 641px)";

/** Open questions, wherever in the conversation they stand; pressing one goes there. */
export function NeedsYou(): ReactNode {
  const { words, formats } = useLanguage();
  const log = useAtelier((state) => state.log);
  const isRoomy = useIsWide(ROOMY);
  const pending = needsYou(log);
  if (pending.length === 0) return null;
  const shown = pending.slice(0, isRoomy ? 2 : 1);
  const more = pending.length - shown.length;
  return (
    <nav className="needs-you" aria-label={words.needsYou(pending.length)}>
      <span className="needs-count">
        <Hand className="small" />
        {words.needsYou(pending.length)}
      </span>
      <ul>
        {shown.map((approval) => (
          <li key={approval.id}>
            <button type="button" onClick={() => goToApproval(approval.id)}>
              <span dir="auto">{approval.title}</span>
              <ChevronRight className="small" />
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <button type="button" className="needs-more" onClick={() => ask({ kind: "questions" })}>
          {words.needsMore(more, formats.number(more))}
        </button>
      )}
    </nav>
  );
}

/** All open questions, the oldest first, with what each is about. */
export function Questions({ onClose }: { onClose: () => void }): ReactNode {
  const { words } = useLanguage();
  const log = useAtelier((state) => state.log);
  const pending = needsYou(log);
  const isEmpty = pending.length === 0;
  useEffect(() => {
    if (isEmpty) onClose();
  }, [isEmpty, onClose]);
  return (
    <Dialog title={words.needsTitle} className="list-dialog" onClose={onClose}>
      <ul className="rows">
        {pending.map((approval) => (
          <li key={approval.id}>
            <Question approval={approval} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Question({ approval }: { approval: Approval }): ReactNode {
  const { words, formats } = useLanguage();
  const task = useAtelier(({ log }) =>
    approval.task_id === null ? null : (log.tasks[approval.task_id] ?? null),
  );
  const { price } = approval;
  const about = task && task.title !== approval.title ? task.title : approval.body;
  return (
    <button type="button" className="row" onClick={() => goToApproval(approval.id)}>
      <Hand className="small" />
      <span className="row-words">
        <strong dir="auto">{approval.title}</strong>
        <span dir="auto">{about}</span>
        <small>
          {words.approval.kind[approval.kind] ?? words.approval.label}
          {price &&
            ` · ${words.approval.atMost} ${formats.moneyAtMost(price.maximum_micros, price.currency)}`}
        </small>
      </span>
      <ChevronRight className="small" />
    </button>
  );
}
