import type { ReactNode } from "react";
import type { Approval } from "../contract";
import { useLanguage } from "../i18n";
import { useAtelier } from "../state/store";
import { Prose } from "./Prose";

/** What would happen, line by line, and what it costs: expected and at most. */
export function ApprovalTerms({ approval }: { approval: Approval }): ReactNode {
  const { words, formats } = useLanguage();
  const { lines, price } = approval;
  const workspaceCurrency = useAtelier((state) => state.log.workspace?.currency ?? "USD");
  const hasAmounts = price !== null || lines.some((line) => line.amount_micros != null);
  const currency = price?.currency ?? workspaceCurrency;
  return (
    <>
      {approval.body && approval.body !== approval.title && <Prose text={approval.body} />}
      {(lines.length > 0 || price) && (
        <table className="terms">
          <thead className="sr-only">
            <tr>
              <th scope="col">{words.approval.item}</th>
              {hasAmounts && <th scope="col">{words.approval.amount}</th>}
            </tr>
          </thead>
          <tbody>
            {lines.map((line, place) => (
              <tr key={`${place}-${line.label}`}>
                <th scope="row" dir="auto">
                  {line.label}
                  {line.detail && <small>{line.detail}</small>}
                  {line.review && <small>{words.approval.stopsHere}</small>}
                </th>
                {hasAmounts && (
                  <td>
                    {line.amount_micros == null ? "–" : formats.money(line.amount_micros, currency)}
                  </td>
                )}
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
                <td>{formats.moneyAtMost(price.maximum_micros, currency)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      )}
    </>
  );
}
