import { type ReactNode, useId } from "react";
import type { Budget } from "../contract";
import { useLanguage } from "../i18n";

/** What is paid, what is set aside, and how much the task may use in all. */
export function Money({ budget }: { budget: Budget }): ReactNode {
  const { words, formats } = useLanguage();
  const hatch = useId();
  const { settled_micros: settled, held_micros: held, limit_micros: limit, currency } = budget;
  const whole = Math.max(limit, settled + held, 1);
  const free = Math.max(limit - settled - held, 0);
  const money = (micros: number): string =>
    formats.money(micros, currency, micros === 0 ? [] : [settled, held, free, limit]);
  const width = (micros: number): string => `${(100 * micros) / whole}%`;
  return (
    <div className="money">
      <svg className="money-bar" aria-hidden="true" focusable="false">
        <defs>
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect className="hatch-ground" width="6" height="6" />
            <rect className="hatch-line" width="2.4" height="6" />
          </pattern>
        </defs>
        <rect className="money-limit" width="100%" height="100%" />
        <rect className="money-settled" width={width(settled)} height="100%" />
        <rect x={width(settled)} width={width(held)} height="100%" fill={`url(#${hatch})`} />
      </svg>
      <dl>
        <div>
          <dt>
            <span className="key key-settled" aria-hidden="true" />
            {words.panel.settled}
          </dt>
          <dd>{money(settled)}</dd>
        </div>
        <div>
          <dt>
            <span className="key key-held" aria-hidden="true" />
            {words.panel.held}
          </dt>
          <dd>{money(held)}</dd>
        </div>
        <div>
          <dt>
            <span className="key key-free" aria-hidden="true" />
            {words.panel.free}
          </dt>
          <dd>{money(free)}</dd>
        </div>
      </dl>
      <p className="money-note">
        {words.panel.limit(money(limit))}
        {budget.absorbed_micros > 0 && <> · {words.panel.absorbed(money(budget.absorbed_micros))}</>}
      </p>
    </div>
  );
}
