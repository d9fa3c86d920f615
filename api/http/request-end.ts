import type { Request, RequestHandler, Response } from "express";
import { logRequest, type RequestEnd } from "../../src/log.js";
import { durations } from "../../src/monitoring/metrics.js";
import { placeInTrace } from "../../src/monitoring/tracing.js";

/** What is asked every few seconds, by whoever watches the process. */
const probes = new Set(["/api/health", "/api/ready"]);

const measure = durations("http_server_request_duration_seconds", "Requests by method, route and status");

/**
 * Measures each request, and logs one line at its end: which route, how it ended, how long it took, who asked. Nothing
 * of what the caller typed: no path, query, header or body.
 */
export const requestEnd: RequestHandler = (req, res, next) => {
  const began = performance.now();
  const traceId = placeInTrace()?.traceId;
  res.on("close", () => {
    const ms = performance.now() - began;
    const route = routeOf(req);
    // How long a stream was open says nothing of how fast it was.
    if (!res.locals.isStream) measure(ms / 1_000, { method: req.method, route, status: res.statusCode });
    write(req, res, { route, ms, traceId });
  });
  next();
};

/** As it is declared, without the ids and codes of the path; the pages of the console are declared as patterns. */
function routeOf({ route }: Request): string {
  if (!route) return "none";
  return typeof route.path === "string" ? route.path : "pages";
}

/** What is not in the response. */
type End = Pick<RequestEnd, "route" | "ms" | "traceId">;

function write({ method }: Request, res: Response, { route, ms, traceId }: End): void {
  const { requestId, session, tokenName } = res.locals;
  logRequest(probes.has(route) ? "debug" : "info", {
    method,
    route,
    status: res.statusCode,
    ms: Math.round(ms * 10) / 10,
    requestId,
    user: session?.username,
    token: tokenName,
    workflowId: res.getHeader("X-Service-Workflow-Id")?.toString(),
    traceId,
    // The caller left, or the server stopped, before the answer was sent.
    aborted: !res.writableFinished,
  });
}
