/** Where the steps of a production stand: in columns by depth, with lanes for what passes a column. */
import type { GraphEdge, GraphNode } from "../contract";

export const NODE = { width: 154, height: 82 };
export const GAP = { across: 36, down: 16 };
const LANE = 14;
const PADDING = 6;
const SWEEPS = 6;

export interface Placed {
  node: GraphNode;
  x: number;
  y: number;
}

export interface Line {
  edge: GraphEdge;
  /** An SVG path from the right side of one node to the left side of the other. */
  path: string;
  /** Whether other lines say it too: then it is drawn more quietly. */
  isImplied: boolean;
}

export interface Drawing {
  width: number;
  height: number;
  placed: Placed[];
  lines: Line[];
}

/** Something in a column: a node, or the lane of a line that passes. */
interface Cell {
  id: string;
  height: number;
  before: string[];
  after: string[];
}

/** The drawing of a plan; the same plan is always drawn in the same way. */
export function draw(nodes: GraphNode[], edges: GraphEdge[]): Drawing {
  const known = new Set(nodes.map(({ key }) => key));
  const drawn = edges.filter(({ from, to }) => known.has(from) && known.has(to) && from !== to);
  const depths = depthsOf(nodes, drawn);
  const { columns, routes } = fill(nodes, drawn, depths);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) untangle(columns, sweep % 2 === 0);
  const tops = stack(columns);
  const height = Math.max(0, ...columns.map((column) => bottomOf(column, tops))) + PADDING;
  const left = (depth: number): number => PADDING + depth * (NODE.width + GAP.across);
  const depthOf = (key: string): number => depths.get(key) ?? 0;
  const topOf = (id: string): number => tops.get(id) ?? 0;
  const implied = impliedBy(drawn);
  return {
    width: columns.length === 0 ? 0 : left(columns.length) - GAP.across + PADDING,
    height,
    placed: nodes.map((node) => ({ node, x: left(depthOf(node.key)), y: topOf(node.key) })),
    lines: drawn.map((edge, place) => ({
      edge,
      isImplied: implied(edge),
      path: curve(
        left(depthOf(edge.from)) + NODE.width,
        topOf(edge.from) + NODE.height / 2,
        (routes[place] ?? []).map((lane, step) => ({
          x: left(depthOf(edge.from) + 1 + step),
          y: topOf(lane) + LANE / 2,
        })),
        left(depthOf(edge.to)),
        topOf(edge.to) + NODE.height / 2,
      ),
    })),
  };
}

/** How many steps must come before each: the longest way to it. */
function depthsOf(nodes: GraphNode[], edges: GraphEdge[]): Map<string, number> {
  const depths = new Map(nodes.map(({ key }) => [key, 0]));
  // a plan has no circle; if one came all the same, this still ends
  for (let round = 0; round < nodes.length; round += 1) {
    let isSettled = true;
    for (const { from, to } of edges) {
      const least = Math.min((depths.get(from) ?? 0) + 1, nodes.length - 1);
      if ((depths.get(to) ?? 0) < least) {
        depths.set(to, least);
        isSettled = false;
      }
    }
    if (isSettled) break;
  }
  return depths;
}

function fill(
  nodes: GraphNode[],
  edges: GraphEdge[],
  depths: Map<string, number>,
): { columns: Cell[][]; routes: string[][] } {
  const deepest = Math.max(-1, ...depths.values());
  const columns: Cell[][] = Array.from({ length: deepest + 1 }, () => []);
  const cells = new Map<string, Cell>();
  const add = (id: string, depth: number, height: number): Cell => {
    const cell: Cell = { id, height, before: [], after: [] };
    cells.set(id, cell);
    columns[depth]?.push(cell);
    return cell;
  };
  for (const { key } of nodes) add(key, depths.get(key) ?? 0, NODE.height);
  const routes = edges.map(({ from, to }) => {
    const lanes: string[] = [];
    let last = cells.get(from);
    for (let depth = (depths.get(from) ?? 0) + 1; depth < (depths.get(to) ?? 0); depth += 1) {
      const lane = add(`${from}>${to}>${depth}`, depth, LANE);
      join(last, lane);
      lanes.push(lane.id);
      last = lane;
    }
    join(last, cells.get(to));
    return lanes;
  });
  return { columns, routes };
}

function join(before: Cell | undefined, after: Cell | undefined): void {
  if (!before || !after) return;
  before.after.push(after.id);
  after.before.push(before.id);
}

/** Order each column by the middle of its neighbours in the one beside it, so that few lines cross. */
function untangle(columns: Cell[][], isForward: boolean): void {
  const order = isForward ? columns : [...columns].reverse();
  let beside = new Map<string, number>();
  for (const column of order) {
    const middle = new Map(
      column.map((cell, place) => {
        const met = (isForward ? cell.before : cell.after)
          .map((id) => beside.get(id))
          .filter((at): at is number => at !== undefined);
        const mean = met.reduce((sum, at) => sum + at, 0) / met.length;
        return [cell.id, met.length > 0 ? mean : (place + 0.5) / column.length] as const;
      }),
    );
    column.sort((a, b) => (middle.get(a.id) ?? 0) - (middle.get(b.id) ?? 0));
    beside = new Map(column.map(({ id }, place) => [id, (place + 0.5) / column.length]));
  }
}

/** The top of everything: columns one below the other, each in the middle of the tallest. */
function stack(columns: Cell[][]): Map<string, number> {
  const heightOf = (column: Cell[]): number =>
    column.reduce((sum, { height }) => sum + height + GAP.down, -GAP.down);
  const tallest = Math.max(0, ...columns.map(heightOf));
  const tops = new Map<string, number>();
  for (const column of columns) {
    let top = PADDING + (tallest - heightOf(column)) / 2;
    for (const { id, height } of column) {
      tops.set(id, top);
      top += height + GAP.down;
    }
  }
  return tops;
}

const bottomOf = (column: Cell[], tops: Map<string, number>): number =>
  Math.max(0, ...column.map(({ id, height }) => (tops.get(id) ?? 0) + height));

/** Whether there is also a way over other steps. */
function impliedBy(edges: GraphEdge[]): (edge: GraphEdge) => boolean {
  const after = new Map<string, string[]>();
  for (const { from, to } of edges) after.set(from, [...(after.get(from) ?? []), to]);
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    (after.get(from) ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return ({ from, to }) =>
    (after.get(from) ?? []).some((next) => next !== to && reaches(next, to, new Set()));
}

function curve(
  fromX: number,
  fromY: number,
  lanes: { x: number; y: number }[],
  toX: number,
  toY: number,
): string {
  let path = `M${fromX} ${round(fromY)}`;
  let [x, y] = [fromX, fromY];
  const bend = (nextX: number, nextY: number): void => {
    const half = (x + nextX) / 2;
    path += ` C${half} ${round(y)} ${half} ${round(nextY)} ${nextX} ${round(nextY)}`;
    [x, y] = [nextX, nextY];
  };
  for (const lane of lanes) {
    bend(lane.x, lane.y);
    x = lane.x + NODE.width;
    path += ` H${x}`;
  }
  bend(toX, toY);
  return path;
}

const round = (value: number): number => Math.round(value * 10) / 10;
