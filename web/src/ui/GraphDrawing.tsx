import { type ReactNode, useId, useMemo } from "react";
import type { GraphNode, ProductionGraph } from "../contract";
import { useLanguage } from "../i18n";
import { draw, NODE, type Placed } from "../state/graph";
import { graphWords } from "../text/graph";
import { Eye, Mark, markOf, Warning } from "./icons";

interface GraphDrawingProps {
  graph: ProductionGraph;
  chosen: string | null;
  onChoose: (key: string | null) => void;
}

/** The drawing in a box of its own that scrolls: nodes are buttons, lines lie behind them. */
export function GraphDrawing({ graph, chosen, onChoose }: GraphDrawingProps): ReactNode {
  const { words } = useLanguage();
  const arrow = useId();
  const { width, height, placed, lines } = useMemo(
    () => draw(graph.nodes, graph.edges),
    [graph.nodes, graph.edges],
  );
  const near = new Set(
    graph.edges
      .filter(({ from, to }) => from === chosen || to === chosen)
      .flatMap(({ from, to }) => [from, to]),
  );
  const kinds = [...new Set(graph.edges.map(({ by }) => by))];
  return (
    <>
      {/* a box that scrolls must be reachable without a mouse */}
      <div className="graph-box" role="group" aria-label={words.graph.drawing} tabIndex={0}>
        <div className={chosen === null ? "graph" : "graph has-chosen"} style={{ width, height }}>
          <svg width={width} height={height} aria-hidden="true" focusable="false">
            <defs>
              <marker
                id={arrow}
                viewBox="0 0 8 8"
                refX="7.5"
                refY="4"
                markerWidth="9"
                markerHeight="9"
                markerUnits="userSpaceOnUse"
                orient="auto"
              >
                <path className="arrow" d="M0.5 0.8L7.5 4L0.5 7.2z" />
              </marker>
            </defs>
            {lines.map(({ edge, path, isImplied }) => {
              const isNear = edge.from === chosen || edge.to === chosen;
              const classes = ["edge", `by-${edge.by}`, isImplied ? "is-implied" : "", isNear ? "is-near" : ""];
              return (
                <path
                  key={`${edge.from} ${edge.to}`}
                  className={classes.filter(Boolean).join(" ")}
                  d={path}
                  markerEnd={`url(#${arrow})`}
                />
              );
            })}
          </svg>
          <ol>
            {placed.map((each) => (
              <Node
                key={each.node.key}
                placed={each}
                graph={graph}
                isChosen={each.node.key === chosen}
                isNear={near.has(each.node.key)}
                onChoose={onChoose}
              />
            ))}
          </ol>
        </div>
      </div>
      {kinds.length > 0 && (
        <p className="graph-key">
          {kinds.includes("step") && (
            <span>
              <Sample by="step" />
              {words.graph.whole}
            </span>
          )}
          {kinds.includes("slot") && (
            <span>
              <Sample by="slot" />
              {words.graph.single}
            </span>
          )}
        </p>
      )}
    </>
  );
}

function Sample({ by }: { by: "step" | "slot" }): ReactNode {
  return (
    <svg width="28" height="8" aria-hidden="true" focusable="false">
      <path className={`edge by-${by}`} d="M1 4H27" />
    </svg>
  );
}

function Node({
  placed: { node, x, y },
  graph,
  isChosen,
  isNear,
  onChoose,
}: {
  placed: Placed;
  graph: ProductionGraph;
  isChosen: boolean;
  isNear: boolean;
  onChoose: (key: string | null) => void;
}): ReactNode {
  const language = useLanguage();
  const told = graphWords(language, graph);
  const classes = [
    "graph-node",
    `is-${node.status}`,
    node.affected.length > 0 ? "is-affected" : "",
    isChosen || isNear ? "is-near" : "",
  ];
  return (
    <li style={{ left: x, top: y, width: NODE.width, height: NODE.height }}>
      <button
        type="button"
        className={classes.filter(Boolean).join(" ")}
        aria-pressed={isChosen}
        onClick={() => onChoose(isChosen ? null : node.key)}
      >
        <span className="graph-kind">
          <Mark name={markOf(node.status)} />
          <span>{told.kind(node)}</span>
          {node.review && (
            <span className="looked-at" title={language.words.graph.looked}>
              <Eye className="small" />
              <span className="sr-only">{language.words.graph.looked}</span>
            </span>
          )}
        </span>
        <strong dir="auto">{node.title}</strong>
        <NodeState node={node} text={told.state(node)} affected={told.notFit(node)} />
      </button>
    </li>
  );
}

function NodeState({ node, text, affected }: { node: GraphNode; text: string; affected: string }): ReactNode {
  const isAffected = node.affected.length > 0;
  return (
    <span className={isAffected ? "graph-state changed" : "graph-state"}>
      {isAffected && <Warning className="small" />}
      <span>{isAffected ? affected : text}</span>
    </span>
  );
}
