import { type ReactNode, useState } from "react";
import type { Artifact, Id } from "../contract";
import { useLanguage } from "../i18n";
import { contentUrl, downloadUrl } from "../net/api";
import { writeAbout } from "../state/app";
import { CopyLink } from "./CopyLink";
import { Dialog } from "./Dialog";
import { ChevronLeft, ChevronRight, Download, Pen } from "./icons";

/** Pictures one at a time; the arrow keys turn the pages. */
export function Lightbox({
  pictures,
  start,
  onClose,
}: {
  pictures: Artifact[];
  start: Id;
  onClose: () => void;
}): ReactNode {
  const { words, formats } = useLanguage();
  const [shown, setShown] = useState(start);
  const at = Math.max(
    0,
    pictures.findIndex((picture) => picture.id === shown),
  );
  const picture = pictures[at];
  if (!picture) return null;
  const turn = (by: number): void => {
    const next = pictures[(at + by + pictures.length) % pictures.length];
    if (next) setShown(next.id);
  };
  return (
    <Dialog
      title={picture.name}
      className="lightbox"
      onClose={onClose}
      onKey={(key) => {
        if (key === "ArrowLeft") turn(-1);
        if (key === "ArrowRight") turn(1);
      }}
    >
      <div className="stage">
        <img key={picture.id} src={contentUrl(picture)} alt={picture.name} />
      </div>
      <footer>
        {pictures.length > 1 && (
          <div className="pager">
            <button
              type="button"
              className="icon-button"
              aria-label={words.panel.previous}
              onClick={() => turn(-1)}
            >
              <ChevronLeft />
            </button>
            <span aria-live="polite">
              {words.panel.pictureOf(formats.number(at + 1), formats.number(pictures.length))}
            </span>
            <button
              type="button"
              className="icon-button"
              aria-label={words.panel.next}
              onClick={() => turn(1)}
            >
              <ChevronRight />
            </button>
          </div>
        )}
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            onClose();
            writeAbout({ kind: "object", id: picture.id, label: picture.name });
          }}
        >
          <Pen />
          {words.panel.talkAbout}
        </button>
        <CopyLink key={picture.id} to={{ kind: "object", id: picture.id }} withWords />
        <a className="button quiet" href={downloadUrl(picture)} download>
          <Download />
          {words.panel.download}
        </a>
      </footer>
    </Dialog>
  );
}
