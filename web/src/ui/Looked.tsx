import type { ReactNode } from "react";
import type { Approval, Artifact, Shown } from "../contract";
import { useLanguage } from "../i18n";
import { contentUrl } from "../net/api";
import { useAtelier } from "../state/store";
import { sortWorks } from "../state/view";
import { Documents, Files, Sounds } from "./Files";
import { Pictures } from "./Pictures";

/** The results that a person is to look at: as they are now, their own edits included. */
export function Looked({ approval, isOpen }: { approval: Approval; isOpen: boolean }): ReactNode {
  const { words } = useLanguage();
  const objects = useAtelier((state) => state.log.objects);
  const shown = (approval.results ?? []).map((result) => {
    const stored = objects[result.object_id];
    // once it is answered, the card shows what the answer was about
    return stored && isOpen ? stored : asArtifact(result, stored);
  });
  if (shown.length === 0) return null;
  const { film, pictures, clips, sounds, documents, captions, others } = sortWorks(shown);
  const videos = [...(film ? [film] : []), ...clips];
  const files = [...captions, ...others];
  return (
    <div className="looked">
      {isOpen && <p className="reason">{words.approval.lookFirst}</p>}
      {pictures.length > 0 && <Pictures pictures={pictures} />}
      {videos.length > 0 && (
        <ul className="sounds">
          {videos.map((video) => (
            <li key={video.id}>
              <p dir="auto">{video.name}</p>
              <video controls preload="metadata" src={contentUrl(video)} aria-label={video.name} />
            </li>
          ))}
        </ul>
      )}
      {sounds.length > 0 && <Sounds sounds={sounds} />}
      {documents.length > 0 && <Documents documents={documents} />}
      {files.length > 0 && <Files files={files} />}
    </div>
  );
}

function asArtifact(result: Shown, stored: Artifact | undefined): Artifact {
  const { object_id: id, version, kind, role, name, slot, url } = result;
  const known = { media_type: "", size: 0, task_id: null, step_key: null, meta: {}, created_at: "" };
  return { ...known, ...stored, id, version, kind, role, name, slot, url };
}
