import { createHash } from "node:crypto";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { version } from "../../../src/platform/config/config.js";
import { Client } from "../../../src/platform/db/client.js";
import { MIGRATION_LOCK } from "../../../src/platform/db/migrate.js";
import { type Manifest, type TableRows, writeBackup } from "./file.js";
import { SESSION, TABLES } from "./tables.js";

/**
 * Writes a backup of the whole database as of one moment, while other work goes on; only a migration waits until it
 * ends. `encryptionKey` is the id of the key that the installation encrypts under, where it is known.
 */
export async function backUp(databaseUrl: string, path: string, encryptionKey: string | null): Promise<Manifest> {
  const client = new Client({ connectionString: databaseUrl, application_name: "warehouse backup" });
  // A connection that is lost fails the statement as well.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(SESSION);
    // Taken before the transaction begins, because its snapshot must not be older than the end of a migration that this
    // waits for.
    await client.query(`select pg_advisory_lock_shared(${MIGRATION_LOCK})`);
    await client.query("begin isolation level repeatable read, read only");
    const [now] = await rowsOf<{ taken_at: string }>(client, "select to_json(now()) as taken_at");
    const found = await rowsOf<Pick<TableRows, "name" | "columns">>(client, TABLES);
    if (!found.some(({ name }) => name === "knex_migrations"))
      throw new Error("There is nothing to back up: the database has no tables of this service.");
    const migrations = await rowsOf<{ name: string }>(client, "select name from knex_migrations order by id");
    const tables: TableRows[] = [];
    const manifest: Manifest = {
      version,
      taken_at: now?.taken_at ?? "",
      migrations: migrations.map(({ name }) => name),
      encryption_key: encryptionKey,
      tables,
      sequences: {},
    };
    const rows = async function* () {
      for (const { name, columns } of found) {
        const hash = createHash("sha256");
        let bytes = 0;
        const list = columns.map(pg.escapeIdentifier).join(", ");
        const stream = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`));
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
        tables.push({ name, columns, rows: stream.rowCount, bytes, sha256: hash.digest("hex") });
      }
    };
    await writeBackup(path, rows(), async () => {
      manifest.sequences = await sequences(client);
      return manifest;
    });
    return manifest;
  } finally {
    await client.end();
  }
}

/** Sequences are not transactional: as they are read after the rows, none is lower than an id in the backup. */
async function sequences(client: pg.Client): Promise<Record<string, string>> {
  const used = await rowsOf<{ name: string; last: string }>(
    client,
    `select sequencename::text as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null`,
  );
  return Object.fromEntries(used.map(({ name, last }) => [name, last]));
}

const rowsOf = async <T>(client: pg.Client, text: string): Promise<T[]> => (await client.query(text)).rows;
