import { type ReactNode, useEffect, useState } from "react";
import type { Artifact } from "../contract";
import { useLanguage } from "../i18n";
import type { Dictionary } from "../i18n/en";
import { api, contentUrl, downloadUrl } from "../net/api";
import { writeAbout } from "../state/app";
import { hasNamesake } from "../state/view";
import { clock } from "../text/format";
import { CopyLink } from "./CopyLink";
import { Dialog } from "./Dialog";
import { Document, Download, File, Pen } from "./icons";
import { Prose } from "./Prose";

/** The delivery report is named for its work; beside the work it goes by what it is. */
const nameOf = (file: Artifact, words: Dictionary): string =>
  file.role === "delivery_report" ? words.delivery.report : file.name;

export function Sounds({ sounds }: { sounds: Artifact[] }): ReactNode {
  return (
    <ul className="sounds">
      {sounds.map((sound) => (
        <li key={sound.id}>
          <p dir="auto">{sound.name}</p>
          <audio controls preload="none" src={contentUrl(sound)} aria-label={sound.name} />
        </li>
      ))}
    </ul>
  );
}

/** Files as rows: what it is, how large, and a way to have it. */
export function Files({ files }: { files: Artifact[] }): ReactNode {
  const { words } = useLanguage();
  return (
    <ul className="files">
      {files.map((file) => (
        <li key={file.id}>
          <File />
          <FileFacts file={file} />
          <a
            className="icon-button"
            href={downloadUrl(file)}
            download
            aria-label={`${words.panel.download}: ${file.name}`}
            title={words.panel.download}
          >
            <Download />
          </a>
        </li>
      ))}
    </ul>
  );
}

function FileFacts({
  file,
  isOneOfSeveral = false,
}: {
  file: Artifact;
  isOneOfSeveral?: boolean;
}): ReactNode {
  const { words, formats } = useLanguage();
  const duration = file.meta["duration_s"];
  const facts = [
    typeof duration === "number" ? clock(duration) : null,
    formats.size(file.size),
    file.version > 1 ? words.panel.version(formats.number(file.version)) : null,
    isOneOfSeveral ? formats.time(file.created_at) : null,
  ];
  return (
    <div className="file-facts">
      <span className="file-name" dir="auto">
        {nameOf(file, words)}
      </span>
      <span className="file-detail">{facts.filter(Boolean).join(" · ")}</span>
    </div>
  );
}

/** Documents open in a reader of the page; everything in them counts as untrusted. */
export function Documents({ documents }: { documents: Artifact[] }): ReactNode {
  const { words } = useLanguage();
  const [open, setOpen] = useState<Artifact | null>(null);
  return (
    <>
      <ul className="files">
        {documents.map((file) => (
          <li key={file.id}>
            <Document />
            <FileFacts file={file} isOneOfSeveral={hasNamesake(file, documents)} />
            <button
              type="button"
              className="button quiet"
              aria-label={`${words.panel.read}: ${nameOf(file, words)}`}
              onClick={() => setOpen(file)}
            >
              {words.panel.read}
            </button>
          </li>
        ))}
      </ul>
      {open && <Reader file={open} onClose={() => setOpen(null)} />}
    </>
  );
}

export function Reader({ file, onClose }: { file: Artifact; onClose: () => void }): ReactNode {
  const { words } = useLanguage();
  const [text, setText] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  const url = contentUrl(file);

  useEffect(() => {
    let isWanted = true;
    api.text(url).then(
      (content) => isWanted && setText(content),
      () => isWanted && setBroken(true),
    );
    return () => {
      isWanted = false;
    };
  }, [url]);

  return (
    <Dialog title={nameOf(file, words)} className="reader" onClose={onClose}>
      <div className="page-of-text" tabIndex={0} role="document">
        {isBroken && <p className="problem">{words.panel.loadFailed}</p>}
        {text !== null &&
          (file.media_type.startsWith("text/markdown") ? (
            <Prose text={text} />
          ) : (
            <pre dir="auto">{text}</pre>
          ))}
      </div>
      <footer>
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            onClose();
            writeAbout({ kind: "object", id: file.id, label: nameOf(file, words) });
          }}
        >
          <Pen />
          {words.panel.talkAbout}
        </button>
        <CopyLink to={{ kind: "object", id: file.id }} withWords />
        <a className="button quiet" href={downloadUrl(file)} download>
          <Download />
          {words.panel.download}
        </a>
      </footer>
    </Dialog>
  );
}
