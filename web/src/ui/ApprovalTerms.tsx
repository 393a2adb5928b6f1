import type { ReactNode } from "react";
import type { Approval } from "../contract";
import { useLanguage } from "../i18n";
import { useAtelier } from "../state/store";
import { lineDetails } from "../text/states";
import { Prose } from "./Prose";

/** What would happen, line by line, and what it costs: expected and at most. */
export function ApprovalTerms({ approval }: { approval: Approval }): ReactNode {
  const language = useLanguage();
  const { words, formats } = language;
  const { lines, price, estimate } = approval;
  const workspaceCurrency = useAtelier((state) => state.log.workspace?.currency ?? "USD");
  const hasAmounts = price !== null || lines.some((line) => line.amount_micros != null);
  const currency = price?.currency ?? workspaceCurrency;
  const amounts = [...lines.map((line) => line.amount_micros ?? 0), price?.amount_micros ?? 0];
  const money = (micros: number): string => formats.money(micros, currency, amounts);
  return (
    <>
      <Body approval={approval} />
      <Counts approval={approval} />
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
                  <LineDetails text={lineDetails(approval, place, language)} />
                  {line.review && <small>{words.approval.stopsHere}</small>}
                </th>
                {hasAmounts && (
                  <td>
                    {line.amount_micros == null ? "–" : money(line.amount_micros)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
          {price && (
            <tfoot>
              {estimate && estimate.seconds > 0 && (
                <tr className="takes">
                  <th scope="row">
                    {words.approval.takes}
                    {estimate.steps.some(({ basis }) => basis === "measured") && (
                      <small>{words.approval.measured}</small>
                    )}
                  </th>
                  <td>{words.approval.about(formats.duration(estimate.seconds))}</td>
                </tr>
              )}
              <tr>
                <th scope="row">{words.approval.total}</th>
                <td>{money(price.amount_micros)}</td>
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

function LineDetails({ text }: { text: string }): ReactNode {
  return text ? <small>{text}</small> : null;
}

/** On which counts an answer rests; of a plan each line says it. */
function Counts({ approval: { kind, saw } }: { approval: Approval }): ReactNode {
  const { words, formats } = useLanguage();
  if (kind === "plan") return null;
  return Object.entries(saw ?? {}).map(([step, { done, expected }]) => (
    <p key={step} className="counts">
      {words.approval.saw(formats.number(done), formats.number(expected))}
    </p>
  ));
}

/** What is asked about: of a question where words belong, the person's own words. */
function Body({ approval: { kind, title, body } }: { approval: Approval }): ReactNode {
  const { words } = useLanguage();
  if (!body || body === title) return null;
  if (kind !== "route") return <Prose text={body} />;
  return (
    <figure className="asked-about">
      <figcaption>{words.approval.youWrote}</figcaption>
      <blockquote className="quoted" dir="auto">
        {body}
      </blockquote>
    </figure>
  );
}
