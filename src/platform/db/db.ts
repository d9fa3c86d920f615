import pg from "pg";
import { clearCaches } from "../concurrency/ttl-cache.js";
import { log } from "../log.js";
import { Client, type DataRow } from "./client.js";
import { JsonRows } from "./json-rows.js";
import type { Values } from "./parameters.js";
import { type Answer, Pipeline, PipelineBatcher, type QueryTarget, type RowSink } from "./pipeline.js";
import { checkRows, type RowOf, type Shape } from "./shape.js";

/** Runs SQL, on the pool (a read) or inside a transaction. */
export interface Sql {
  /** All rows of the statement. */
  rows<S extends Shape>(shape: S, text: string, values?: Values): Promise<RowOf<S>[]>;
  /** The first row, or undefined. */
  row<S extends Shape>(shape: S, text: string, values?: Values): Promise<RowOf<S> | undefined>;
  /** Runs the statement; returns the number of rows touched. */
  run(text: string, values?: Values): Promise<number>;
}

/** Runs statements whose result is not needed. */
export interface Effects {
  run(text: string, values?: Values): Promise<unknown>;
}

/** SQL of a transaction. */
export interface TxSql extends Sql {
  /** Runs without waiting, before the next statement on the same pipeline; if it fails, the transaction fails. */
  later: Effects;
  /**
   * Statements that are sent together and run in this order: where one of them locks, this is the order of the locks.
   */
  inOrder: <T extends readonly unknown[]>(asked: [...T]) => Promise<{ [P in keyof T]: Awaited<T[P]> }>;
}

// Values stay as Postgres sends them: a Date would lose microseconds, a float cents.
const { builtins } = pg.types;
/** `date[]` and `text[]`, which pg has no names for. */
const [DATES, TEXTS] = [1182, 1009] as unknown as [typeof builtins.DATE, typeof builtins.TEXT];
pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.DATE, String);
pg.types.setTypeParser(DATES, pg.types.getTypeParser(TEXTS));
pg.types.setTypeParser(builtins.NUMERIC, String);
pg.types.setTypeParser(builtins.TIMESTAMPTZ, isoTime);

/** `2026-05-06 12:00:00.123456+00` as `2026-05-06T12:00:00.123456+00:00`. The session's time zone is UTC. */
function isoTime(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}+00:00`;
}

let pool: pg.Pool | undefined;

/** Whether rows are validated against their shape. Tests set it, also for the processes that they start. */
let validatesRows = false;

/** A process that hangs in the middle of a transaction keeps others from its rows no longer than this. */
const IDLE_LIMIT = "set idle_in_transaction_session_timeout = '20s'";
/** The longest wait for a lock and for a statement: meanwhile others lack the connection. */
const LIMITS = `set lock_timeout = '10s'; set statement_timeout = '30s'; ${IDLE_LIMIT}`;
/**
 * Those of a worker: an activity that meets a locked row continues as one that the UI shows (database-activities.ts).
 */
export const WORKER_LIMITS = `set lock_timeout = '4s'; set statement_timeout = '30s'; ${IDLE_LIMIT}`;

/** Lifts these limits for the rest of a transaction that may take long. */
export const WITHOUT_LIMITS =
  "select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)";

/**
 * Opens this process's pool. Nothing is connected before the first statement. `timeZone` is the company's
 * (src/platform/db/days.ts); the session's own is always UTC.
 */
export function connect(url: string, size = 16, timeZone = "UTC", limits = LIMITS): void {
  validatesRows = process.env.TEST_VALIDATE_ROWS === "true";
  const settings = `
    set timezone = 'UTC'; set company.time_zone = ${pg.escapeLiteral(timeZone)};
    set plan_cache_mode = force_generic_plan; ${limits}`;
  pool = new pg.Pool({
    Client,
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    application_name: "warehouse",
    // Not as the startup parameter `options`, which PgBouncer refuses.
    onConnect: async (client) => void (await client.query(settings)),
  });
  // The pool replaces a connection that breaks while idle; without a listener the error would end the process.
  pool.on("error", (err) => log.warn({ err }, "idle database connection lost"));
  // The same for a connection that breaks inside a transaction; there the statement fails as well.
  pool.on("connect", (client) => client.on("error", () => {}));
}

export async function disconnect(): Promise<void> {
  const closing = pool;
  pool = undefined;
  await closing?.end();
  clearCaches();
}

function open(): pg.Pool {
  if (!pool) throw new Error("connect() was not called");
  return pool;
}

/** How the pool of this process is used; for its metrics. */
export const poolUse = () => {
  const { totalCount = 0, idleCount = 0, waitingCount = 0, options } = pool ?? {};
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount, size: options?.max ?? 0 };
};

function rowsOf<S extends Shape>(shape: S, text: string, { rows, columns }: Answer): RowOf<S>[] {
  if (validatesRows) checkRows(shape, text, columns, rows);
  return rows as RowOf<S>[];
}

/** `ask` runs inside the statement's one promise: each further one costs as much as reading a row. */
const sqlOf = (ask: (text: string, values?: Values) => Promise<Answer>): Sql => {
  const answered = async <T>(text: string, values: Values | undefined, read: (answer: Answer) => T): Promise<T> => {
    try {
      return read(await ask(text, values));
    } catch (error) {
      // The stack of the caller, not of where the answer was read.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  };
  return {
    rows: (shape, text, values) => answered(text, values, (answer) => rowsOf(shape, text, answer)),
    row: (shape, text, values) => answered(text, values, (answer) => rowsOf(shape, text, answer)[0]),
    run: (text, values) => answered(text, values, ({ count }) => count),
  };
};

/** Sends a pipeline over a connection of the pool; a connection on which it fails is not used again. */
function send(pipeline: Pipeline): void {
  (open() as QueryTarget).query(pipeline, undefined, (error) => {
    if (error) pipeline.fail(error);
  });
}

function askPrepared(text: string, values?: Values, sink?: RowSink): Promise<Answer> {
  const pipeline = new Pipeline();
  const answer = pipeline.ask(text, values, sink);
  send(pipeline);
  return answer;
}

async function askUnprepared(text: string, values: Values, sink?: RowSink): Promise<Answer> {
  const pipeline = new Pipeline();
  const asked = Promise.all([
    pipeline.ask("begin"),
    pipeline.ask("set local plan_cache_mode = force_custom_plan"),
    pipeline.askUnprepared(text, values, sink),
    pipeline.ask("commit"),
  ]);
  send(pipeline);
  const [, , answer] = await asked;
  return answer;
}

/** Reads outside a transaction. */
export const db: Sql = sqlOf(askPrepared);

/** Reads that need no answer of each other, sent together: each round trip costs as much as a short statement. */
export async function together<T extends readonly unknown[]>(
  ask: (sql: Sql) => { [P in keyof T]: Promise<T[P]> },
): Promise<T> {
  const pipeline = new Pipeline();
  const answers = Promise.all(ask(sqlOf((text, values) => pipeline.ask(text, values))));
  send(pipeline);
  return answers as Promise<unknown> as Promise<T>;
}

/** A read that is planned for its values: SQL built at run time, or SQL whose best plan depends on the values. */
export const unprepared = async <S extends Shape>(shape: S, text: string, values: Values): Promise<RowOf<S>[]> =>
  rowsOf(shape, text, await askUnprepared(text, values));

/** A read whose rows are taken one after the other, as Postgres sends them. */
export async function eachRow(take: (row: DataRow) => void, text: string, values: Values): Promise<void> {
  await askPrepared(text, values, { reader: () => take });
}

/** Rows as JSON behind `opening`, without reading their values: for an answer that has them as they are. */
export async function jsonRows(
  shape: Shape,
  text: string,
  values: Values,
  opening: string,
  isPrepared: boolean,
): Promise<JsonRows> {
  const rows = new JsonRows(opening);
  const { columns } = await (isPrepared ? askPrepared : askUnprepared)(text, values, rows);
  if (validatesRows) checkRows(shape, text, columns, JSON.parse(`[${rows.text}]`));
  return rows;
}

/** The SQLSTATE of statements after one that failed, in the same transaction. */
const ABORTED = "25P02";

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. `last` writes what depends on
 * the result, on the same pipeline as the commit: when that statement fails, Postgres rolls back instead.
 */
export async function transaction<T>(
  work: (tx: TxSql) => Promise<T>,
  last?: (tx: Sql, result: T) => Promise<unknown>,
): Promise<T> {
  const client = await open().connect();
  let broken: Error | undefined;
  let over = false;
  const batcher = new PipelineBatcher(client as QueryTarget);
  // A statement that is sent late, next to another one that failed, must not run after the rollback.
  const sql = sqlOf((text, values) => {
    if (over) throw new Error("the transaction is over");
    return batcher.ask(text, values);
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
    const begun = batcher.ask("begin");
    const [result] = await Promise.all([work({ later, inOrder: (asked) => Promise.all(asked), ...sql }), begun]);
    const ended = [last?.(sql, result), batcher.ask("commit")];
    await Promise.all([...unawaited, ...ended]);
    return result;
  } catch (error) {
    over = true;
    await batcher.settled();
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

/** Whether Postgres cancelled a statement because it waited for a lock, or ran, too long, or to undo a deadlock. */
export const databaseBusy = (error: unknown): boolean => ["55P03", "57014", "40P01"].includes(sqlState(error) ?? "");

/** The name of the constraint that a database error violated, else undefined. */
export function brokenConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** Why Postgres refused a value or row: for keys its detail, which names the columns, otherwise its message. */
export function databaseComplaint(error: unknown): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  const ofKey = error.code === "23505" || error.code === "23503";
  return (ofKey && error.detail) || error.message;
}

const unavailableCodes = new Set([
  // Its transaction waited too long for the next statement (`IDLE_LIMIT`).
  "25P03",
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
  // It is a standby now, or for now.
  "25006",
  "53300",
  // Its disk or memory is full, or a file cannot be read.
  "53100",
  "53200",
  "58030",
]);

/** Whether the error says that Postgres cannot be reached or cannot work, rather than that it refused a statement. */
export function databaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: string; syscall?: string };
  return (
    syscall === "connect" ||
    (code !== undefined && unavailableCodes.has(code)) ||
    /Connection terminated|not queryable|connection timeout|timeout exceeded when trying to connect/i.test(
      error.message,
    )
  );
}
