import assert from "node:assert/strict";
import { z } from "zod";
import { db as sql } from "../../src/platform/db/db.js";

/** What tests look at: rows of any shape, as the assertions of a test judge them. */
const Anything = z.looseObject({});

const rows = <T>(text: string, values?: unknown[]) =>
  sql.rows(Anything, text, values) as Promise<unknown[]> as Promise<T[]>;

/** The one column of the rows. */
async function column<T>(text: string, values?: unknown[]): Promise<T[]> {
  return (await rows<Record<string, T>>(text, values)).map((row) => {
    const [value, ...others] = Object.values(row);
    assert.deepEqual(others, [], "more than one column");
    return value as T;
  });
}

export const db = {
  rows,
  column,
  row: <T>(text: string, values?: unknown[]) =>
    sql.row(Anything, text, values) as Promise<unknown> as Promise<T | undefined>,
  /** What stands in the first row, of one column; undefined where there is no row. */
  value: async <T>(text: string, values?: unknown[]): Promise<T | undefined> => (await column<T>(text, values))[0],
  run: sql.run,
};
