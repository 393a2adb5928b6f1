import { type ReactNode, useState } from "react";
import { useLanguage } from "../i18n";
import { contentUrl } from "../net/api";
import { type Cell, cellShape, wordsOf } from "../state/view";
import { Lightbox } from "./Lightbox";
import { Warning } from "./icons";

/** A step's pictures in their places: those made, those being made, those to come. */
export function ContactSheet({
  cells,
  size,
}: {
  cells: Cell[];
  size: "small" | "large";
}): ReactNode {
  const { words, formats } = useLanguage();
  const [open, setOpen] = useState<string | null>(null);
  if (cells.length === 0) return null;
  const pictures = cells.flatMap((cell) => (cell.object ? [cell.object] : []));
  return (
    <>
      <ul className={`contact-sheet ${size}`} style={cellShape(pictures)}>
        {cells.map(({ key, object, job }, place) => (
          <li key={key} className={object ? "made" : job ? `job-${job.status}` : "to-come"}>
            {object ? (
              <button type="button" onClick={() => setOpen(object.id)} aria-label={object.name}>
                <img src={contentUrl(object)} alt="" loading="lazy" decoding="async" />
              </button>
            ) : (
              <span title={job?.error ? wordsOf(job.error) : job?.title}>
                <span className="sr-only">
                  {formats.number(place + 1)}: {job ? words.job[job.status] : words.panel.toCome}
                </span>
                {job?.status === "failed" || job?.status === "unknown" ? (
                  <Warning />
                ) : (
                  job?.progress != null && (
                    <progress max={1} value={job.progress} aria-hidden="true" />
                  )
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      {open !== null && (
        <Lightbox pictures={pictures} start={open} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
