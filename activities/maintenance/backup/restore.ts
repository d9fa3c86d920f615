import { pipeline } from "node:stream/promises";
import type { Knex } from "knex";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { grantTo } from "../../../src/platform/db/application-role.js";
import { Client } from "../../../src/platform/db/client.js";
import { inOneTransaction, type NamedMigration, refuseOlder } from "../../../src/platform/db/migrate.js";
import { type Manifest, readBackup, type TableRows, type VerifiedBackup } from "./file.js";
import { SESSION, TABLES } from "./tables.js";

/** The restore failed, and the database is unchanged; the message says why. */
export class NotRestored extends Error {
  override name = "NotRestored";
}

export interface Restoration {
  databaseUrl: string;
  migrations: NamedMigration[];
  /** Drops the contents of the database, instead of refusing a database that is not empty. */
  replace: boolean;
  applicationRole?: string | undefined;
}

/**
 * Restores a backup into an empty database and migrates it to the newest schema, in one transaction: on any failure the
 * database is unchanged. Throws `NotRestored`.
 */
export async function restore({ path, manifest }: VerifiedBackup, restoration: Restoration): Promise<void> {
  const { databaseUrl, migrations, replace, applicationRole } = restoration;
  const client = new Client({ connectionString: databaseUrl, application_name: "warehouse restore" });
  // A connection that is lost fails the statement as well.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(SESSION);
    await inOneTransaction(client, async (tx, migrateTo) => {
      await refuseOthers(tx);
      if (replace) await dropAll(tx);
      else await refuseTables(tx);
      await migrateTo(levelOf(manifest, migrations));
      await refuseOtherTables(tx, manifest);
      const restoreChecks = await withoutChecks(tx);
      await tx.raw(`truncate ${names(manifest.tables)}`);
      await readBackup(path, (table, rows) => load(client, table, rows));
      await restoreChecks();
      for (const [name, last] of Object.entries(manifest.sequences))
        await tx.raw("select setval(quote_ident(?)::regclass, ?)", [name, last]);
      // Empty tables are left out: with statistics of nothing, queries would read them whole until the next analyze.
      const filled = manifest.tables.filter(({ rows }) => rows > 0);
      if (filled.length > 0) await tx.raw(`analyze ${names(filled)}`);
      await migrateTo(migrations);
      // Partners may have seen events that are not in the backup (docs/operations.md).
      await tx.raw("select start_stream_epoch()");
      if (applicationRole) await grantTo(tx, applicationRole);
    });
  } catch (cause) {
    const { message } = cause as Error;
    throw new NotRestored(`Not restored, the database is as it was: ${message}`, { cause });
  } finally {
    await client.end();
  }
}

const names = (tables: Pick<TableRows, "name">[]) => tables.map(({ name }) => pg.escapeIdentifier(name)).join(", ");

async function rowsOf<T>(tx: Knex, text: string): Promise<T[]> {
  return (await tx.raw<{ rows: T[] }>(text)).rows;
}

/** Programs that were just stopped may be connected for a moment. */
const OTHERS_MAY_STAY_MS = 5_000;
const LOOK_EVERY_S = 0.2;

async function refuseOthers(tx: Knex): Promise<void> {
  const deadline = Date.now() + OTHERS_MAY_STAY_MS;
  let others = await othersConnected(tx);
  while (others.length > 0 && Date.now() < deadline) {
    await tx.raw("select pg_stat_clear_snapshot(), pg_sleep(?)", [LOOK_EVERY_S]);
    others = await othersConnected(tx);
  }
  if (others.length === 0) return;
  const who = others.map(({ usename, application_name }) => `${application_name || "a program"} (role ${usename})`);
  throw new Error(`others are connected to the database: ${who.join(", ")}. Stop them first`);
}

const othersConnected = (tx: Knex) =>
  rowsOf<{ usename: string; application_name: string }>(
    tx,
    `select distinct usename, application_name from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );

async function refuseTables(tx: Knex): Promise<void> {
  const found = await rowsOf(tx, TABLES);
  if (found.length > 0)
    throw new Error(
      `the database is not empty, it has ${found.length} tables. Name another one, or give --replace, which deletes ` +
        "everything that is in this one",
    );
}

/** All tables with what belongs to them, functions and types; not extensions, and not the schema with its rights. */
async function dropAll(tx: Knex): Promise<void> {
  const things = await rowsOf<{ drop: string }>(
    tx,
    `select format('drop %s if exists %s cascade', kind, name) as drop from (
       select 1 as turn, oid, 'table' as kind, oid::regclass::text as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       union all select 2, oid, 'sequence', oid::regclass::text from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'S'
       union all select 3, oid, 'routine', oid::regprocedure::text from pg_proc
       where pronamespace = 'public'::regnamespace
       union all select 4, oid, 'type', oid::regtype::text from pg_type
       where typnamespace = 'public'::regnamespace and typtype in ('d', 'e')
     ) thing
     where not exists (select from pg_depend where objid = thing.oid and deptype = 'e') order by turn`,
  );
  await tx.raw(things.map(({ drop }) => drop).join(";"));
}

/** The migrations that the database had when the backup was taken. */
function levelOf({ migrations: had, version }: Manifest, [first, ...later]: NamedMigration[]): NamedMigration[] {
  const old = first?.replaces && !had.includes(first.name) ? first.replaces : undefined;
  if (old) refuseOlder("the backup", had, old);
  const known = old?.chain ?? [...(first ? [first] : []), ...later];
  const unknown = had.filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0)
    throw new Error(
      `the backup was taken by a newer version of the service, ${version}: ${unknown.join(", ")} is unknown here`,
    );
  return known.filter(({ name }) => had.includes(name));
}

async function refuseOtherTables(tx: Knex, { tables }: Manifest): Promise<void> {
  const found = await rowsOf<Pick<TableRows, "name" | "columns">>(tx, TABLES);
  const text = (list: typeof found) => list.map(({ name, columns }) => `${name} (${columns.join(", ")})`).join("\n");
  if (text(found) !== text(tables)) throw new Error("its tables are not those of the migrations that it names");
}

/**
 * Drops foreign keys and triggers, as the owner of the tables may, while the tables are loaded one after the other.
 * Returns a function that creates them again, which checks all references.
 */
async function withoutChecks(tx: Knex): Promise<() => Promise<void>> {
  const keys = await rowsOf<{ drop: string; add: string }>(
    tx,
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  );
  const triggers = await rowsOf<{ table: string }>(
    tx,
    `select distinct tgrelid::regclass::text as table from pg_trigger join pg_class c on c.oid = tgrelid
     where not tgisinternal and c.relnamespace = 'public'::regnamespace`,
  );
  const turn = (state: "disable" | "enable") =>
    triggers.map(({ table }) => `alter table ${table} ${state} trigger user`).join(";");
  await tx.raw([...keys.map(({ drop }) => drop), turn("disable")].join(";"));
  return async () => {
    for (const { add } of keys) await tx.raw(add);
    await tx.raw(turn("enable"));
  };
}

async function load(client: pg.Client, table: TableRows, rows: AsyncIterable<Buffer>): Promise<void> {
  const columns = table.columns.map(pg.escapeIdentifier).join(", ");
  const stream = client.query(copyFrom(`copy ${pg.escapeIdentifier(table.name)} (${columns}) from stdin`));
  await pipeline(rows, stream);
  if (stream.rowCount !== table.rows)
    throw new Error(`${table.name} took ${stream.rowCount} rows, the backup has ${table.rows}`);
}
