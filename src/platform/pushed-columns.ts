/** What a column of a record takes from another system, which writes numbers as text and text as numbers. */
export type Column = (
  | { kind: "text"; maxLength?: number; format?: Format }
  | { kind: "integer"; min: number; max: number }
  | { kind: "decimal"; precision: number; scale: number; min?: number }
  | { kind: "enum"; values: readonly string[] }
  | { kind: "textList"; maxLength: number; max: number }
  | { kind: "boolean" | "date" | "uuid" | "properties" }
) & {
  /** A new record needs a value. */
  required?: true;
  /** The column is not nullable and has a default: a null is ignored. */
  filled?: true;
};
export type Columns = Readonly<Record<string, Column>>;

/** What a text has to look like, and what people call that. */
export interface Format {
  pattern: RegExp;
  called: string;
}

const INT4_MAX = 2_147_483_647;
export const text = (maxLength: number) => ({ kind: "text", maxLength }) as const;
export const formatted = (maxLength: number, format: Format) => ({ kind: "text", maxLength, format }) as const;
export const longText = { kind: "text" } as const;
export const integer = (min: number, max = INT4_MAX) => ({ kind: "integer", min, max }) as const;
export const measure = (precision: number, scale: number) => ({ kind: "decimal", precision, scale, min: 0 }) as const;
export const money = { kind: "decimal", precision: 12, scale: 2 } as const;
export const date = { kind: "date" } as const;
export const boolean = { kind: "boolean", filled: true } as const;
export const oneOf = (states: object) => ({ kind: "enum", values: Object.keys(states), filled: true }) as const;
export const required = <C extends Column>(column: C) => ({ ...column, required: true }) as const;
export const filled = <C extends Column>(column: C) => ({ ...column, filled: true }) as const;
