import knex, { type Knex } from "knex";
import type pg from "pg";
import { grantTo } from "./application-role.js";

export type NamedMigration = { name: string; migration: Knex.Migration };

/** `unique nulls not distinct`, which the one row per (item, bin, lot) rests on, came with PostgreSQL 15. */
const OLDEST_POSTGRES = 150_000;

/**
 * Brings the database to the end of the list, and grants an application role what it needs there. Any number of
 * processes may call it at once. Returns the names that ran.
 */
export function migrate(
  databaseUrl: string,
  migrations: NamedMigration[],
  applicationRole?: string,
): Promise<string[]> {
  return underLock(databaseUrl, migrations, async (migrator, held) => {
    const ran = await migrator.latest();
    if (applicationRole) await grantTo(held, applicationRole);
    return ran;
  });
}

/** Whoever holds this advisory lock changes the schema; who holds it shared keeps it as it is. */
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
        await tx.migrate.latest({ migrationSource: inOrder(migrations) });
      });
    },
    { connection },
  );
}

/** Reverts every migration; all data are lost. Returns the names that were reverted. */
export function rollbackAll(databaseUrl: string, migrations: NamedMigration[]): Promise<string[]> {
  return underLock(databaseUrl, migrations, (migrator) => migrator.rollback(undefined, true));
}

/**
 * The migration lock of knex is a row, which refuses instead of waiting, and stays after a kill. An advisory lock
 * waits, and is released with its connection; while it is held, the row can safely be cleared.
 */
async function underLock(
  databaseUrl: string,
  migrations: NamedMigration[],
  run: (migrator: Knex.Migrator, held: Knex) => Promise<[number, string[]]>,
): Promise<string[]> {
  const db = knex({
    client: "pg",
    connection: databaseUrl,
    pool: { min: 0, max: 3 },
    migrations: { migrationSource: inOrder(migrations) },
  });
  try {
    return await db.transaction(async (held) => {
      await held.raw(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await refuseOldServer(held);
      await db.migrate.forceFreeMigrationsLock();
      const [, names] = await run(db.migrate, held);
      return names;
    });
  } finally {
    await db.destroy();
  }
}

const inOrder = (migrations: NamedMigration[]): Knex.MigrationSource<NamedMigration> => ({
  getMigrations: async () => migrations,
  getMigrationName: ({ name }) => name,
  getMigration: async ({ migration }) => migration,
});

async function refuseOldServer(db: Knex): Promise<void> {
  const { rows } = await db.raw<{ rows: { number: number; text: string }[] }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as text",
  );
  const [version] = rows;
  if (version && version.number < OLDEST_POSTGRES)
    throw new Error(`PostgreSQL 15 or later is needed; DATABASE_URL leads to ${version.text}`);
}
