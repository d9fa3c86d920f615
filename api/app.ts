import cors from "cors";
import express, { type Express } from "express";
import { NotFound } from "../src/problem.js";
import { answerError } from "./answer-error.js";
import { docs } from "./docs.js";
import { type AppOptions, handle } from "./handle.js";
import { jsonBody } from "./json-body.js";
import { limiter } from "./limit.js";
import { routes } from "./routes.js";
import { securityHeaders } from "./security-headers.js";

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
