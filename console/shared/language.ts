import { useSyncExternalStore } from "react";
import { keptOnDevice } from "./kept.js";

export const languages = { en: "English", de: "Deutsch" };
export type Language = keyof typeof languages;

const chosen = keptOnDevice<Language>("language", navigator.language.startsWith("de") ? "de" : "en");
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** While something is said in each of them. */
let spoken: Language | undefined;

export const language = (): Language => spoken ?? chosen.get();
/** A browser without a language of its own names that of its system, which may be none: `en-US@posix`. */
function isTag(one: string): boolean {
  try {
    return Intl.getCanonicalLocales(one).length > 0;
  } catch {
    return false;
  }
}

/** The language as it is spoken where the browser is: in London 17:00 is not 5 PM. */
export const locale = (): string =>
  navigator.languages.find((one) => one.split("-")[0] === language() && isTag(one)) ?? language();
export const useLanguage = (): Language => useSyncExternalStore(subscribe, language);

export function setLanguage(to: Language): void {
  chosen.set(to);
  for (const listener of listeners) listener();
}

/** What `say` says in each language. */
export const inEach = (say: () => string): string[] =>
  (Object.keys(languages) as Language[]).map((one) => {
    spoken = one;
    try {
      return say();
    } finally {
      spoken = undefined;
    }
  });
