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

export const language = (): Language => chosen.get();
export const useLanguage = (): Language => useSyncExternalStore(subscribe, language);

export function setLanguage(to: Language): void {
  chosen.set(to);
  for (const listener of listeners) listener();
}
