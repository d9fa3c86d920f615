import express, { type Express, type Router } from "express";
import { NotFound } from "../src/platform/problem.js";
import { isTracing } from "../src/platform/tracing/tracing.js";
import { groupBy } from "../src/platform/values.js";
import { onlyPosts } from "./agents/mcp.js";
import { answerError } from "./answer-error.js";
import { dispatchAuthentication } from "./auth/dispatch-authentication.js";
import { oauth } from "./auth/oauth/router.js";
import { ROOT } from "./auth/scim/resources.js";
import { scim } from "./auth/scim/router.js";
import { pages } from "./console/pages.js";
import { handle, type Inspect, type RequestGuards } from "./handle.js";
import { addressLimit } from "./http/address-limit.js";
import { bodyBudget } from "./http/body-budget.js";
import { limiter, limitsBesides } from "./http/limit.js";
import type { AppOptions } from "./http/options.js";
import { requestEnd } from "./http/request-end.js";
import { crossOrigin, noStore, securityHeaders } from "./http/security-headers.js";
import { traceRequests } from "./http/trace-requests.js";
import { canonicalModelHeader, inboundAuthentication } from "./inbound/authentication.js";
import { docs, documentation } from "./openapi/docs.js";
import { outboundAuthentication } from "./outbound/authentication.js";
import { partnerAuthentication } from "./partners/authentication.js";
import { routes } from "./routes.js";
import { decodePayloads, originOfUi } from "./system/workflow-codec.js";

/**
 * What routes that may match the same request have in common: method, prefix such as `/api/picking` or
 * `/api/admin/items`, and the number of segments. In lower case and without a slash at the end, as Express ignores
 * both.
 */
function kindOf(method: string, path: string): string {
  const segments = path.toLowerCase().replace(/\/$/, "").split("/");
  const area = segments.slice(0, segments[2] === "admin" ? 4 : 3).join("/");
  return `${method} ${segments.length} ${area}`;
}

/** The HTTP application: every route of `routes.ts`, and the middleware of all. */
export function createApp(options: AppOptions, inspect?: Inspect): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", options.trustProxy ? 1 : false);
  if (isTracing()) app.use(traceRequests);
  app.use(requestEnd, canonicalModelHeader, securityHeaders, noStore);
  const addresses = addressLimit(options.openRateLimitPerMinute);
  const guards: RequestGuards = {
    addresses,
    limit: limiter(options.rateLimitPerMinute),
    limitTo: limitsBesides(options.rateLimitPerMinute),
    inbound: inboundAuthentication(options, addresses),
    outbound: outboundAuthentication(options, addresses),
    dispatch: dispatchAuthentication(options, addresses),
    partner: partnerAuthentication(options, addresses),
    bodies: bodyBudget(options.bodiesMb),
  };
  const ui = originOfUi(options);
  // The codec server of the Temporal UI, which is no operation of the interface, is for its pages alone.
  if (ui) app.options(decodePayloads.path, crossOrigin([ui]));
  if (ui) app.post(decodePayloads.path, crossOrigin([ui]), handle(decodePayloads, options, guards, inspect));
  app.use(crossOrigin(options.corsOrigins));
  // A router for each such group: Express compares a path with one route after the other.
  const routers = new Map<string, Router>();
  for (const [kind, alike] of groupBy(routes, ({ method, path }) => kindOf(method, path))) {
    const router = express.Router();
    for (const route of alike) router[route.method](route.path, handle(route, options, guards, inspect));
    routers.set(kind, router);
  }
  app.use((req, res, next) => {
    // A GET route answers HEAD too.
    const method = req.method === "HEAD" ? "get" : req.method.toLowerCase();
    const router = routers.get(kindOf(method, req.path));
    if (router) router(req, res, next);
    else next();
  });
  onlyPosts(app);
  app.use(ROOT, scim(options, addresses));
  app.use(oauth(options, addresses));
  docs(app);
  documentation(app);
  pages(app);
  app.use((_req, _res, next) => next(NotFound()));
  app.use(answerError(options));
  return app;
}
