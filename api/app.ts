import cors from "cors";
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
} from "express";
import helmet from "helmet";
import { z } from "zod";
import type { Config } from "../src/config.js";
import { brokenConstraint, databaseUnavailable, sqlState } from "../src/db.js";
import { log } from "../src/log.js";
import {
  BodyTooLarge,
  ConstraintViolation,
  DatabaseUnavailable,
  DomainError,
  NotFound,
  QuantityOutOfRange,
  UnsupportedMediaType,
} from "../src/problem.js";
import {
  actorOf,
  authenticate,
  nobody,
  permit,
  requestIdOf,
} from "./authenticate.js";
import { docs } from "./docs.js";
import { type Limit, limiter } from "./limit.js";
import type { Route } from "./route.js";
import { routes } from "./routes.js";
import { refuseNul, validate } from "./validation.js";

/** What the app needs of the configuration; `checkAnswers` holds every answer against its schema (tests do). */
export interface AppOptions
  extends Pick<
    Config<"api">,
    "jwtSecret" | "corsOrigins" | "trustProxy" | "rateLimitPerMinute"
  > {
  checkAnswers?: boolean;
}

/** The HTTP application: every route of `routes.ts`, in the frame that all of them share. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", options.trustProxy ? 1 : false);
  app.use(
    securityHeaders,
    cors({ origin: options.corsOrigins, credentials: true }),
  );
  app.use(jsonBody);
  const limit = limiter(options.rateLimitPerMinute);
  for (const route of routes)
    app[route.method](route.path, handle(route, options, limit));
  docs(app);
  app.use((_req, _res, next) => next(NotFound()));
  app.use(answerError);
  return app;
}

/** A request's way through a route: who, may they, is it sound, do it, answer. */
function handle(
  route: Route,
  options: AppOptions,
  limit: Limit,
): RequestHandler {
  const [status, answerSchema] = Object.entries(route.answers)[0] as [
    string,
    z.ZodType,
  ];
  const bodySchema = tolerant(route.body);
  return async (req, res) => {
    const requestId = requestIdOf(req);
    res.locals.requestId = requestId;
    res.setHeader("X-Request-ID", requestId);
    let by = nobody(requestId);
    if (route.for.kind !== "open") {
      const user = await authenticate(req, options.jwtSecret);
      res.locals.session = user;
      await limit(user.user_id);
      permit(route, user, req);
      by = actorOf(req, user, requestId);
    }
    const answer = await route.run({
      params: pathParams(route, req.params),
      query: route.query && queryOf(route.query, req.query),
      body: bodySchema && validate(bodySchema, jsonOf(req, route.judgesNul)),
      by,
      req,
      res,
      options,
    });
    if (options.checkAnswers) answerSchema.parse(answer);
    if (res.headersSent) return;
    res.status(Number(status));
    if (answer === undefined) res.end();
    else res.json(answer);
  };
}

/** The JSON body; what is empty or cannot be read counts as `{}`, so its missing fields are named (reference 01 §1). */
function jsonOf(req: express.Request, judgesNul = false): unknown {
  const type = (req.get("content-type") ?? "")
    .split(";")[0]
    ?.trim()
    .toLowerCase();
  if (type !== "application/json") {
    throw UnsupportedMediaType(
      {},
      { message: "Content-Type must be application/json" },
    );
  }
  const body: unknown = req.body ?? {};
  if (!judgesNul) refuseNul(body);
  return body;
}

/** Every body may name a `warehouse_id`, also where the route does not use it (reference 01 §1). */
function tolerant(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (!(schema instanceof z.ZodObject) || "warehouse_id" in schema.shape)
    return schema;
  return schema.extend({ warehouse_id: z.unknown().optional() });
}

/** A path that does not fit, such as a word where an id belongs, is a path that does not exist. */
function pathParams(route: Route, params: unknown): unknown {
  if (!route.params) return undefined;
  refuseNul(params);
  const result = route.params.safeParse(params);
  if (!result.success) throw NotFound();
  return result.data;
}

function queryOf(schema: z.ZodType, query: unknown): unknown {
  refuseNul(query);
  return validate(schema, query);
}

/** Deeper than any body of the interface; what walks a deeper one could run out of stack. */
const DEEPEST = 64;
const tooDeep = (value: unknown, left = DEEPEST): boolean =>
  typeof value === "object" &&
  value !== null &&
  (left === 0 ||
    Object.values(value).some((entry) => tooDeep(entry, left - 1)));

const parseJson = express.json({
  type: [
    "application/json",
    "application/csp-report",
    "application/reports+json",
  ],
  limit: "10mb",
  strict: false,
});
const jsonBody: RequestHandler = (req, res, next) =>
  parseJson(req, res, (error?: { type?: string }) => {
    if (
      error?.type === "entity.parse.failed" ||
      (!error && tooDeep(req.body))
    ) {
      req.body = {};
      next();
    } else if (error?.type === "entity.too.large") {
      next(BodyTooLarge());
    } else {
      next(error);
    }
  });

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
      "report-uri": ["/api/csp-report"],
    },
  },
  xFrameOptions: { action: "deny" },
  referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  strictTransportSecurity: false,
});

/** The headers of reference 01 §1, on every response. */
const securityHeaders: RequestHandler = (req, res, next) => {
  res.setHeader(
    "Permissions-Policy",
    "camera=(), microphone=(), geolocation=()",
  );
  if (req.secure)
    res.setHeader(
      "Strict-Transport-Security",
      "max-age=31536000; includeSubDomains",
    );
  helmetHeaders(req, res, next);
};

/** What the caller is told of an error of the database; any other error as it is. */
function refusalOf(error: unknown, path: string): unknown {
  if (databaseUnavailable(error)) return DatabaseUnavailable();
  const state = sqlState(error);
  if (state === "22003") return QuantityOutOfRange();
  if (!state?.startsWith("23") || !path.startsWith("/api/admin/")) return error;
  return ConstraintViolation({}, { constraint: brokenConstraint(error) });
}

/** Turns what a route threw into the spec's bodies; what nobody expected is logged and answered without its cause. */
const answerError: ErrorRequestHandler = (error, req, res, _next) => {
  const refusal = refusalOf(error, req.path);
  if (res.headersSent) return void res.destroy();
  if (refusal instanceof DomainError) {
    if (refusal.status === 503) res.setHeader("Retry-After", "1");
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
