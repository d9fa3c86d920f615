import type { ErrorRequestHandler } from "express";
import { MCP_PATH } from "../src/auth/oauth/audience.js";
import { StepUpRequired } from "../src/auth/problems.js";
import { brokenConstraint, databaseBusy, databaseUnavailable, poolUse, sqlState } from "../src/platform/db/db.js";
import { refusedValue } from "../src/platform/db/refused-value.js";
import { log } from "../src/platform/log.js";
import {
  ConstraintViolation,
  DatabaseBusy,
  DatabaseUnavailable,
  DomainError,
  validationError,
} from "../src/platform/problem.js";
import { stepUpHeader } from "./auth/check-step-up.js";
import { dispatchRefusal } from "./auth/dispatch-authentication.js";
import { authenticateHeader } from "./auth/oauth/addresses.js";
import type { AppOptions } from "./http/options.js";
import { noteRefusal } from "./http/security-log.js";
import { inboundRefusal, isInbound } from "./inbound/authentication.js";

/** The problem that answers an error of the database; any other error as it is. */
function refusalOf(error: unknown, path: string): unknown {
  if (databaseUnavailable(error)) {
    log.warn({ err: error, path, pool: poolUse() }, "the database was not reached");
    return DatabaseUnavailable();
  }
  if (databaseBusy(error)) {
    log.warn({ err: error, path }, "a statement was given up");
    return DatabaseBusy();
  }
  // An error of Express, for an id in the path such as %E0%A4%A.
  if (error instanceof URIError)
    return validationError([{ type: "value_error", loc: [], msg: "The path cannot be decoded" }]);
  const refused = refusedValue(error);
  if (refused) return isInbound(path) ? inboundRefusal(refused) : refused;
  const state = sqlState(error);
  if (!state?.startsWith("23") || !path.startsWith("/api/admin/")) return error;
  return ConstraintViolation({}, { constraint: brokenConstraint(error) });
}

/** The answer to an error that a route threw. An unexpected error is logged, and its cause is not shown. */
export const answerError =
  (options: AppOptions): ErrorRequestHandler =>
  (error, req, res, _next) => {
    const refusal = dispatchRefusal(refusalOf(error, req.path), req);
    if (refusal instanceof DomainError) noteRefusal(refusal, req, res);
    if (res.headersSent) return void res.destroy();
    if (refusal instanceof DomainError) {
      const { status, kind, retryAfter = 1 } = refusal;
      // Programs learn by it how they are to sign in (RFC 6750, RFC 9728).
      if (status === 401 && req.path === MCP_PATH) res.setHeader("WWW-Authenticate", authenticateHeader(req, options));
      if (kind === StepUpRequired.kind) res.setHeader("WWW-Authenticate", stepUpHeader(refusal.body));
      if ([429, 503].includes(status) || kind === "lock_held") res.setHeader("Retry-After", String(retryAfter));
      if (refusal.kind === "url_reuse_tombstone")
        res.setHeader("X-Service-URL-Reuse-Tombstone", String(refusal.body.tombstone_id));
      return void res.status(refusal.status).json(refusal.body);
    }
    const status = Number((error as { status?: unknown }).status);
    if (status >= 400 && status < 500)
      return void res.status(status).json({ error: "Bad request", code: "bad_request" });
    log.error(
      {
        err: error,
        requestId: res.locals.requestId,
        user: res.locals.session?.username,
        route: `${req.method} ${req.path}`,
      },
      "request failed",
    );
    res.status(500).json({ error: "Internal server error", code: "internal_error" });
  };
