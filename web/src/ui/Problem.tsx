import type { ReactNode } from "react";

/** What went wrong with what the person has just done, said aloud; nothing while all is well. */
export function Problem({ text }: { text: string | null }): ReactNode {
  if (!text) return null;
  return (
    <p className="problem" role="alert">
      {text}
    </p>
  );
}
