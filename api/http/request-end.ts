import type { Request, RequestHandler } from "express";
import { type RequestEnd, requestLine, requestLines } from "../../src/platform/log.js";
import { recordDuration } from "../../src/platform/monitoring/request-durations.js";
import { currentSpan } from "../../src/platform/tracing/tracing.js";

/** Routes that monitoring requests every few seconds. */
const probes = new Set(["/api/health", "/api/ready"]);

/** Requests that have ended, and are not in metrics and log yet. */
let ended: (RequestEnd & { isStream?: boolean })[] = [];
/** Written once there are this many, or after this time: in a loop each costs a third of what it costs alone. */
const TOGETHER = 100;
const WITHIN_MS = 200;
let flushScheduled = false;

/** Counts the requests that have ended in the metrics, and writes their lines. */
export function flushRequests(): void {
  const all = ended;
  ended = [];
  let lines = "";
  for (const end of all) {
    const { method, route, status, ms, isStream } = end;
    // The duration of a stream says nothing about its speed.
    if (!isStream) recordDuration(method, route, status, ms / 1_000);
    lines += requestLine(end);
  }
  if (lines) requestLines.write(lines);
}
process.once("exit", flushRequests);

function scheduleFlush(): void {
  if (ended.length >= TOGETHER) flushRequests();
  if (flushScheduled) return;
  flushScheduled = true;
  setTimeout(() => {
    flushScheduled = false;
    flushRequests();
  }, WITHIN_MS).unref();
}

/**
 * Measures each request, and logs one line at its end: route, outcome, duration, user. Nothing that the caller typed:
 * no path, query, header or body.
 */
export const requestEnd: RequestHandler = (req, res, next) => {
  const began = performance.now();
  const traceId = currentSpan()?.traceId;
  res.on("close", () => {
    const route = routeOf(req);
    const { requestId, session, tokenName, isStream } = res.locals;
    ended.push({
      level: probes.has(route) ? "debug" : "info",
      at: Date.now(),
      method: req.method,
      route,
      status: res.statusCode,
      ms: performance.now() - began,
      requestId,
      user: session?.username,
      token: tokenName,
      workflowId: res.getHeader("X-Service-Workflow-Id")?.toString(),
      traceId,
      // The caller left, or the server stopped, before the answer was sent.
      aborted: !res.writableFinished,
      isStream,
    });
    scheduleFlush();
  });
  next();
};

/** The route as it is declared, without the ids and codes of the path; the console's pages are declared as patterns. */
function routeOf({ route }: Request): string {
  if (!route) return "none";
  return typeof route.path === "string" ? route.path : "pages";
}
