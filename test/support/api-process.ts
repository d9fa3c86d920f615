import { randomUUID } from "node:crypto";
import { Caller } from "./caller.js";
import { freePort } from "./ports.js";
import { startRole } from "./roles.js";
import { until } from "./until.js";

/** Starts an API in a process of its own, and calls it without a credential; `killRoles` ends it. */
export async function startApi(databaseUrl: string, tokenPepper: string, env: NodeJS.ProcessEnv = {}) {
  const port = await freePort();
  const api = startRole([process.execPath, "dist/api/main.js"], {
    ...{ PORT: `${port}`, DATABASE_URL: databaseUrl },
    TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
    JWT_SECRET: randomUUID(),
    SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    SERVICE_TOKEN_PEPPER: tokenPepper,
    ...env,
  });
  const caller = new Caller(`http://127.0.0.1:${port}`, {}, "", 0);
  const listens = () => caller.get("/api/health").then(Boolean, () => false);
  await until(listens, 30_000);
  return { caller, api };
}
