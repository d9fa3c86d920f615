import type { Express } from "express";
import type { Config } from "../src/platform/config/config.js";

let made: { config: Config<"worker">; app: Promise<Express> } | undefined;

/** The service's routes within this worker, for requests of its own; the first one that needs them loads them. */
export function insideApp(config: Config<"worker">): Promise<Express> {
  if (made?.config !== config) made = { config, app: appOf(config) };
  return made.app;
}

async function appOf(config: Config<"worker">): Promise<Express> {
  const { createApp } = await import("../api/app.js");
  // No request from outside reaches it, so no credential is read. All workers must know a key again (idempotency.ts).
  const secret = config.jwtSecret ?? config.encryptionKey;
  return createApp({
    ...config,
    ...{ jwtSecret: secret, tokenPepper: config.tokenPepper ?? secret, rateLimitPerMinute: 0 },
  });
}
