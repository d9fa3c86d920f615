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

/** Starts it with its own Caddyfile: these ports are the first replicas of the API. Gives its address. */
export async function startProxy(program: string, apiPorts: number[]): Promise<string> {
  const address = `http://127.0.0.1:${await freePort()}`;
  const file = apiPorts.reduce(
    (text, port, i) => text.replaceAll(`warehouse-api-${i + 1}:8080`, `127.0.0.1:${port}`),
    configFile("caddyfile", { SITE_ADDRESS: address }),
  );
  const folder = mkdtempSync(join(tmpdir(), "warehouse-proxy-"));
  const path = join(folder, "Caddyfile");
  writeFileSync(path, file);
  startRole([program, "run", "--config", path, "--adapter", "caddyfile"], {
    ...{ CADDY_ADMIN: `127.0.0.1:${await freePort()}`, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  return address;
}
