import { memo, type ReactNode, useMemo } from "react";
import { renderMarkdown } from "../text/markdown";
import { healPartial } from "../text/partial";

/** Markdown of an untrusted writer, cleaned. */
export const Prose = memo(function Prose({
  text,
  className = "",
  lang,
  isPartial = false,
}: {
  text: string;
  className?: string;
  lang?: string | null;
  isPartial?: boolean;
}): ReactNode {
  const html = useMemo(
    () => renderMarkdown(isPartial ? healPartial(text) : text),
    [text, isPartial],
  );
  return (
    <div
      className={`prose ${className}`}
      dir="auto"
      lang={lang ?? undefined}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});
