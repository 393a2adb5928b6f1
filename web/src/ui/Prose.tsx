import { memo, type ReactNode, useMemo } from "react";
import { renderMarkdown } from "../text/markdown";

/** Markdown of an untrusted writer, cleaned. */
export const Prose = memo(function Prose({
  text,
  className = "",
  lang,
}: {
  text: string;
  className?: string;
  lang?: string | null;
}): ReactNode {
  const html = useMemo(() => renderMarkdown(text), [text]);
  return (
    <div
      className={`prose ${className}`}
      dir="auto"
      lang={lang ?? undefined}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});
