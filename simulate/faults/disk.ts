import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

/** A server that was killed is started again within these. */
const MOST_TRIES = 1_800;
const POLL_MS = 100;

/**
 * For a while every flush of a Postgres to its disk takes so many milliseconds longer (100 at most), which all commits
 * wait for: by its own `commit_delay`, which waits before a flush and holds the lock on the log meanwhile.
 */
export async function slowDisk(databaseUrl: string, lateMs: number, forMs: number): Promise<void> {
  // Also when nobody else commits.
  await set(databaseUrl, "commit_siblings = 0", `commit_delay = ${lateMs * 1000}`);
  await pause(forMs);
  await set(databaseUrl, "commit_delay = 0");
}

/** Asks again where the server is just being started again. */
async function set(databaseUrl: string, ...settings: string[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client(databaseUrl);
    client.on("error", () => {});
    try {
      await client.connect();
      for (const setting of settings) await client.query(`alter system set ${setting}`);
      await client.query("select pg_reload_conf()");
      return;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await pause(POLL_MS);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
