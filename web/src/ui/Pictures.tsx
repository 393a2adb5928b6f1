import { type ReactNode, useState } from "react";
import type { Artifact, Id } from "../contract";
import { contentUrl } from "../net/api";
import { cellShape } from "../state/view";
import { Lightbox } from "./Lightbox";

/** A grid of pictures; each opens large. */
export function Pictures({ pictures }: { pictures: Artifact[] }): ReactNode {
  const [open, setOpen] = useState<Id | null>(null);
  return (
    <>
      <ul
        className={pictures.length === 1 ? "pictures single" : "pictures"}
        style={cellShape(pictures)}
      >
        {pictures.map((picture) => (
          <li key={picture.id}>
            <button type="button" onClick={() => setOpen(picture.id)} aria-label={picture.name}>
              <img src={contentUrl(picture)} alt="" loading="lazy" decoding="async" />
            </button>
          </li>
        ))}
      </ul>
      {open !== null && <Lightbox pictures={pictures} start={open} onClose={() => setOpen(null)} />}
    </>
  );
}
