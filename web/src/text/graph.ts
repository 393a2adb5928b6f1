/** A production's graph and the versions of its plan in words. */
import type { GraphChange, GraphNode, GraphVersion, ProductionGraph, SlotState, StepKind } from "../contract";
import type { Language } from "../i18n";
import { ranges } from "./states";

const ORDER: SlotState[] = ["done", "running", "asked", "unknown", "failed", "missing", "left_out"];

export interface GraphWords {
  kind(node: GraphNode): string;
  state(node: GraphNode): string;
  notFit(node: GraphNode): string;
  affected(node: GraphNode): string;
  price(node: GraphNode): string;
  /** What there is of a step: one line for each state that its places are in. */
  slots(node: GraphNode): string[];
  changed(change: GraphChange, cause: string): string;
  /** Why a version came, beside what the person said. */
  reasons(version: GraphVersion): string[];
  /** What a version changes of the one before. */
  differences(version: GraphVersion): string[];
}

export function graphWords({ words, formats }: Language, graph: ProductionGraph): GraphWords {
  const { graph: g, step } = words;
  const titleOf = (key: string): string => graph.nodes.find((node) => node.key === key)?.title ?? key;
  const titles = (keys: string[]): string => keys.map(titleOf).join(", ");
  const withPlaces = (key: string, places: number[]): string =>
    places.length === 0 || expectedOf(key) === 1 ? titleOf(key) : `${titleOf(key)} ${ranges(places)}`;
  const expectedOf = (key: string): number => graph.nodes.find((node) => node.key === key)?.expected ?? 0;
  const isFirst = (version: GraphVersion): boolean =>
    version.version === Math.min(...graph.versions.map((each) => each.version));
  return {
    kind: ({ kind }) => g.kinds[kind as StepKind] ?? kind,
    state: (node) =>
      node.expected > 1
        ? `${step.count(formats.number(node.done), formats.number(node.expected))} · ${step[node.status]}`
        : step[node.status],
    notFit: (node) => g.notFit(formats.number(node.affected.length)),
    affected: (node) => g.notFitPlaces(ranges(node.affected)),
    price: (node) => g.price(formats.money(node.price_micros, graph.currency)),
    slots: (node) =>
      ORDER.flatMap((state) => {
        const places = node.slots.filter((slot) => slot.state === state).map(({ slot }) => slot);
        if (places.length === 0) return [];
        return [node.expected === 1 ? g.slot[state] : g.places(g.slot[state], ranges(places))];
      }),
    changed: (change, cause) => g.changed(withPlaces(change.step, [change.slot]), cause),
    reasons: ({ why }) => [
      ...(why.changes.length > 0 ? [g.rested(formats.number(why.changes.length))] : []),
      ...(why.failed.length > 0
        ? [g.failed(why.failed.map(({ step: key, slots }) => withPlaces(key, slots)).join(", "))]
        : []),
    ],
    differences: (version) => [
      ...(version.added.length > 0 && !isFirst(version) ? [g.added(titles(version.added))] : []),
      ...(version.gone.length > 0 ? [g.gone(titles(version.gone))] : []),
      ...Object.entries(version.counts).map(([key, [before, after]]) =>
        g.counts(titleOf(key), formats.number(before), formats.number(after)),
      ),
      ...(Object.keys(version.made_again).length > 0
        ? [
            g.again(
              Object.entries(version.made_again)
                .map(([key, places]) => withPlaces(key, places))
                .join(", "),
            ),
          ]
        : []),
      ...version.kept.map(({ step: key, slots, reason }) => g.kept(withPlaces(key, slots), reason)),
      ...version.left_out.map(({ title, reason }) => g.leftOut(title, reason)),
      ...(version.refused_because ? [g.refused(version.refused_because)] : []),
    ],
  };
}
