import { z } from "zod";
import { db as sql } from "../../src/platform/db/db.js";

/** What tests look at: rows of any shape, as the assertions of a test judge them. */
const Anything = z.looseObject({});

export const db = {
  rows: <T>(text: string, values?: unknown[]) => sql.rows(Anything, text, values) as Promise<unknown[]> as Promise<T[]>,
  row: <T>(text: string, values?: unknown[]) =>
    sql.row(Anything, text, values) as Promise<unknown> as Promise<T | undefined>,
  run: sql.run,
};
