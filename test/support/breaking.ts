import { db } from "./db.js";

/** Runs something while every write of a row that breaks this rule fails, as with an error in a statement of ours. */
export async function breaking(table: string, rule: string, run: () => Promise<void>): Promise<void> {
  await db.run(`alter table ${table} add constraint broken check (${rule}) not valid`);
  try {
    await run();
  } finally {
    await db.run(`alter table ${table} drop constraint broken`);
  }
}
