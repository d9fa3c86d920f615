import knex, { type Knex } from "knex";

type NamedMigration = { name: string; migration: Knex.Migration };

/** `unique nulls not distinct`, which the one row per (item, bin, lot) rests on, came with PostgreSQL 15. */
const OLDEST_POSTGRES = 150_000;

/** Brings the database to the end of the list. Any number of processes may call it at once. Returns the names that ran. */
export function migrate(
  databaseUrl: string,
  migrations: NamedMigration[],
): Promise<string[]> {
  return alone(databaseUrl, migrations, (migrator) => migrator.latest());
}

/** Takes every migration back, data included. Returns the names that were taken back. */
export function rollbackAll(
  databaseUrl: string,
  migrations: NamedMigration[],
): Promise<string[]> {
  return alone(databaseUrl, migrations, (migrator) =>
    migrator.rollback(undefined, true),
  );
}

/**
 * knex marks "somebody migrates" in a table, and refuses instead of waiting; after a kill the mark stays for ever.
 * An advisory lock waits and dies with its connection. Whoever holds it may therefore clear the mark.
 */
async function alone(
  databaseUrl: string,
  migrations: NamedMigration[],
  run: (migrator: Knex.Migrator) => Promise<[number, string[]]>,
): Promise<string[]> {
  const db = knex({
    client: "pg",
    connection: databaseUrl,
    pool: { min: 0, max: 3 },
    migrations: { migrationSource: inOrder(migrations) },
  });
  try {
    return await db.transaction(async (held) => {
      await held.raw(
        "select pg_advisory_xact_lock(hashtextextended('schema migration', 0))",
      );
      await refuseOldServer(held);
      await db.migrate.forceFreeMigrationsLock();
      const [, names] = await run(db.migrate);
      return names;
    });
  } finally {
    await db.destroy();
  }
}

const inOrder = (
  migrations: NamedMigration[],
): Knex.MigrationSource<NamedMigration> => ({
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
    throw new Error(
      `PostgreSQL 15 or later is needed; DATABASE_URL leads to ${version.text}`,
    );
}
