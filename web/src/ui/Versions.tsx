import type { ReactNode } from "react";
import type { GraphVersion, ProductionGraph } from "../contract";
import { useLanguage } from "../i18n";
import { graphWords } from "../text/graph";
import { useNow } from "./now";

/** The versions of a plan, the newest first: why each came, and what it changed. */
export function Versions({ graph }: { graph: ProductionGraph }): ReactNode {
  const { words } = useLanguage();
  const newest = [...graph.versions].sort((a, b) => b.version - a.version);
  return (
    <section className="versions">
      <h3>{words.graph.history}</h3>
      <ol>
        {newest.map((version) => (
          <li key={version.version} className={`is-${version.status}`}>
            <Version graph={graph} version={version} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Version({ graph, version }: { graph: ProductionGraph; version: GraphVersion }): ReactNode {
  const language = useLanguage();
  const { words, formats } = language;
  const now = useNow();
  const told = graphWords(language, graph);
  const reasons = told.reasons(version);
  const differences = told.differences(version);
  return (
    <>
      <p className="version-head">
        <strong>{words.graph.version(formats.number(version.version))}</strong>
        <span>{words.graph.status[version.status]}</span>
        <span>
          {words.approval.atMost} {formats.moneyAtMost(version.maximum_micros, graph.currency)}
          {version.within_allowance && ` · ${words.graph.allowance}`}
        </span>
        <time dateTime={version.created_at}>{formats.relative(version.created_at, now)}</time>
      </p>
      {version.why.words.map((said) => (
        <figure key={said}>
          <figcaption>{words.graph.said}</figcaption>
          <blockquote className="quoted" dir="auto">
            {said}
          </blockquote>
        </figure>
      ))}
      {reasons.length > 0 && (
        <p dir="auto">
          {words.graph.because}: {reasons.join(" · ")}
        </p>
      )}
      {differences.length > 0 && (
        <ul>
          {differences.map((line) => (
            <li key={line} dir="auto">
              {line}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
