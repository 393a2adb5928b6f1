/** The limits of a production as they are typed, and back: whole rounds, hours with a point or a comma. */
import type { Limits } from "../contract";
import { toMicros } from "./format";

export const HOUR_S = 3_600;
const MICROS = 1_000_000;
const MOST_ROUNDS = 100_000;
const MOST_BARREN = 100;
const LEAST_SECONDS = 60;
const MOST_SECONDS = 366 * 86_400;

export interface TypedLimits {
  rounds: string;
  barren: string;
  hours: string;
}

export function typedOf(limits: Limits, locale: string): TypedLimits {
  const hours = new Intl.NumberFormat(locale, {
    useGrouping: false,
    numberingSystem: "latn",
    maximumFractionDigits: 4,
  });
  return {
    rounds: String(limits.rounds),
    barren: String(limits.rounds_without_progress),
    hours: hours.format(limits.seconds / HOUR_S),
  };
}

/** The limits that were typed; null where one is none, or beyond what there can be. */
export function limitsOf({ rounds, barren, hours }: TypedLimits): Limits | null {
  const many = toWhole(rounds);
  const few = toWhole(barren);
  const seconds = toSeconds(hours);
  if (many === null || few === null || seconds === null) return null;
  if (many < 1 || many > MOST_ROUNDS || few < 1 || few > MOST_BARREN) return null;
  if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS) return null;
  return { rounds: many, rounds_without_progress: few, seconds };
}

export const toWhole = (typed: string): number | null =>
  /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : null;

/** Typed hours in seconds. */
export function toSeconds(typed: string): number | null {
  const millionths = toMicros(typed);
  return millionths === null ? null : Math.round((millionths / MICROS) * HOUR_S);
}
