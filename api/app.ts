import cors from "cors";
import express, { type Express, type Router } from "express";
import { groupBy } from "../src/group.js";
import { NotFound } from "../src/problem.js";
import { answerError } from "./answer-error.js";
import { docs } from "./docs.js";
import { type AppOptions, type Gates, handle } from "./handle.js";
import { asInbound, inboundDoor, unlessInbound } from "./inbound-door.js";
import { jsonBody } from "./json-body.js";
import { limiter, limitsBesides } from "./limit.js";
import { outboundDoor } from "./outbound-door.js";
import { routes } from "./routes.js";
import { securityHeaders } from "./security-headers.js";

/** `/api/picking` of `/api/picking/confirm`, `/api/admin/items` of `/api/admin/items/7`; whatever their case, as Express has it. */
const areaOf = (path: string) =>
  /^\/api\/(admin\/)?[^/]*/i.exec(path)?.[0].toLowerCase();

/** The HTTP application: every route of `routes.ts`, in the frame that all of them share. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", options.trustProxy ? 1 : false);
  app.use(
    asInbound,
    securityHeaders,
    cors({ origin: options.corsOrigins, credentials: true }),
  );
  app.use(unlessInbound(jsonBody));
  const gates: Gates = {
    limit: limiter(options.rateLimitPerMinute),
    limitTo: limitsBesides(options.rateLimitPerMinute),
    inbound: inboundDoor(options),
    outbound: outboundDoor(options),
  };
  // A router for each area: Express holds a path against one route after the other.
  const areas = groupBy(routes, (route) => areaOf(route.path));
  const routers = new Map<string | undefined, Router>();
  for (const [area, its] of areas) {
    const router = express.Router();
    for (const route of its)
      router[route.method](route.path, handle(route, options, gates));
    routers.set(area, router);
  }
  app.use((req, res, next) => {
    const router = routers.get(areaOf(req.path));
    if (router) router(req, res, next);
    else next();
  });
  docs(app);
  app.use((_req, _res, next) => next(NotFound()));
  app.use(answerError);
  return app;
}
