import { type Language, language } from "../shared/language.js";
import { shared, type Text, type Texts } from "./shared.js";

export type { Text, Texts };

const index: Record<Language, 0 | 1> = { en: 0, de: 1 };

/** What one of these names, which the service says, is called; undefined for one without a text. */
export const nameIn = (texts: Texts, name: string): string | undefined => texts[name]?.[index[language()]];

/**
 * The texts of an area, and those that all share: `const t = catalogue({ bins: ["Bins", "Plätze"] })`, then
 * `t("bins")`. A key that does not exist does not compile.
 */
export function catalogue<T extends Texts>(own: T) {
  const texts: Texts = { ...shared, ...own };
  return (key: (keyof T & string) | keyof typeof shared, values: Record<string, string | number> = {}): string =>
    (texts[key] as Text)[index[language()]].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
