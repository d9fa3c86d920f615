import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { directUrl } from "../config/config.js";
import { urlsOf } from "../database-hosts.js";
import { log } from "../log.js";
import { Client } from "./client.js";
import { connectionFault } from "./connection-fault.js";

/** The URLs of a process's database, as config.ts has them. */
interface DatabaseAddress {
  databaseUrl: string;
  databaseDirectUrl?: string | undefined;
}

const ANSWER_WITHIN_MS = 5_000;
const WAIT_MS = 60_000;
const ASK_EVERY_MS = 1_000;

/** Why there is no connection by either URL, as a sentence that says what to do; undefined when there is one. */
export async function databaseFault(place: DatabaseAddress): Promise<string | undefined> {
  const { databaseUrl, databaseDirectUrl } = place;
  const faults = [await faultOf(databaseUrl, "DATABASE_URL")];
  if (databaseDirectUrl) faults.push(await faultOf(databaseDirectUrl, "DATABASE_DIRECT_URL"));
  return faults.find(Boolean);
}

const faultOf = (url: string, variable: string) =>
  connected(url, async () => undefined).catch((error) => {
    const fault = connectionFault(error, url, variable);
    if (fault) return fault;
    throw error;
  });

/** Tries each host of the URL. */
async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const [, ...others] = urlsOf(url);
  let reached = connectedOnce(url, work);
  for (const _ of others) reached = reached.catch(() => connectedOnce(url, work));
  return reached;
}

async function connectedOnce<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on("error", () => {});
  await client.connect();
  return work(client).finally(() => client.end());
}

/** For commands and migrations: exits with 1 when the database cannot be connected to, and says why. */
export async function reachedOrExit(place: DatabaseAddress): Promise<void> {
  const fault = await databaseFault(place);
  if (!fault) return;
  console.error(fault);
  process.exit(1);
}

/**
 * For API and workers: waits at most a minute until there is a connection to the database and it has tables. Then it
 * exits with 1 and says why; its supervisor starts the process again.
 */
export async function migratedOrExit(place: DatabaseAddress): Promise<void> {
  const giveUpAt = Date.now() + WAIT_MS;
  let said: string | undefined;
  for (;;) {
    const fault = (await databaseFault(place)) ?? (await tablesFault(place));
    if (!fault) return;
    if (Date.now() > giveUpAt) {
      console.error(fault);
      process.exit(1);
    }
    if (fault !== said) log.warn(`waiting for the database: ${fault}`);
    said = fault;
    await pause(ASK_EVERY_MS);
  }
}

async function tablesFault(place: DatabaseAddress): Promise<string | undefined> {
  const found = await connected(directUrl(place), (client) =>
    client.query<{ table: string | null }>("select to_regclass('public.knex_migrations') as table"),
  );
  return found.rows[0]?.table
    ? undefined
    : "The database has no tables of this service yet. Make them: npm run migrate.";
}
