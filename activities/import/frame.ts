import type { z } from "zod";
import type { Actor } from "../../src/actor.js";
import { command, type Tx } from "../command.js";

/** Why one record was not imported; `row` counts from 1. */
export interface RowError {
  row: number;
  error: string;
}

export interface ImportOptions {
  /** The warehouse of rows that name none. */
  warehouseId?: number | undefined;
}

/** Imports records of one entity type: each row by itself, in order. */
export type Importer = (
  records: unknown[],
  options: ImportOptions,
  by: Actor,
) => Promise<{ imported: number; errors: RowError[] }>;

/** A record whose cells fit their columns. */
export type Row<T> = T & { row: number };

interface Declaration<T extends object> {
  /** The columns, of the cells of `cells.ts`; a record's other columns fall away. */
  columns: z.ZodType<T>;
  /** Other names a column may have in the file: `{ name: "item_name" }`. */
  otherNames?: Record<string, string>;
  /** Records with the same text in this column are written in one transaction. */
  together?: string;
  /**
   * Writes the rows of one chunk: set-based, never a statement per row. Gives the rows it refused; what it refuses it has
   * not written.
   */
  write(
    tx: Tx,
    rows: Row<T>[],
    options: ImportOptions,
    by: Actor,
  ): Promise<RowError[]>;
}

const CHUNK = 500;

/**
 * Declares how one entity type is imported. Each chunk of records is one command with an id of its own, made of the
 * request's: the same request again goes on where the first one stopped. That all is done is a command as well.
 */
export function importer<T extends object>(
  entityType: string,
  declaration: Declaration<T>,
): Importer {
  return async (records, options, by) => {
    const errors: RowError[] = [];
    const rows: Row<T>[] = [];
    records.forEach((record, i) => {
      const read = readRow(declaration, record);
      if (typeof read === "string") errors.push({ row: i + 1, error: read });
      else rows.push({ ...read, row: i + 1 });
    });
    const operation = `import.${entityType}`;
    let imported = 0;
    for (const [n, chunk] of chunksOf(rows, declaration.together).entries()) {
      const refused = await command(
        operation,
        { ...by, commandId: `${n + 1}/${by.commandId}` },
        { rows: chunk, ...options },
        (tx) => declaration.write(tx, chunk, options, by),
      );
      errors.push(...refused);
      imported += chunk.length - refused.length;
    }
    errors.sort((a, b) => a.row - b.row);
    return command(operation, by, {}, async () => ({
      imported,
      errors,
    }));
  };
}

/** The record with its columns' names and without its empty cells, checked; else what is wrong with it. */
function readRow<T extends object>(
  { columns, otherNames = {} }: Declaration<T>,
  record: unknown,
): T | string {
  if (typeof record !== "object" || record === null || Array.isArray(record))
    return "The record must be an object";
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === null || (typeof value === "string" && value.trim() === ""))
      continue;
    const column = Object.hasOwn(otherNames, name)
      ? (otherNames[name] as string)
      : name;
    if (column === name) fields[column] = value;
    else fields[column] ??= value;
  }
  const result = columns.safeParse(fields, { reportInput: true });
  if (result.success) return result.data;
  return result.error.issues
    .map(
      (issue) =>
        `${issue.path.join(".")}: ${issue.input === undefined ? "required" : issue.message}`,
    )
    .join("; ");
}

/** Chunks of some 500 rows; rows that belong together stay together, in the place of the first of them. */
function chunksOf<T extends object>(
  rows: Row<T>[],
  together: string | undefined,
): Row<T>[][] {
  const groups = new Map<unknown, Row<T>[]>();
  for (const row of rows) {
    const key = together ? (row as Record<string, unknown>)[together] : row.row;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const chunks: Row<T>[][] = [];
  let chunk: Row<T>[] = [];
  for (const group of groups.values()) {
    if (chunk.length > 0 && chunk.length + group.length > CHUNK) {
      chunks.push(chunk);
      chunk = [];
    }
    chunk.push(...group);
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}
