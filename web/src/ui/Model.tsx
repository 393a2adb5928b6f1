import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Artifact } from "../contract";
import { useLanguage } from "../i18n";
import type { Language } from "../i18n";
import { contentUrl, downloadUrl } from "../net/api";
import { openViewer, readGlb, type Viewer } from "../viewer";
import { Download, Turn } from "./icons";

/** An object in space: its picture, its figures, the file; and, on request, the body itself to turn. */
export function Model({ model, preview }: { model: Artifact; preview: Artifact | null }): ReactNode {
  const language = useLanguage();
  const { words } = language;
  const [isOpen, setOpen] = useState(preview === null);
  const [isBroken, setBroken] = useState(false);
  return (
    <figure className="model">
      {isOpen && !isBroken ? (
        <Body model={model} onBroken={() => setBroken(true)} />
      ) : (
        preview && <img src={contentUrl(preview)} alt={model.name} />
      )}
      <figcaption>
        <span className="facts">
          {modelFacts(model, language).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </span>
        {isBroken && <p className="problem">{words.panel.modelUnshown}</p>}
        <div className="buttons">
          {preview && !isBroken && (
            <button
              type="button"
              className="button"
              aria-pressed={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <Turn />
              {isOpen ? words.panel.modelPicture : words.panel.modelTurn}
            </button>
          )}
          <a className="button" href={downloadUrl(model)} download>
            <Download />
            {words.panel.download}
          </a>
        </div>
      </figcaption>
    </figure>
  );
}

export function Models({ models }: { models: { model: Artifact; preview: Artifact | null }[] }): ReactNode {
  return models.map(({ model, preview }) => (
    <Model key={`${model.id}-${model.version}`} model={model} preview={preview} />
  ));
}

function modelFacts(model: Artifact, { words, formats }: Language): string[] {
  const { triangles, size_m: size } = model.meta;
  const facts: string[] = [];
  if (Array.isArray(size)) {
    const sides = size.map((side) => formats.number(Number(Number(side).toPrecision(3))));
    facts.push(`${sides.join(" × ")} m`);
  }
  if (typeof triangles === "number") facts.push(words.panel.triangles(formats.number(triangles)));
  if (model.size > 0) facts.push(`GLB, ${formats.size(model.size)}`);
  return facts;
}

const STEP = 0.14;
const KEYS: Record<string, [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

function Body({ model, onBroken }: { model: Artifact; onBroken: () => void }): ReactNode {
  const { words } = useLanguage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const viewer = useRef<Viewer | null>(null);
  const last = useRef<{ x: number; y: number } | null>(null);
  const source = contentUrl(model);

  useEffect(() => {
    let isWanted = true;
    const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    fetch(source)
      .then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new Error())))
      .then((content) => {
        if (!isWanted || !canvas.current) return;
        viewer.current = openViewer(canvas.current, readGlb(content), !isCalm);
        if (!viewer.current) onBroken();
      })
      .catch(() => isWanted && onBroken());
    return () => {
      isWanted = false;
      viewer.current?.close();
      viewer.current = null;
    };
  }, [source]);

  const drag = (event: PointerEvent): void => {
    const { clientX: x, clientY: y } = event;
    if (event.buttons !== 0 && last.current) {
      viewer.current?.turn((x - last.current.x) * 0.01, (y - last.current.y) * 0.01);
    }
    last.current = { x, y };
  };
  const press = (event: KeyboardEvent): void => {
    const by = KEYS[event.key];
    if (!by) return;
    event.preventDefault();
    viewer.current?.turn(...by);
  };
  return (
    <canvas
      ref={canvas}
      className="body-in-space"
      role="img"
      tabIndex={0}
      aria-label={`${model.name}. ${words.panel.modelHint}`}
      onPointerDown={(event) => {
        last.current = null;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
