import { readFileSync } from "node:fs";
import pg from "pg";
import { release030 } from "../../migrations/upgrade-0.3.0/index.js";
import { migrate } from "../../src/platform/db/migrate.js";

const ROWS = new URL("../../../test/files/database-0.3.0.sql", import.meta.url);

/** Makes an empty database one that 0.3.0 left in the middle of the work. As a superuser: nothing checks the rows. */
export async function fillAs030(url: string): Promise<void> {
  const { chain, last } = release030;
  await migrate(url, chain.slice(0, chain.findIndex(({ name }) => name === last) + 1));
  const client = new pg.Client(url);
  await client.connect();
  await client
    .query(`set session_replication_role = replica; ${readFileSync(ROWS, "utf8")}`)
    .finally(() => client.end());
}
