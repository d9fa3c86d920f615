import type { ErrorRequestHandler } from "express";
import { brokenConstraint, databaseUnavailable, sqlState } from "../src/db.js";
import { log } from "../src/log.js";
import {
  ConstraintViolation,
  DatabaseUnavailable,
  DomainError,
  QuantityOutOfRange,
} from "../src/problem.js";

/** What the caller is told of an error of the database; any other error as it is. */
function refusalOf(error: unknown, path: string): unknown {
  if (databaseUnavailable(error)) return DatabaseUnavailable();
  const state = sqlState(error);
  if (state === "22003") return QuantityOutOfRange();
  if (!state?.startsWith("23") || !path.startsWith("/api/admin/")) return error;
  return ConstraintViolation({}, { constraint: brokenConstraint(error) });
}

/** Turns what a route threw into the spec's bodies; what nobody expected is logged and answered without its cause. */
export const answerError: ErrorRequestHandler = (error, req, res, _next) => {
  const refusal = refusalOf(error, req.path);
  if (res.headersSent) return void res.destroy();
  if (refusal instanceof DomainError) {
    if (refusal.status === 503 || refusal.kind === "lock_held")
      res.setHeader("Retry-After", "1");
    if (refusal.kind === "url_reuse_tombstone")
      res.setHeader(
        "X-Service-URL-Reuse-Tombstone",
        String(refusal.body.tombstone_id),
      );
    return void res.status(refusal.status).json(refusal.body);
  }
  const status = Number((error as { status?: unknown }).status);
  if (status >= 400 && status < 500)
    return void res.status(status).json({ error: "Bad request" });
  log.error(
    {
      err: error,
      requestId: res.locals.requestId,
      user: res.locals.session?.username,
      route: `${req.method} ${req.path}`,
    },
    "request failed",
  );
  res.status(500).json({ error: "Internal server error" });
};
