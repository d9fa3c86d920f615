/** What was typed into a field; nothing is null. */
export const typed = (text: string | undefined): string | null => text?.trim() || null;

/** The number in a field; nothing is null. */
export const numberIn = (text: string | undefined): number | null => (typed(text) === null ? null : Number(text));
