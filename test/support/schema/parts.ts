import { readFileSync } from "node:fs";
import { folder } from "../../../migrations/files.js";
import { areas, later } from "../../../migrations/index.js";

/**
 * The order of `migrations/schema.sql`: that of the files that make the tables. A part has the title that its file
 * begins with, and the tables and functions in the order that they stand in there.
 */
export const parts = [...areas, ...later].map((file) => {
  const sql = readFileSync(new URL(file, folder), "utf8");
  const made = [...sql.matchAll(/^create (?:or replace )?(?:unlogged )?(?:table|function|aggregate) (\w+)/gm)];
  return { title: /^-- (.*?)\.?$/m.exec(sql)?.[1] ?? file, names: [...new Set(made.map(([, name = ""]) => name))] };
});
