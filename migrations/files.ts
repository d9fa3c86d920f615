import { readFile } from "node:fs/promises";
import type { Knex } from "knex";

/** Runs a file of this folder. A question mark would be a binding to knex. */
export async function runFile(knex: Knex, path: string): Promise<void> {
  const sql = await readFile(new URL(`../../migrations/${path}`, import.meta.url), "utf8");
  await knex.raw(sql.replaceAll("?", "\\?"));
}
