import { type Language, language } from "../shared/language.js";
import { shared, type Text, type Texts } from "./shared.js";

export type { Text, Texts };

const index: Record<Language, 0 | 1> = { en: 0, de: 1 };

/** What one of these names, which the service says, is called; undefined for one without a text. */
export const nameIn = (texts: Texts, name: string): string | undefined => texts[name]?.[index[language()]];

/** A value in its place, such as `{days}`, or the word that goes with it: `{days:day|days}`, the first one for 1. */
const PLACE = /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g;

/** A text with its values in it; `none` stands for those that are not there. */
export const filled = (text: string, values: Record<string, unknown>, none: (place: string) => string = String) =>
  text.replace(PLACE, (place, name: string, one?: string, many?: string) => {
    const value = String(values[name] ?? none(place));
    return one === undefined ? value : value === "1" ? one : String(many);
  });

/**
 * The texts of an area, and those that all share: `const t = catalogue({ bins: ["Bins", "Plätze"] })`, then
 * `t("bins")`. A key that does not exist does not compile.
 */
export function catalogue<T extends Texts>(own: T) {
  const texts: Texts = { ...shared, ...own };
  return (key: (keyof T & string) | keyof typeof shared, values: Record<string, string | number> = {}): string =>
    filled((texts[key] as Text)[index[language()]], values);
}
