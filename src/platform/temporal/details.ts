/** Texts for the Temporal UI. Pure functions: workflows import them. */

/** The details of a workflow: its position, the reason, and what comes next and when. */
export interface Details {
  where: string;
  why: string;
  next: string;
}

/** As Markdown, which the UI renders. */
export const detailsText = ({ where, why, next }: Details): string =>
  `- **Where:** ${where}\n- **Why:** ${why}\n- **Next:** ${next}`;

/** A time of a workflow's clock: `2026-11-22 21:05:09 UTC`. */
export const clock = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** How late a schedule started it, behind what it did. */
export const lateness = (minutes: number): string => (minutes > 0 ? `, ${minutes} min late` : "");

/** The innermost cause of a failure. */
export function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}

/** Its message. */
export function reasonOf(error: unknown): string {
  const cause = innermost(error);
  return cause instanceof Error ? cause.message.replaceAll("_", " ") : String(cause);
}
