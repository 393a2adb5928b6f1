import { type ReactNode, useState } from "react";
import { Check, Copy } from "./icons";

interface CopyTextProps {
  text: string;
  words: string;
  copied: string;
  byHand: string;
}

/** Copies a text; where that is not allowed it is shown, to be copied by hand. */
export function CopyText({ text, words, copied, byHand }: CopyTextProps): ReactNode {
  const [state, setState] = useState<"" | "copied" | "shown">("");

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("shown");
    }
  }

  return (
    <div className="copy-text">
      <button type="button" className="button" onClick={() => void copy()}>
        {state === "copied" ? <Check /> : <Copy />}
        {words}
      </button>
      <p role="status">{state === "copied" ? copied : state === "shown" ? byHand : ""}</p>
      {state === "shown" && <pre tabIndex={0}>{text}</pre>}
    </div>
  );
}
