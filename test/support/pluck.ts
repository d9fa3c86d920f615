// biome-ignore lint/suspicious/noExplicitAny: rows of answers are whatever came
type Row = Record<string, any>;

/** What these rows have in one field. */
export const pluck = <T extends Row, K extends keyof T>(rows: readonly T[], field: K): T[K][] =>
  rows.map((row) => row[field]);

/** What each of these rows has in some fields. */
export const pluckAll = <T extends Row, K extends keyof T>(rows: readonly T[], ...fields: K[]): T[K][][] =>
  rows.map((row) => fields.map((field) => row[field]));
