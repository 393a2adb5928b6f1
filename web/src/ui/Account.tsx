import { type ReactNode, useEffect, useState } from "react";
import type { Account, ModelUsage, Usage } from "../contract";
import { useLanguage } from "../i18n";
import { api } from "../net/api";
import { useAtelier } from "../state/store";
import { Money } from "./Money";

/** What all tasks together have cost, and what each language model was used for it. */
export function AccountTable(): ReactNode {
  const { words } = useLanguage();
  const [account, setAccount] = useState<Account | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    api.account().then(setAccount, () => setBroken(true));
  }, []);
  return (
    <section className="account" aria-busy={!account && !isBroken}>
      <h3>
        {words.settings.account} <span>{words.settings.accountOf}</span>
      </h3>
      {isBroken && <p className="problem">{words.panel.loadFailed}</p>}
      {account && <Money budget={account.budget} />}
      {account && account.model_usage.calls > 0 && <Models usage={account.model_usage} />}
    </section>
  );
}

function Models({ usage }: { usage: ModelUsage }): ReactNode {
  const { words, formats } = useLanguage();
  const isRehearsal = useAtelier((state) => state.log.workspace?.rehearsal ?? false);
  const { settings: s } = words;
  const price = (row: Usage): string =>
    row.unpriced === row.calls ? s.unpriced : formats.money(row.price_micros, usage.currency);
  return (
    <>
      <h4>{s.model}</h4>
      <div className="scrolls" tabIndex={0} role="group" aria-label={s.model}>
        <table className="terms usage">
          <thead>
            <tr>
              <th scope="col">{s.modelName}</th>
              <th scope="col">{s.calls}</th>
              <th scope="col">{s.read}</th>
              <th scope="col">{s.written}</th>
              <th scope="col">{s.price}</th>
            </tr>
          </thead>
          <tbody>
            {usage.models.map((row) => (
              <tr key={row.model}>
                <th scope="row">{row.model}</th>
                <td>{formats.number(row.calls)}</td>
                <td>{formats.number(row.input_tokens)}</td>
                <td>{formats.number(row.output_tokens)}</td>
                <td>{price(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="money-note">
        {usage.unpriced > 0 &&
          words.panel.modelUnpriced(usage.unpriced, formats.number(usage.unpriced))}
        {isRehearsal && s.rehearsalFree}
      </p>
    </>
  );
}

/** One task's use of language models in a line. */
export function ModelUse({ usage }: { usage: ModelUsage }): ReactNode {
  const { words, formats } = useLanguage();
  const { calls, unpriced, input_tokens: read, output_tokens: written } = usage;
  return (
    <p className="money-note">
      {words.panel.modelCalls(
        calls,
        formats.number(calls),
        formats.number(read),
        formats.number(written),
      )}
      {usage.price_micros > 0 && ` · ${formats.money(usage.price_micros, usage.currency)}`}
      {unpriced > 0 && ` · ${words.panel.modelUnpriced(unpriced, formats.number(unpriced))}`}
    </p>
  );
}
