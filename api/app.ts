import cors from "cors";
import express, { type Express, type Router } from "express";
import { groupBy } from "../src/group.js";
import { isTracing } from "../src/monitoring/tracing.js";
import { NotFound } from "../src/problem.js";
import { pages } from "./console/pages.js";
import { addressLimit } from "./http/address-limit.js";
import { answerError } from "./http/answer-error.js";
import { dispatchAuthentication } from "./http/dispatch.js";
import { handle, type Inspect, type RequestGuards } from "./http/handle.js";
import { limiter, limitsBesides } from "./http/limit.js";
import type { AppOptions } from "./http/options.js";
import { requestEnd } from "./http/request-end.js";
import { noStore, securityHeaders } from "./http/security-headers.js";
import { traceRequests } from "./http/trace-requests.js";
import { canonicalModelHeader, inboundAuthentication } from "./inbound/authentication.js";
import { docs } from "./openapi/docs.js";
import { outboundAuthentication } from "./outbound/authentication.js";
import { routes } from "./routes.js";

/**
 * `/api/picking` of `/api/picking/confirm`, `/api/admin/items` of `/api/admin/items/7`; in lower case, as Express
 * ignores case too.
 */
const areaOf = (path: string) => /^\/api\/(admin\/)?[^/]*/i.exec(path)?.[0].toLowerCase();

/** Headers of answers that the scripts of other origins may read. */
const READ_BY_BROWSERS = ["Retry-After", "X-Idempotent-Replay", "X-Request-ID", "X-Service-Workflow-Id"];

/** The HTTP application: every route of `routes.ts`, with what all of them share. */
export function createApp(options: AppOptions, inspect?: Inspect): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", options.trustProxy ? 1 : false);
  const origins = cors({ origin: options.corsOrigins, credentials: true, exposedHeaders: READ_BY_BROWSERS });
  if (isTracing()) app.use(traceRequests);
  app.use(requestEnd, canonicalModelHeader, securityHeaders, origins);
  app.use("/api", noStore);
  const addresses = addressLimit(options.openRateLimitPerMinute);
  const guards: RequestGuards = {
    addresses,
    limit: limiter(options.rateLimitPerMinute),
    limitTo: limitsBesides(options.rateLimitPerMinute),
    inbound: inboundAuthentication(options, addresses),
    outbound: outboundAuthentication(options, addresses),
    dispatch: dispatchAuthentication(options, addresses),
  };
  // A router for each area: Express compares a path with one route after the other.
  const areas = groupBy(routes, (route) => areaOf(route.path));
  const routers = new Map<string | undefined, Router>();
  for (const [area, areaRoutes] of areas) {
    const router = express.Router();
    for (const route of areaRoutes) router[route.method](route.path, handle(route, options, guards, inspect));
    routers.set(area, router);
  }
  app.use((req, res, next) => {
    const router = routers.get(areaOf(req.path));
    if (router) router(req, res, next);
    else next();
  });
  docs(app);
  pages(app);
  app.use((_req, _res, next) => next(NotFound()));
  app.use(answerError);
  return app;
}
