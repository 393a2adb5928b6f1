import { describe, expect, test } from "vitest";
import type { GraphEdge, GraphNode, GraphVersion, ProductionGraph } from "../src/contract";
import { chooseLanguage } from "../src/i18n";
import { draw, GAP, NODE } from "../src/state/graph";
import { graphWords } from "../src/text/graph";

const node = (key: string, depends_on: string[] = [], patch: Partial<GraphNode> = {}): GraphNode => ({
  key, title: key, kind: "image", status: "todo", depends_on, review: false, expected: 1, done: 0,
  ready: [], affected: [], price_micros: 0, slots: [], ...patch,
});

const edgesOf = (nodes: GraphNode[]): GraphEdge[] =>
  nodes.flatMap(({ key, depends_on }) => depends_on.map((from) => ({ from, to: key, by: "step" as const })));

/** A film with twelve steps. */
const FILM = [
  node("script"), node("people", ["script"]), node("places"), node("frames-a", ["script", "people", "places"]),
  node("frames-b", ["script", "people"]), node("shots-a", ["frames-a"]), node("shots-b", ["frames-b"]),
  node("voice", ["script"]), node("music"), node("captions", ["shots-a", "shots-b", "voice"]),
  node("master", ["shots-a", "shots-b", "voice", "music", "captions"]), node("poster", ["people", "master"]),
];

describe("the drawing of a plan", () => {
  const drawing = draw(FILM, edgesOf(FILM));
  const at = (key: string) => drawing.placed.find((placed) => placed.node.key === key)!;
  const column = (key: string): number => Math.round((at(key).x - at("script").x) / (NODE.width + GAP.across));

  test("has a column for each depth", () => {
    const depths = ["script", "people", "frames-a", "shots-a", "captions", "master", "poster"].map(column);
    expect(depths).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect([column("places"), column("music"), column("voice")]).toEqual([0, 0, 1]);
  });

  test("lets no two steps overlap, and holds all of them", () => {
    for (const [place, a] of drawing.placed.entries()) {
      expect(a.x + NODE.width).toBeLessThanOrEqual(drawing.width);
      expect(a.y + NODE.height).toBeLessThanOrEqual(drawing.height);
      for (const b of drawing.placed.slice(place + 1)) {
        if (a.x === b.x) expect(Math.abs(a.y - b.y)).toBeGreaterThanOrEqual(NODE.height);
      }
    }
  });

  test("leads each line from side to side, and past steps never through one", () => {
    expect(drawing.lines).toHaveLength(edgesOf(FILM).length);
    for (const { edge, path } of drawing.lines) {
      const [from, to] = [at(edge.from), at(edge.to)];
      expect(path.startsWith(`M${from.x + NODE.width} ${from.y + NODE.height / 2} `)).toBe(true);
      expect(path.endsWith(` ${to.x} ${to.y + NODE.height / 2}`)).toBe(true);
      for (const [, x, y, until] of path.matchAll(/ ([\d.]+) ([\d.]+) H([\d.]+)/g)) {
        const met = drawing.placed.filter(
          (each) =>
            each.x < Number(until) && each.x + NODE.width > Number(x) &&
            each.y < Number(y) && each.y + NODE.height > Number(y),
        );
        expect(met.map((each) => each.node.key)).toEqual([]);
      }
    }
  });

  test("draws quietly what other lines say too", () => {
    const implied = drawing.lines.filter((line) => line.isImplied).map(({ edge }) => `${edge.from} ${edge.to}`);
    expect(implied).toEqual([
      "script frames-a", "script frames-b", "shots-a master", "shots-b master", "voice master", "people poster",
    ]);
  });

  test("is the same for the same plan, and empty for none", () => {
    expect(draw(FILM, edgesOf(FILM))).toEqual(drawing);
    expect(draw([], [])).toMatchObject({ width: 0, placed: [], lines: [] });
    const lost = draw([node("a")], [{ from: "gone", to: "a", by: "step" }]);
    expect(lost.lines).toEqual([]);
    const circle = [node("a", ["b"]), node("b", ["a"])];
    expect(draw(circle, edgesOf(circle)).placed).toHaveLength(2);
  });
});

describe("a graph in words", () => {
  const slots = (states: string[]): GraphNode["slots"] =>
    states.map((state, place) => ({ slot: place + 1, state, is_affected: false, evidence: [] })) as GraphNode["slots"];
  const shots = node("shots", [], {
    title: "Shots", kind: "shots", status: "doing", expected: 5, done: 3, affected: [2, 3],
    slots: slots(["done", "done", "done", "running", "failed"]),
  });
  const version = (patch: Partial<GraphVersion>): GraphVersion => ({
    version: 2, title: "", status: "approved", quote_micros: 0, maximum_micros: 0, within_allowance: false,
    created_at: "", why: { words: [], changes: [], failed: [] }, refused_because: null, kept: [], left_out: [],
    added: [], gone: [], made_again: {}, counts: {}, ...patch,
  });
  const graph = {
    currency: "USD",
    nodes: [shots, node("script", [], { title: "Script" })],
    versions: [version({ version: 1 })],
  } as unknown as ProductionGraph;
  const told = graphWords(chooseLanguage(["en-US"]), graph);

  test("says what a step is, how far it is, and what of it may no longer fit", () => {
    expect([told.kind(shots), told.state(shots)]).toEqual(["Moving shots", "3 of 5 · in work"]);
    expect(told.kind({ ...shots, kind: "of_later" })).toBe("of_later");
    expect(told.slots(shots)).toEqual(["Done: 1–3", "Being made: 4", "Failed: 5"]);
    expect(told.slots(node("one", [], { slots: slots(["missing"]) }))).toEqual(["To do"]);
    expect([told.notFit(shots), told.affected(shots)]).toEqual(["2 may no longer fit", "May no longer fit: 2–3"]);
  });

  test("says why a version came and what it changes; of the first one not that all is new", () => {
    const why = { words: [], changes: ["c1", "c2"], failed: [{ step: "shots", slots: [5] }] };
    expect(told.reasons(version({ why }))).toEqual([
      "2 resting on something that has changed", "failed: Shots 5",
    ]);
    expect(told.differences(version({ version: 1, added: ["shots"] }))).toEqual([]);
    expect(
      told.differences(
        version({
          added: ["script"], gone: ["old"], counts: { shots: [4, 5] }, made_again: { shots: [2, 3], script: [1] },
          kept: [{ step: "shots", slots: [1], reason: "it fits" }], left_out: [{ title: "Music", reason: "silent" }],
          refused_because: "too dear",
        }),
      ),
    ).toEqual([
      "New: Script", "No longer there: old", "Shots: 4 → 5", "Made again: Shots 2–3, Script",
      "Kept: Shots 1 – it fits", "Left out: Music – silent", "Not accepted: “too dear”",
    ]);
  });
});
