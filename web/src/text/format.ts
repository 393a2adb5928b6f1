/** Numbers, money, times and sizes in the person's locale. */
import type { Micros } from "../contract";

const MICROS = 1_000_000;

export interface Formats {
  locale: string;
  /**
   * Coins, and what is finer where there is something finer, so that amounts which are shown add up; too small
   * for that an amount reads as less than the smallest, never as nothing. `beside`: written as finely as these.
   */
  money(micros: Micros, currency: string, beside?: readonly Micros[]): string;
  /** A limit, rounded up: what is agreed to is never more than what was read. */
  moneyAtMost(micros: Micros, currency: string): string;
  number(value: number): string;
  size(bytes: number): string;
  percent(fraction: number): string;
  time(iso: string): string;
  day(iso: string, now?: Date): string;
  /** As roughly as it is known: "30 sec", "12 min", "1.5 hr". */
  duration(seconds: number): string;
  /** "in 23 minutes", "2 hours ago" */
  relative(iso: string, now: number): string;
}

/** Amounts follow the person's locale; times stand inside sentences, so they follow the words' language. */
export function createFormats(locale: string, wordsLocale: string = locale): Formats {
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  const times = new Intl.DateTimeFormat(wordsLocale, { hour: "numeric", minute: "2-digit" });
  const days = new Intl.DateTimeFormat(wordsLocale, { weekday: "long", day: "numeric", month: "long" });
  const relatives = new Intl.RelativeTimeFormat(wordsLocale, { numeric: "auto" });
  const styles = new Map<string, Intl.NumberFormat | null>();

  function moneyStyle(currency: string, digits?: number): Intl.NumberFormat | null {
    const name = `${currency} ${digits}`;
    let style = styles.get(name);
    if (style === undefined) {
      style = styleOf(locale, currency, digits);
      styles.set(name, style);
    }
    return style;
  }

  function money(micros: Micros, currency: string, beside: readonly Micros[] = []): string {
    const amount = micros / MICROS;
    const plain = moneyStyle(currency);
    if (plain === null) return `${numbers.format(amount)} ${currency}`;
    const coin = digitsOf(plain);
    const digits = Math.max(...[micros, ...beside].map((each) => fineness(each, coin)));
    const smallest = 10 ** -digits;
    const style = moneyStyle(currency, digits) ?? plain;
    return amount > 0 && amount < smallest ? `<${style.format(smallest)}` : style.format(amount);
  }

  return {
    locale,
    money,
    moneyAtMost(micros, currency) {
      const style = moneyStyle(currency);
      if (style === null) return money(micros, currency);
      const smallest = Math.round(MICROS / 10 ** (digitsOf(style) + FINER));
      return money(Math.ceil(micros / smallest) * smallest, currency);
    },
    number: (value) => numbers.format(value),
    size(bytes) {
      const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
      const step = Math.min(
        Math.floor(Math.log10(Math.max(bytes, 1)) / 3),
        units.length - 1,
      );
      return new Intl.NumberFormat(locale, {
        style: "unit",
        unit: units[step] ?? "byte",
        unitDisplay: step === 0 ? "long" : "short",
        maximumFractionDigits: step > 1 ? 1 : 0,
      }).format(bytes / 1000 ** step);
    },
    percent: (fraction) => percents.format(fraction),
    time: (iso) => times.format(new Date(iso)),
    day(iso, now = new Date()) {
      const date = new Date(iso);
      const distance = Math.round((startOfDay(date) - startOfDay(now)) / 86_400_000);
      return distance > -2 && distance < 1
        ? capitalise(relatives.format(distance, "day"), wordsLocale)
        : days.format(date);
    },
    duration(seconds) {
      const [unit, size, digits] = DURATIONS.find(([, size]) => seconds >= 1.5 * size) ?? SECONDS;
      const step = unit === "second" ? 5 : 1;
      const value = Math.max(Math.round(seconds / size / step), 1) * step;
      return new Intl.NumberFormat(wordsLocale, {
        style: "unit",
        unit,
        unitDisplay: "short",
        maximumFractionDigits: digits,
      }).format(digits > 0 ? seconds / size : value);
    },
    relative(iso, now) {
      const seconds = (Date.parse(iso) - now) / 1000;
      const size = Math.abs(seconds);
      if (size < 3_600) return relatives.format(Math.trunc(seconds / 60), "minute");
      if (size < 86_400) return relatives.format(Math.trunc(seconds / 3_600), "hour");
      return relatives.format(Math.trunc(seconds / 86_400), "day");
    },
  };
}

const SECONDS = ["second", 1, 0] as const;
const DURATIONS = [["day", 86_400, 1], ["hour", 3_600, 1], ["minute", 60, 0]] as const;

/** An amount as a person types it: a comma is as good as a point; null for what is none. */
export function toMicros(typed: string): Micros | null {
  const text = typed.trim().replace(",", ".");
  return /^\d{1,9}(\.\d{0,6})?$/.test(text) ? Math.round(Number(text) * MICROS) : null;
}

/** An amount as it stands in a field, with the point or comma of the person's locale. */
export const amountOf = (micros: Micros, locale: string): string =>
  new Intl.NumberFormat(locale, {
    useGrouping: false,
    numberingSystem: "latn",
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  }).format(micros / MICROS);

/** The form of a currency; null for one that Intl does not know. */
function styleOf(locale: string, currency: string, digits?: number): Intl.NumberFormat | null {
  const finer = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  try {
    return new Intl.NumberFormat(locale, { style: "currency", currency, ...finer });
  } catch {
    return null;
  }
}

const digitsOf = (style: Intl.NumberFormat): number =>
  style.resolvedOptions().maximumFractionDigits ?? 2;

/** So many digits beyond the currency's coins are shown at most. */
const FINER = 2;

/** How many digits an amount needs: those of the coins where they are enough. */
function fineness(micros: Micros, coin: number): number {
  for (let digits = coin; digits < coin + FINER; digits += 1) {
    if (Number.isInteger((micros * 10 ** digits) / MICROS)) return digits;
  }
  return coin + FINER;
}

const startOfDay = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

const capitalise = (text: string, locale: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** 83.4 → "1:23" */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** SubRip as WebVTT, the one form that a browser's player reads. */
export function toWebVtt(text: string): string {
  const body = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (body.startsWith("WEBVTT")) return body;
  return `WEBVTT\n\n${body.replace(/(\d\d:\d\d:\d\d),(\d{3})/g, "$1.$2")}`;
}
