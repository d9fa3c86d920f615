import type { FormEvent } from "react";

/** What was typed into a field; nothing is null. */
export const typed = (text: string | undefined): string | null => text?.trim() || null;

/** The number in a field; nothing is null. */
export const numberIn = (text: string | undefined): number | null => (typed(text) === null ? null : Number(text));

/** What was typed into a form, by name. */
export function valuesOf(event: FormEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault();
  return Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]));
}

/** Values and what each is called, as a field offers them. */
export const optionsOf = (choices: Record<string, string>) =>
  Object.entries(choices).map(([value, label]) => ({ value, label }));
