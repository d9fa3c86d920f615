import { setTimeout as pause } from "node:timers/promises";
import knex, { type Knex } from "knex";
import type pg from "pg";
import { urlOfPrimary } from "../database-hosts.js";
import { log } from "../log.js";
import { grantTo } from "./application-role.js";

export interface NamedMigration {
  name: string;
  migration: Pick<Knex.Migration, "up">;
  /** Set for a baseline: the release whose migrations it replaces. */
  replaces?: Replaced;
}

export interface Replaced {
  release: string;
  /** The last migration of that release: a database without it is older. */
  last: string;
  /** That release's migrations: the first creates its schema at once, the others lead to the baseline. */
  chain: NamedMigration[];
}

/** The database cannot be migrated by this release, and is unchanged; the message says why, and what to do. */
export class NotMigrated extends Error {
  override name = "NotMigrated";
}

/** PostgreSQL 15 introduced `unique nulls not distinct`, which the one row per (item, bin, lot) depends on. */
const OLDEST_POSTGRES = 150_000;

/**
 * Migrates the database to the end of the list, and grants an application role its rights (`grantTo`). Any number of
 * processes may call it at once, and others may work meanwhile. Returns the names that ran.
 */
export function migrate(
  databaseUrl: string,
  migrations: NamedMigration[],
  applicationRole?: string,
  retiresAudit?: boolean,
): Promise<string[]> {
  const db = knex({
    client: "pg",
    connection: urlOfPrimary(databaseUrl),
    pool: {
      ...{ min: 0, max: 3 },
      afterCreate: (connection: pg.Client, done: (error: Error | null) => void) =>
        connection.query(`set lock_timeout = ${WAIT_FOR_TABLE_MS}`, done),
    },
    // It would print each try; what ends it is thrown.
    log: { warn: () => {}, error: () => {} },
  });
  // The migration lock of knex is a row, which refuses instead of waiting, and stays after a kill. An advisory lock
  // waits, and is released with its connection; while it is held, the row can safely be cleared.
  return db
    .transaction(async (held) => {
      await held.raw("set local lock_timeout = 0");
      await held.raw(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await refuseOldServer(held);
      await db.migrate.forceFreeMigrationsLock();
      const ran = await whileOthersWork(() => latest(db, migrations));
      if (applicationRole) await grantTo(held, applicationRole, retiresAudit);
      return ran;
    })
    .finally(() => db.destroy());
}

/**
 * How long a migration waits for a table that others work on, who in turn wait behind it. Less than Postgres waits
 * before it looks for a deadlock (1 s), also where it waits for several: one that a migration is in ends with the
 * migration, not with somebody's scan. Before it tries again, all who waited behind it have to be done, or it meets
 * them.
 */
const WAIT_FOR_TABLE_MS = 300;
const TRY_AGAIN_AFTER_MS = 1_000;
/** SQLSTATEs of a migration that did not get a table, or was ended to undo a deadlock. Nothing of it is done then. */
const IN_USE = ["55P03", "40P01"];

async function whileOthersWork(run: () => Promise<string[]>): Promise<string[]> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!IN_USE.includes((error as { code?: string }).code ?? "")) throw error;
      log.info("tables are in use, the migration is tried again");
      await pause(TRY_AGAIN_AFTER_MS);
    }
  }
}

/** The advisory lock of schema changes; held shared, it keeps the schema as it is. */
export const MIGRATION_LOCK = "hashtextextended('schema migration', 0)";

/**
 * Runs `work` in one transaction of a connection, while nobody else migrates. `migrateTo` brings the schema to the end
 * of a list within that transaction.
 */
export async function inOneTransaction(
  connection: pg.Client,
  work: (tx: Knex.Transaction, migrateTo: (migrations: NamedMigration[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  const db = knex({ client: "pg" });
  await db.transaction(
    async (tx) => {
      await tx.raw(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await refuseOldServer(tx);
      await work(tx, async (migrations) => {
        await latest(tx, migrations);
      });
    },
    { connection },
  );
}

async function latest(db: Knex, migrations: NamedMigration[]): Promise<string[]> {
  const before = await reachBaseline(db, migrations[0]);
  const [, names] = await db.migrate.latest({ migrationSource: inOrder(migrations) });
  return [...before, ...names];
}

/** Migrates a database of the release that a baseline replaces to the beginning of the baseline. */
async function reachBaseline(db: Knex, first: NamedMigration | undefined): Promise<string[]> {
  const ran = await ranIn(db);
  if (!first?.replaces || ran.length === 0 || ran.includes(first.name)) return [];
  refuseOlder("The database", ran, first.replaces);
  const [, names] = await db.migrate.latest({ migrationSource: inOrder(first.replaces.chain) });
  await db.transaction(async (tx) => {
    await tx("knex_migrations").delete();
    await tx("knex_migrations").insert({ name: first.name, batch: 1, migration_time: new Date() });
  });
  return names;
}

/** Throws when fewer migrations ran than the release has that the baseline continues. */
export function refuseOlder(what: string, ran: string[], { release, last }: Replaced): void {
  if (!ran.includes(last))
    throw new NotMigrated(
      `${what} is of a release before ${release}. Bring it to ${release} first, then to this one ` +
        "(docs/operations.md, Upgrades)",
    );
}

async function ranIn(db: Knex): Promise<string[]> {
  if (!(await db.schema.hasTable("knex_migrations"))) return [];
  return db("knex_migrations").pluck("name");
}

const inOrder = (migrations: NamedMigration[]): Knex.MigrationSource<NamedMigration> => ({
  getMigrations: async () => migrations,
  getMigrationName: ({ name }) => name,
  // There are no down migrations: to go back, run the previous release on the schema of this one. knex requires a
  // function.
  getMigration: async ({ migration: { up } }) => ({ up, down: async () => {} }),
});

async function refuseOldServer(db: Knex): Promise<void> {
  const { rows } = await db.raw<{ rows: { number: number; text: string }[] }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as text",
  );
  const [version] = rows;
  if (version && version.number < OLDEST_POSTGRES)
    throw new NotMigrated(`PostgreSQL 15 or later is needed; DATABASE_URL leads to ${version.text}`);
}
