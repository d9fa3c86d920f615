import type { IncomingMessage, ServerResponse } from "node:http";
import cors from "cors";
import type { RequestHandler } from "express";
import helmet from "helmet";

const helmetHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      "default-src": ["'self'"],
      "script-src": ["'self'"],
      "style-src": ["'self'", "'unsafe-inline'"],
      "img-src": ["'self'", "data:"],
      "frame-ancestors": ["'none'"],
      "object-src": ["'none'"],
      "base-uri": ["'none'"],
      "report-uri": ["/api/csp-report"],
    },
  },
  xFrameOptions: { action: "deny" },
  referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  strictTransportSecurity: false,
});

/** They are the same for all responses, so Helmet runs once. */
const headers = new Map([["Permissions-Policy", "camera=(), microphone=(), geolocation=()"]]);
helmetHeaders(
  {} as IncomingMessage,
  {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => {},
  } as unknown as ServerResponse,
  (error) => {
    if (error) throw error;
  },
);

/** The headers of docs/interface.md, Answers and errors, on every response. */
export const securityHeaders: RequestHandler = (req, res, next) => {
  res.setHeaders(headers);
  // Also behind a proxy that is not trusted with addresses; on plain HTTP browsers ignore it.
  if (req.secure || req.get("X-Forwarded-Proto") === "https")
    res.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  next();
};

/** No response of the API may be cached, unless its route sets another Cache-Control. */
export const noStore: RequestHandler = (req, res, next) => {
  if (/^\/api(\/|$)/i.test(req.path)) res.setHeader("Cache-Control", "no-store");
  next();
};

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
