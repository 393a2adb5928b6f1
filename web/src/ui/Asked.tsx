import type { ReactNode } from "react";
import type { Artifact } from "../contract";
import { ask } from "../state/app";
import { useAtelier } from "../state/store";
import { sortWorks } from "../state/view";
import { CopyLink } from "./CopyLink";
import { CorrectDialog } from "./CorrectDialog";
import { Dialog } from "./Dialog";
import { Files, Reader, Sounds } from "./Files";
import { Film } from "./Film";
import { GraphDialog } from "./GraphDialog";
import { JoinDialog } from "./JoinDialog";
import { Lightbox } from "./Lightbox";
import { Models } from "./Model";
import { MoreDialog } from "./MoreDialog";
import { Questions } from "./NeedsYou";
import { SettingsDialog } from "./SettingsDialog";
import { Works } from "./Works";

const close = (): void => ask(null);

/** What stands above the page: one thing at a time. */
export function Asked(): ReactNode {
  const asked = useAtelier((state) => state.asked);
  const message = useAtelier(({ log }) =>
    asked?.kind === "move" ? log.messages[asked.message] : undefined,
  );
  const task = useAtelier(({ log, beyond }) =>
    asked && "task" in asked ? (log.tasks[asked.task] ?? beyond[asked.task]) : undefined,
  );
  switch (asked?.kind) {
    case "works":
      return <Works onClose={close} />;
    case "settings":
      return <SettingsDialog onClose={close} />;
    case "questions":
      return <Questions onClose={close} />;
    case "move":
      return message ? <CorrectDialog message={message} onClose={close} /> : null;
    case "merge":
      return task ? <JoinDialog task={task} onClose={close} /> : null;
    case "graph":
      return task ? <GraphDialog task={task} onClose={close} /> : null;
    case "more":
      return task ? <MoreDialog task={task} of={asked.of} onClose={close} /> : null;
    case "object":
      return <ObjectDialog object={asked.object} />;
    default:
      return null;
  }
}

/** An object by itself, where a link has led. */
function ObjectDialog({ object }: { object: Artifact }): ReactNode {
  const works = sortWorks([object]);
  if (object.kind === "image") {
    return <Lightbox pictures={[object]} start={object.id} onClose={close} />;
  }
  if (works.documents.length > 0) return <Reader file={object} onClose={close} />;
  return (
    <Dialog title={object.name} className="list-dialog" onClose={close}>
      {object.kind === "video" && <Film film={object} poster={null} captions={[]} />}
      {works.sounds.length > 0 && <Sounds sounds={works.sounds} />}
      {works.models.length > 0 && <Models models={works.models} />}
      <Files files={[object]} />
      <CopyLink to={{ kind: "object", id: object.id }} withWords />
    </Dialog>
  );
}
