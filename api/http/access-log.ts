import type { Request, RequestHandler, Response } from "express";
import { log, requestLog } from "../../src/log.js";

/** What is asked every few seconds, by whoever watches the process. */
const probes = new Set(["/api/health", "/api/ready"]);

/** The route of a request as it is declared, without the ids and codes of its path; undefined where none fits. */
const patternOf = (req: Request): string | undefined => req.route?.path;

/**
 * Logs one line at the end of each request: which route, how it ended, how long it took, who asked. Nothing of what the
 * caller typed: no path, query, header or body. Probes are logged at debug level.
 */
export const accessLog: RequestHandler = (req, res, next) => {
  const began = performance.now();
  res.once("close", () => write(req, res, performance.now() - began));
  next();
};

function write(req: Request, res: Response, ms: number): void {
  const route = patternOf(req);
  const level = route && probes.has(route) ? "debug" : "info";
  if (!log.isLevelEnabled(level)) return;
  const { requestId, session, tokenName } = res.locals;
  requestLog[level](
    {
      method: req.method,
      route: route ?? "none",
      status: res.statusCode,
      ms: Math.round(ms * 10) / 10,
      requestId,
      user: session?.username,
      token: tokenName,
      workflowId: res.getHeader("X-Service-Workflow-Id"),
      // The caller left, or the server stopped, before the answer was sent.
      ...(!res.writableFinished && { aborted: true }),
    },
    "request",
  );
}
