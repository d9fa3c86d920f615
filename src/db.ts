import pg from "pg";
import { forgetAll } from "./cache.js";
import { log } from "./log.js";
import { type Answer, type Carrier, Trip, Trips } from "./trip.js";

/** SQL runs on the pool (a read) or inside a command's transaction; both speak this. */
export interface Sql {
  /** All rows of the statement. */
  rows<T>(text: string, values?: unknown[]): Promise<T[]>;
  /** The first row, or undefined. */
  row<T>(text: string, values?: unknown[]): Promise<T | undefined>;
  /** For its effect; gives the number of rows touched. */
  run(text: string, values?: unknown[]): Promise<number>;
}

/** What takes statements for their effect alone. */
export interface Effects {
  run(text: string, values?: unknown[]): Promise<unknown>;
}

/** SQL of a transaction. */
export interface TxSql extends Sql {
  /** Does not wait: what is asked next runs behind it, on the same trip, and its failure is that of the transaction. */
  later: Effects;
}

// Values keep what Postgres says: no Date that loses microseconds, no float that loses cents.
const { builtins } = pg.types;
pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.DATE, String);
pg.types.setTypeParser(builtins.NUMERIC, String);
pg.types.setTypeParser(builtins.TIMESTAMPTZ, isoTime);

/** `2026-05-06 12:00:00.123456+00` as `2026-05-06T12:00:00.123456+00:00`. The session's time zone is UTC. */
function isoTime(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}+00:00`;
}

let pool: pg.Pool | undefined;

/**
 * Opens this process's pool. Nothing is connected before the first statement. `timeZone` is the company's (src/days.ts);
 * the session's own is always UTC.
 */
export function connect(url: string, size = 16, timeZone = "UTC"): void {
  pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    application_name: "warehouse",
    options: `-c timezone=UTC -c company.time_zone=${timeZone} -c plan_cache_mode=force_generic_plan`,
  });
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on("error", (err) => log.warn({ err }, "idle database connection lost"));
  // So would one that breaks inside a transaction, whose statement fails anyway and tells.
  pool.on("connect", (client) => client.on("error", () => {}));
}

export async function disconnect(): Promise<void> {
  const closing = pool;
  pool = undefined;
  await closing?.end();
  forgetAll();
}

function open(): pg.Pool {
  if (!pool) throw new Error("connect() was not called");
  return pool;
}

const sqlOf = (
  ask: (text: string, values?: unknown[]) => Promise<Answer>,
): Sql => ({
  rows: async <T>(text: string, values?: unknown[]) =>
    (await ask(text, values)).rows as T[],
  row: async <T>(text: string, values?: unknown[]) =>
    (await ask(text, values)).rows[0] as T | undefined,
  run: async (text, values) => (await ask(text, values)).count,
});

/** Sends a trip over any connection; one on which it fails is not used again. */
function send(trip: Trip): void {
  (open() as Carrier).query(trip, undefined, (error) => {
    if (error) trip.fail(error);
  });
}

/** Reads outside a transaction. */
export const db: Sql = sqlOf((text, values) => {
  const trip = new Trip();
  const answer = trip.ask(text, values);
  send(trip);
  return answer;
});

/** A read that is planned for its values: a text put together at run time, or one whose best plan depends on them. */
export async function unprepared<T>(
  text: string,
  values: readonly unknown[],
): Promise<T[]> {
  const trip = new Trip();
  const asked = Promise.all([
    trip.ask("begin"),
    trip.ask("set local plan_cache_mode = force_custom_plan"),
    trip.askUnprepared(text, [...values]),
    trip.ask("commit"),
  ]);
  send(trip);
  const [, , { rows }] = await asked;
  return rows as T[];
}

/** The SQLSTATE of what is asked behind a statement that failed. */
const ABORTED = "25P02";

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. `last` writes what only the result
 * tells, on the same trip as the commit: when that statement fails, Postgres rolls back instead.
 */
export async function transaction<T>(
  work: (tx: TxSql) => Promise<T>,
  last?: (tx: Sql, result: T) => Promise<unknown>,
): Promise<T> {
  const client = await open().connect();
  let broken: Error | undefined;
  let over = false;
  const trips = new Trips(client as Carrier);
  // A statement that comes late, beside another one that failed, must not run behind the rollback.
  const sql = sqlOf(async (text, values) => {
    if (over) throw new Error("the transaction is over");
    return trips.ask(text, values);
  });
  const unawaited: Promise<unknown>[] = [];
  const later: Effects = {
    run: async (text, values) => {
      const done = sql.run(text, values);
      done.catch(() => {});
      unawaited.push(done);
    },
  };
  try {
    const begun = trips.ask("begin");
    const [result] = await Promise.all([work({ ...sql, later }), begun]);
    const ended = [last?.(sql, result), trips.ask("commit")];
    await Promise.all([...unawaited, ...ended]);
    return result;
  } catch (error) {
    over = true;
    trips.depart();
    await client.query("rollback").catch((e: Error) => (broken = e));
    if (sqlState(error) === ABORTED) await Promise.all(unawaited);
    throw error;
  } finally {
    over = true;
    client.release(broken);
  }
}

/** The SQLSTATE of a database error, else undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the constraint that a database error broke, else undefined. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** What Postgres says of a value or row that it refused: the detail names the columns of a key, the message anything else. */
export function databaseComplaint(error: unknown): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  const ofKey = error.code === "23505" || error.code === "23503";
  return (ofKey && error.detail) || error.message;
}

const outOfReach = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "57P01",
  "57P02",
  "57P03",
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  "53300",
]);

/** Whether the error says that Postgres cannot be reached, rather than that it refused a statement. */
export function databaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: string; syscall?: string };
  return (
    syscall === "connect" ||
    (code !== undefined && outOfReach.has(code)) ||
    /Connection terminated|not queryable|connection timeout|timeout exceeded when trying to connect/i.test(
      error.message,
    )
  );
}
