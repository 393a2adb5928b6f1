import { type ReactNode, useEffect, useState } from "react";
import { useLanguage } from "../i18n";
import { type Linked, linkTo } from "../state/links";
import { Check, Link } from "./icons";

const SAID_MS = 2_500;

/** Copies the address of a task, a question or an object; where that is not allowed, shows it in the bar. */
export function CopyLink({ to, withWords = false }: { to: Linked; withWords?: boolean }): ReactNode {
  const { words } = useLanguage();
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);

  async function copy(): Promise<void> {
    const link = linkTo(to, location.href);
    try {
      await navigator.clipboard.writeText(link);
      setSaid(words.link.copied);
    } catch {
      history.replaceState(null, "", link);
      setSaid(words.link.inAddress);
    }
  }

  return (
    <>
      <button
        type="button"
        className={withWords ? "button quiet" : "icon-button small"}
        aria-label={words.link.copy}
        title={said || words.link.copy}
        onClick={() => void copy()}
      >
        {said ? <Check /> : <Link />}
        {withWords && (said || words.link.copy)}
      </button>
      <span className="sr-only" role="status">
        {said}
      </span>
    </>
  );
}
