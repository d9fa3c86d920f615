import cors from "cors";
import type { RequestHandler } from "express";

/** Headers of answers that scripts of other origins may read. */
const READ_BY_BROWSERS = ["Retry-After", "X-Idempotent-Replay", "X-Request-ID", "X-Service-Workflow-Id"];

/**
 * Answers preflights, and says which origins may read an answer. Most requests name no origin: they do not come from a
 * browser.
 */
export function crossOrigin(allowed: string[]): RequestHandler {
  const origins = cors({ origin: allowed, credentials: true, exposedHeaders: READ_BY_BROWSERS });
  return (req, res, next) => {
    if (req.headers.origin !== undefined || req.method === "OPTIONS") return origins(req, res, next);
    res.setHeader("Vary", "Origin");
    next();
  };
}
