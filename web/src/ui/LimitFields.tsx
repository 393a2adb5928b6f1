import type { ReactNode } from "react";
import { useLanguage } from "../i18n";
import type { TypedLimits } from "../text/limits";
import { Amount } from "./Amount";

interface LimitFieldsProps {
  typed: TypedLimits;
  isInvalid: boolean;
  onChange: (patch: Partial<TypedLimits>) => void;
}

/** How much each production does before it waits for a person's word. */
export function LimitFields({ typed, isInvalid, onChange }: LimitFieldsProps): ReactNode {
  const { words } = useLanguage();
  const { settings: s } = words;
  return (
    <fieldset className="ticks limits">
      <legend>
        {s.limits} <small>{s.limitsHint}</small>
      </legend>
      <Amount
        label={s.rounds}
        value={typed.rounds}
        isInvalid={isInvalid}
        onChange={(rounds) => onChange({ rounds })}
      />
      <Amount
        label={s.barren}
        value={typed.barren}
        isInvalid={isInvalid}
        onChange={(barren) => onChange({ barren })}
      />
      <Amount
        label={s.hours}
        value={typed.hours}
        isInvalid={isInvalid}
        onChange={(hours) => onChange({ hours })}
      />
    </fieldset>
  );
}
