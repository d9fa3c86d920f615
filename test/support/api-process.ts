import { freePort } from "../../src/launcher/free-port.js";
import { Caller } from "./caller.js";
import { roleEnv, startRole } from "./roles.js";
import { until } from "./until.js";

/** Starts an API in a process of its own, and calls it without a credential; `killRoles` ends it. */
export async function startApi(
  databaseUrl: string,
  tokenPepper: string,
  env: NodeJS.ProcessEnv = {},
  output: number | "ignore" = "ignore",
) {
  const port = await freePort();
  const own = { PORT: `${port}`, SERVICE_TOKEN_PEPPER: tokenPepper, ...env };
  const api = startRole([process.execPath, "dist/api/main.js"], roleEnv(databaseUrl, own), output);
  const caller = new Caller(`http://127.0.0.1:${port}`, {}, "", 0);
  const listens = () => caller.get("/api/health").then(Boolean, () => false);
  await until(listens, 30_000);
  return { caller, api };
}
