import { hostname } from "node:os";
import { pino } from "pino";

const secret = ["authorization", "cookie", '["set-cookie"]', "password", "token", '["x-wms-token"]'];
/** Secrets are redacted at the top and up to three levels down, as in `req.headers.authorization`. */
const depths = ["", "*", "*.*", "*.*.*"];
const within = (depth: string, name: string) => (depth && !name.startsWith("[") ? `${depth}.${name}` : depth + name);

const level = process.env.LOG_LEVEL || "info";

/** Name, message, code and stack of an error, without other properties: a database error has its whole connection. */
function describe(err: unknown): unknown {
  if (!(err instanceof Error)) return err;
  const { name, message, stack } = err;
  const code = "code" in err ? err.code : undefined;
  return { name, message, code, stack };
}

/** This much is buffered until the disk has room again; more is lost. */
const MOST_WAITING = 1024 * 1024;

/** A full disk ends the log and nothing else. */
function stdout() {
  const destination = pino.destination({ dest: 1, sync: true, maxLength: MOST_WAITING });
  return destination.on("error", () => {});
}
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

/** The log of this process: JSON lines on stdout. An unknown LOG_LEVEL is reported by the configuration, not here. */
export const log = pino(
  {
    level: level in pino.levels.values || level === "silent" ? level : "info",
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describe },
    redact: depths.flatMap((depth) => secret.map((name) => within(depth, name))),
  },
  stdout(),
);

/** The stream for the lines of requests, several in one write. */
export const requestLines = stdout();

/** The fields that pino adds to each line. */
const ORIGIN = JSON.stringify({ pid: process.pid, hostname: hostname() }).slice(1, -1);

/** The fields of a request's line. */
export interface RequestEnd {
  level: "debug" | "info";
  /** When it ended, in milliseconds since 1970. */
  at: number;
  method: string;
  route: string;
  status: number;
  ms: number;
  requestId?: string;
  user?: string;
  token?: string;
  workflowId?: string;
  traceId?: string;
  aborted: boolean;
}

/** A name from a caller or an admin may contain anything. */
const named = (name: string, text: string | undefined) =>
  text === undefined ? "" : `,"${name}":${JSON.stringify(text)}`;
const given = (name: string, text: string | undefined) => (text === undefined ? "" : `,"${name}":"${text}"`);

let latest = 0;
let iso = "";
/** Of requests that ended in the same millisecond the time is formatted once: it takes a third of a line. */
function isoOf(at: number): string {
  if (at !== latest) {
    latest = at;
    iso = new Date(at).toISOString();
  }
  return iso;
}

/**
 * The line of a request, next to `log` on stdout and in pino's format; empty below the log's level. There is one for
 * each request, so nothing is redacted (that takes longer than most requests' own code), and callers put no secret in.
 * It is assembled by hand: with JSON.stringify for all of it, a lookup took 4 % more of the API's time.
 */
export function requestLine(end: RequestEnd): string {
  const { level, at, method, route, status, ms, requestId, user, token, workflowId, traceId, aborted } = end;
  if (!log.isLevelEnabled(level)) return "";
  return (
    `{"level":${pino.levels.values[level]},"time":"${isoOf(at)}",${ORIGIN},` +
    `"method":"${method}","route":"${route}","status":${status},"ms":${Math.round(ms * 10) / 10}` +
    `${given("requestId", requestId)}${named("user", user)}${named("token", token)}` +
    `${named("workflowId", workflowId)}${given("traceId", traceId)}${aborted ? ',"aborted":true' : ""}` +
    ',"msg":"request"}\n'
  );
}
