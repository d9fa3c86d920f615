import type { ChildProcess } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/launcher/free-port.js";
import { configFile, imageOf } from "./compose.js";
import { goProgram } from "./go-program.js";
import { startRole } from "./roles.js";

/** The proxy of docker-compose.yml, or undefined without Go. */
export const proxyProgram = () => {
  const version = /caddy:(\d+\.\d+\.\d+)/.exec(imageOf("proxy"))?.[1];
  return goProgram("github.com/caddyserver/caddy/v2", `v${version}`, "caddy");
};

/** Its address, and how it is started with its own Caddyfile, for replicas of the API at these addresses. */
export async function proxyFor(program: string, apis: string[]): Promise<{ url: string; begin: () => ChildProcess }> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const file = apis.reduce(
    (text, api, i) => text.replaceAll(`warehouse-api-${i + 1}:8080`, api),
    configFile("caddyfile", { SITE_ADDRESS: url }),
  );
  const folder = mkdtempSync(join(tmpdir(), "warehouse-proxy-"));
  const path = join(folder, "Caddyfile");
  writeFileSync(path, file);
  const env = { CADDY_ADMIN: `127.0.0.1:${await freePort()}`, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const command = [program, "run", "--config", path, "--adapter", "caddyfile"];
  return { url, begin: () => startRole(command, env) };
}
