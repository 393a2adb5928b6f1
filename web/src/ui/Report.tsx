import type { ReactNode } from "react";
import type { Delivery, Finding } from "../contract";
import { useLanguage } from "../i18n";
import { wordsOf } from "../state/view";
import { clock } from "../text/format";
import { Info, Mark, Warning } from "./icons";

/** The delivery report: what was found, is missing, was replaced or shortened. */
export function Report({ delivery }: { delivery: Delivery }): ReactNode {
  const { words, formats } = useLanguage();
  const { delivery: d } = words;
  const lists = [
    { title: d.missing, entries: delivery.missing ?? [] },
    { title: d.replaced, entries: delivery.replaced ?? [] },
    { title: d.truncated, entries: delivery.truncated ?? [] },
  ].filter((list) => list.entries.length > 0);
  const isClean = delivery.findings.length === 0 && lists.length === 0;
  return (
    <div className="report">
      <p className="report-state">
        <Mark name={delivery.status === "delivered" ? "done" : "failed"} />
        {delivery.status === "delivered" ? d.delivered : d.refused}
        {delivery.revision > 1 && <span>{d.revision(formats.number(delivery.revision))}</span>}
      </p>
      {isClean && <p>{d.clean}</p>}
      {delivery.findings.length > 0 && (
        <ul className="findings" aria-label={d.findings}>
          {delivery.findings.map((finding) => (
            <FindingRow key={finding.id} finding={finding} />
          ))}
        </ul>
      )}
      {lists.map((list) => (
        <div key={list.title} className="report-list">
          <h4>{list.title}</h4>
          <ul>
            {list.entries.map((entry) => {
              const text = wordsOf(entry);
              return (
                <li key={text} dir="auto">
                  {text}
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </div>
  );
}

function FindingRow({ finding }: { finding: Finding }): ReactNode {
  const { words } = useLanguage();
  const { delivery: d } = words;
  const range = finding.time_range;
  const facts = [
    range ? d.between(clock(range[0]), clock(range[1])) : null,
    isShort(finding.measured) ? d.measured(String(finding.measured)) : null,
    isShort(finding.limit) ? d.limit(String(finding.limit)) : null,
  ].filter(Boolean);
  return (
    <li className={`finding is-${finding.severity}`}>
      {finding.severity === "info" ? <Info /> : <Warning />}
      <div>
        <strong>{d.severity[finding.severity] ?? d.severity.info}</strong>{" "}
        <span dir="auto">{finding.message}</span>
        {facts.length > 0 && <small>{facts.join(" · ")}</small>}
      </div>
    </li>
  );
}

const isShort = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value !== "");
