import type { ReactNode } from "react";

/** A native progress bar; `words` is what it says to those who do not see it. */
export function Bar({
  value,
  words,
  className = "",
}: {
  value: number;
  words: string;
  className?: string;
}): ReactNode {
  return (
    <progress className={`bar ${className}`} max={1} value={value} aria-label={words}>
      {words}
    </progress>
  );
}
