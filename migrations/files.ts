import { readFile } from "node:fs/promises";
import type { Knex } from "knex";

/** This folder with its SQL, which stays where it is when the code is compiled. */
export const folder = new URL("../../migrations/", import.meta.url);

/** Runs a file of this folder. A question mark would be a binding to knex. */
export async function runFile(knex: Knex, path: string): Promise<void> {
  const sql = await readFile(new URL(path, folder), "utf8");
  await knex.raw(sql.replaceAll("?", "\\?"));
}
