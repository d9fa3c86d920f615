import type { z } from "zod";
import type { RowError, RowWarning } from "../../src/imports/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import type { ColumnNames } from "../../src/platform/files/header.js";
import type { Given } from "../../src/platform/files/upload.js";
import type { DomainError } from "../../src/platform/problem.js";
import { command, type Tx } from "../command.js";
import { undone } from "../undone.js";

export interface ImportOptions {
  /** The warehouse of rows that name none. */
  warehouseId?: number | undefined;
}

export interface Imported {
  imported: number;
  errors: RowError[];
  warnings: RowWarning[];
}

/** Imports records of one entity type: each row by itself, in order. */
export interface Importer {
  names: ColumnNames;
  run(given: Given[], options: ImportOptions, by: Actor): Promise<Imported>;
  /** What the import would do, without doing it. */
  try(given: Given[], options: ImportOptions, by: Actor): Promise<Imported>;
}

/** A record whose cells fit their columns. */
export type ImportRow<T> = T & { row: number };

interface Declaration<T extends object> {
  /**
   * The columns, a strict object of the cells in `cells.ts`. A record with other columns is refused unless they are
   * empty.
   */
  columns: z.ZodType<T> & { shape: Record<string, z.ZodType> };
  /** Other names a column may have in the file: `{ name: "item_name" }`. */
  otherNames?: Record<string, string>;
  /**
   * Writes the rows, with set-based statements, and warns of cells that it ignores. Returns the rows that were rejected
   * and therefore not written.
   */
  write(
    tx: Tx,
    rows: ImportRow<T>[],
    options: ImportOptions,
    by: Actor,
    warn: (warning: RowWarning) => void,
  ): Promise<RowError[]>;
}

/**
 * Declares how one entity type is imported. A whole import is one command, so a failure that is not a row's own error
 * rolls back all rows, and the answer always agrees with what was written.
 */
export function importer<T extends object>(entityType: string, declaration: Declaration<T>): Importer {
  const read = (given: Given[]) => {
    const invalid: RowError[] = [];
    const rows: ImportRow<T>[] = [];
    for (const { row, record, fault } of given) {
      const read = fault ?? readRow(declaration, record);
      if (typeof read === "string") invalid.push({ row, error: read });
      else rows.push({ ...read, row });
    }
    return { invalid, rows };
  };
  const write = async (tx: Tx, { invalid, rows }: ReturnType<typeof read>, options: ImportOptions, by: Actor) => {
    const warnings: RowWarning[] = [];
    const warn = (warning: RowWarning) => void warnings.push(warning);
    const refused = rows.length > 0 ? await declaration.write(tx, rows, options, by, warn) : [];
    const errors = [...invalid, ...refused].sort((a, b) => a.row - b.row);
    return { imported: rows.length - refused.length, errors, warnings };
  };
  return {
    names: namesOf(declaration),
    run: (given, options, by) => {
      const found = read(given);
      const input = { rows: found.rows, unread: found.invalid, ...options };
      return command(`import.${entityType}`, by, input, (tx) => write(tx, found, options, by));
    },
    try: (given, options, by) => undone((tx) => write(tx, read(given), options, by)),
  };
}

function namesOf({ columns: { shape }, otherNames = {} }: Declaration<object>): ColumnNames {
  const known = Object.keys(shape);
  return { known, required: known.filter((name) => !shape[name]?.safeParse(undefined).success), otherNames };
}

/** The record with its columns' names and without its empty cells, checked; else what is wrong with it. */
function readRow<T extends object>({ columns, otherNames = {} }: Declaration<T>, record: unknown): T | string {
  if (typeof record !== "object" || record === null || Array.isArray(record)) return "The record must be an object";
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === null || (typeof value === "string" && value.trim() === "")) continue;
    const column = Object.hasOwn(otherNames, name) ? (otherNames[name] as string) : name;
    if (column === name) fields[column] = value;
    else fields[column] ??= value;
  }
  const result = columns.safeParse(fields, { reportInput: true });
  if (result.success) return result.data;
  return result.error.issues.map(faultOf).join("; ");
}

/** A refusal as the error of a row; the field that it is about comes first. */
export const rowFault = ({ message, body }: DomainError) =>
  typeof body.field === "string" ? `${body.field}: ${message}` : message;

/** Longer column names are cut off, and only this many are named. */
const MAX_NAME = 50;
const MAX_NAMES = 5;

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME));
    return `unknown column(s): ${names.join(", ")}${issue.keys.length > MAX_NAMES ? ", …" : ""}`;
  }
  return `${issue.path.join(".")}: ${issue.input === undefined ? "required" : issue.message}`;
}
