import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { GraphChange, ProductionGraph, Task } from "../contract";
import { useLanguage } from "../i18n";
import { api } from "../net/api";
import { useAtelier } from "../state/store";
import { graphWords } from "../text/graph";
import { CopyText } from "./CopyText";
import { Dialog } from "./Dialog";
import { GraphDrawing } from "./GraphDrawing";
import { Eye } from "./icons";
import { Pictures } from "./Pictures";
import { Versions } from "./Versions";

const CALM_MS = 400;

/** A production as a graph: steps, what rests on what, what has changed, and how the plan came about. */
export function GraphDialog({ task, onClose }: { task: Task; onClose: () => void }): ReactNode {
  const { words } = useLanguage();
  const [graph, setGraph] = useState<ProductionGraph | null>(null);
  const [isBroken, setBroken] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const isThere = graph !== null;
  useEffect(() => {
    let isGone = false;
    const timer = setTimeout(
      () =>
        api.graph(task.id).then(
          (found) => {
            if (!isGone) setGraph(found);
          },
          () => {
            if (!isGone) setBroken(true);
          },
        ),
      isThere ? CALM_MS : 0,
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
    // a newer plan or a newer state is read anew; that it is there is no reason to
  }, [task.id, task.checklist, task.updated_at]);
  return (
    <Dialog title={words.graph.title(task.title)} className="graph-dialog" onClose={onClose}>
      {isBroken && !graph && <p className="problem">{words.panel.loadFailed}</p>}
      {graph && graph.nodes.length === 0 && <p className="nothing">{words.graph.none}</p>}
      {graph && graph.nodes.length > 0 && (
        <>
          <GraphDrawing graph={graph} chosen={chosen} onChoose={setChosen} />
          <Step graph={graph} chosen={chosen} />
        </>
      )}
      {graph && <Changes graph={graph} />}
      {graph && graph.versions.length > 0 && <Versions graph={graph} />}
      {graph && graph.mermaid && (
        <CopyText
          text={graph.mermaid}
          words={words.graph.copy}
          copied={words.graph.copied}
          byHand={words.graph.byHand}
        />
      )}
    </Dialog>
  );
}

/** What there is of the chosen step, place by place. */
function Step({ graph, chosen }: { graph: ProductionGraph; chosen: string | null }): ReactNode {
  const language = useLanguage();
  const node = graph.nodes.find(({ key }) => key === chosen);
  const objects = useAtelier((state) => state.log.objects);
  const pictures = useMemo(
    () =>
      (node?.slots ?? [])
        .flatMap(({ evidence }) => evidence)
        .flatMap(({ object_id: id }) => objects[id] ?? [])
        .filter(({ kind }) => kind === "image"),
    [node, objects],
  );
  if (!node) return <p className="graph-hint">{language.words.graph.hint}</p>;
  const told = graphWords(language, graph);
  return (
    <section className="graph-step" aria-live="polite">
      <h3 dir="auto">{node.title}</h3>
      <ul>
        {told.slots(node).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {node.affected.length > 0 && <li className="changed">{told.affected(node)}</li>}
        {node.review && (
          <li className="looked-at">
            <Eye className="small" />
            {language.words.graph.looked}
          </li>
        )}
        {node.price_micros > 0 && <li>{told.price(node)}</li>}
      </ul>
      {pictures.length > 0 && <Pictures pictures={pictures} />}
    </section>
  );
}

/** What results rest on that is no longer as it was, and what was decided about it. */
function Changes({ graph }: { graph: ProductionGraph }): ReactNode {
  const language = useLanguage();
  const { words } = language;
  const objects = useAtelier((state) => state.log.objects);
  if (graph.changes.length === 0) return null;
  const told = graphWords(language, graph);
  const nameOf = ({ cause }: GraphChange): string =>
    [objects[cause.object_id]?.name ?? words.graph.someCause, cause.part].filter(Boolean).join(" · ");
  return (
    <section className="graph-changes">
      <h3>{words.graph.changes}</h3>
      <ul>
        {graph.changes.map((change) => (
          <li key={change.id} className={`is-${change.status}`}>
            <span dir="auto">{told.changed(change, nameOf(change))}</span>
            <small dir="auto">
              {words.graph.change[change.status]}
              {change.reason && ` – ${change.reason}`}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
