import { readdirSync } from "node:fs";
import type { Knex } from "knex";
import { folder, runFile } from "./files.js";
import { release030 } from "./upgrade-0.3.0/index.js";

/** The files of the baseline: a table comes after those that it refers to. */
export const areas = [
  ...["master-data", "people", "purchasing", "sales", "stock", "transfers", "picking", "shipping", "tokens"],
  ...["inbound", "connectors", "outbound", "channels", "record"],
].map((area) => `baseline/${area}.sql`);

/** The schema of 1.0.0. */
async function baseline(knex: Knex): Promise<void> {
  // Functions may name tables that come later.
  await knex.raw("set local check_function_bodies = off");
  for (const area of areas) await runFile(knex, area);
}

/** Those of the files that are migrations, by their numbers. */
export const migrationsAmong = (files: string[]) => files.filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort();

/** What came after the baseline. */
export const later = migrationsAmong(readdirSync(folder));

/** In the order they run. A released migration is never edited or renamed; a change is a new one at the end. */
export const migrations = [
  { name: "0001_baseline", migration: { up: baseline }, replaces: release030 },
  ...later.map((file) => ({
    name: file.replace(".sql", ""),
    migration: { up: (knex: Knex) => runFile(knex, file) },
  })),
];
