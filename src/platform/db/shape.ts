import { z } from "zod";

/** The columns of a statement's rows: a record's schema, or, for rows that are no record, a field for each column. */
export type Shape = z.ZodObject | Readonly<Record<string, z.ZodType>>;

/** A row of that shape. */
export type RowOf<S extends Shape> = S extends z.ZodObject
  ? z.output<S>
  : S extends Readonly<Record<string, z.ZodType>>
    ? { [K in keyof S]: z.output<S[K]> }
    : never;

/** Throws unless these are exactly the columns of the shape, with values that it allows. Used in tests only. */
export function checkRows(shape: Shape, text: string, columns: readonly string[], rows: readonly unknown[]): void {
  const fields = shape instanceof z.ZodObject ? shape.shape : shape;
  const wrong = (column: string, what: string) =>
    new Error(`Rows of another shape: ${column} ${what}, in: ${text.trim().split("\n")[0]}`);
  const isLoose = shape instanceof z.ZodObject && shape.def.catchall instanceof z.ZodUnknown;
  const unknown = isLoose ? undefined : columns.find((column) => !Object.hasOwn(fields, column));
  if (unknown !== undefined) throw wrong(unknown, "is not declared");
  for (const [column, field] of Object.entries(fields)) {
    if (!columns.includes(column)) {
      if (field.safeParse(undefined).success) continue;
      throw wrong(column, "is missing");
    }
    for (const row of rows as Record<string, unknown>[]) {
      const { error } = field.safeParse(row[column]);
      if (error) throw wrong(column, `has ${JSON.stringify(row[column])}: ${z.prettifyError(error)}`);
    }
  }
}
