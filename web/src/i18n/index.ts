/** The person's language and locale, chosen once. */
import { createContext, useContext } from "react";
import { createFormats, type Formats } from "../text/format";
import { de } from "./de";
import { type Dictionary, en } from "./en";
import { ko } from "./ko";
import { zh } from "./zh";

const DICTIONARIES: Record<string, Dictionary> = { en, de, ko, zh };

export interface Language {
  tag: string;
  words: Dictionary;
  formats: Formats;
}

/**
 * Words come in the first language the person reads that the page speaks, else in English; numbers and money
 * always in the person's own locale, so a French reader of English words still gets French amounts.
 */
export function chooseLanguage(preferred: readonly string[]): Language {
  const usable = preferred.filter(isLocale);
  const spoken = usable.find((locale) => languageOf(locale) in DICTIONARIES) ?? "en";
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
