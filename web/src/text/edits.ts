/** A paid call's arguments as fields of a form, and what was changed in them. */

/** In the order in which they are shown; what no name is known for stays as it is. */
export const FIELD_NAMES = [
  "name",
  "prompt",
  "text",
  "title",
  "subtitle",
  "style",
  "mood",
  "language",
  "width",
  "height",
  "duration_s",
  "max_duration_s",
  "fps",
] as const;

export type FieldName = (typeof FIELD_NAMES)[number];
export type Typed = Partial<Record<FieldName, string>>;

export interface Field {
  name: FieldName;
  kind: "line" | "passage" | "number";
  value: string;
}

const NUMBERS: ReadonlySet<FieldName> = new Set([
  "width",
  "height",
  "duration_s",
  "max_duration_s",
  "fps",
]);
const PASSAGES: ReadonlySet<FieldName> = new Set(["prompt", "text"]);

export function fieldsOf(given: Record<string, unknown>): Field[] {
  return FIELD_NAMES.filter((name) => name in given).map((name) => ({
    name,
    kind: NUMBERS.has(name) ? "number" : PASSAGES.has(name) ? "passage" : "line",
    value: shown(given[name]),
  }));
}

/** Only what differs: numbers as numbers, an emptied number as none. */
export function changesOf(given: Record<string, unknown>, typed: Typed): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const { name, kind, value } of fieldsOf(given)) {
    const now = typed[name];
    if (now === undefined || now === value) continue;
    const meant = kind !== "number" ? now : now.trim() === "" ? null : Number(now);
    if (meant !== given[name]) changes[name] = meant;
  }
  return changes;
}

const shown = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
