/** The person's language and locale, chosen once. */
import { createContext, useContext } from "react";
import { createFormats, type Formats } from "../text/format";
import { de } from "./de";
import { type Dictionary, en } from "./en";
import { ko } from "./ko";
import { zh } from "./zh";

const DICTIONARIES: Record<string, Dictionary> = { en, de, ko, zh };

/** The languages that the page speaks, each in its own words. */
export const LANGUAGE_NAMES: Record<string, string> = {
  en: "English",
  de: "Deutsch",
  ko: "한국어",
  zh: "中文",
};

export interface Language {
  tag: string;
  words: Dictionary;
  formats: Formats;
}

/**
 * Words come in the first language the person reads that the page speaks, else in English; numbers and money
 * always in the person's own locale, so a French reader of English words still gets French amounts.
 * `wanted` is the language that was set on the page itself; it comes before all others.
 */
export function chooseLanguage(preferred: readonly string[], wanted: string | null = null): Language {
  const usable = preferred.filter(isLocale);
  const speakable = (wanted === null ? [] : [wanted]).concat(usable);
  const spoken = speakable.find((locale) => languageOf(locale) in DICTIONARIES) ?? "en";
  const tag = languageOf(spoken);
  const formats = createFormats(usable[0] ?? "en", spoken);
  return { tag, words: DICTIONARIES[tag] ?? en, formats };
}

const languageOf = (locale: string): string => locale.toLowerCase().split("-", 1)[0] ?? "";

function isLocale(locale: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0;
  } catch {
    return false;
  }
}

export const LanguageContext = createContext<Language>(chooseLanguage(["en"]));
export const useLanguage = (): Language => useContext(LanguageContext);

const KEY = "atelier.language.v1";

/** The language that was set on this page, if any. */
export function wantedLanguage(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Set the page's language for this browser, or leave it to the browser again. */
export function wantLanguage(tag: string | null): void {
  try {
    if (tag === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, tag);
  } catch {
    // a forbidden storage leaves the choice to the browser
  }
}
