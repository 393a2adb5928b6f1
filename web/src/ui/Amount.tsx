import type { ReactNode } from "react";

interface AmountProps {
  label: string;
  value: string;
  isInvalid?: boolean;
  onChange: (value: string) => void;
}

/** A number with its name, typed as the person writes numbers. */
export function Amount({ label, value, isInvalid = false, onChange }: AmountProps): ReactNode {
  return (
    <label className="amount">
      <span>{label}</span>
      <input
        type="text"
        inputMode="decimal"
        value={value}
        aria-invalid={isInvalid}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
