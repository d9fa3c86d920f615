import { type ChildProcess, execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../src/launcher/free-port.js";
import { cacheFolder, findTemporal } from "../../src/launcher/temporal-binary.js";
import { proxyFor, proxyProgram } from "./cluster-proxy.js";
import { commandOf, configFile, environmentOf, imageOf } from "./compose.js";
import { goModule, goProgram } from "./go-program.js";
import { type Link, openLink } from "./link.js";
import { PASSWORD } from "./people.js";
import { endRole, killRoles, runRole, startRole } from "./roles.js";
import { openPair, type Pair } from "./standby.js";
import { until } from "./until.js";

const SERVER = "go.temporal.io/server";
const REPLICAS = [1, 2, 3];

/** A container of docker-compose.yml as a process; `restart: unless-stopped`. */
export class Container {
  #process: ChildProcess | undefined;
  #isWanted = true;

  constructor(private readonly begin: () => ChildProcess) {}

  start(): void {
    this.#process = this.begin();
    this.#process.once("exit", async () => {
      await pause(500);
      if (this.#isWanted) this.start();
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    if (this.#process?.exitCode === null) await endRole(this.#process, "SIGKILL");
  }
}

/** A host with an API or a worker on it, and its ways to the others. */
export interface Host {
  container: Container;
  toDatabase: Link;
  toStandby: Link;
  toEngine: Link;
}

/** What docker-compose.yml means, on one machine: each API and worker has an address and a network of its own. */
export interface Cluster {
  /** Of the proxy. */
  url: string;
  postgres: Pair;
  temporal: Container;
  /** How Temporal reaches Postgres. */
  engineToDatabase: Link;
  proxy: Container;
  apis: Host[];
  workers: Host[];
  engineAddress: string;
  /** Waits until each API is ready. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

const given = {
  SITE_ADDRESS: "http://127.0.0.1",
  POSTGRES_PASSWORD: "a",
  WAREHOUSE_APP_DB_PASSWORD: "b",
  TEMPORAL_DB_PASSWORD: "c",
  ARCHIVE_DB_PASSWORD: "d",
  JWT_SECRET: randomBytes(36).toString("base64"),
  SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString("base64"),
  SERVICE_TOKEN_PEPPER: randomBytes(36).toString("base64"),
  SERVICE_ADMIN_PASSWORD: PASSWORD,
  RATE_LIMIT_PER_MINUTE: "0",
  OPEN_RATE_LIMIT_PER_MINUTE: "0",
};

/** The programs that it takes beside Postgres, built once by Go; undefined without it. */
export function clusterPrograms() {
  const version = `v${imageOf("temporal").split(":")[1]}`;
  const caddy = proxyProgram();
  const server = caddy && goProgram(SERVER, version, "server");
  const sqlTool = server && goProgram(SERVER, version, "tools/sql");
  if (!caddy || !server || !sqlTool) return undefined;
  return { caddy, server, sqlTool, schema: join(goModule(SERVER, version), "schema/postgresql/v12") };
}

export async function openCluster(programs: NonNullable<ReturnType<typeof clusterPrograms>>): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "warehouse-cluster-"));
  const flags = commandOf("postgres").slice(1);
  const postgres = await openPair([
    // Its own rules of who may log in let the standby in.
    ...flags.filter((flag) => !flag.startsWith("-chba_file")),
    // Test servers hash passwords once; what Temporal connects with wants as many times as usual.
    "-cscram_iterations=4096",
  ]);
  const { primary, standby } = postgres;
  const env = { ...given, WAREHOUSE_DB_PASSWORD: postgres.password };
  await makeDatabases(postgres, env);

  const engineToDatabase = await openLink(primary.port);
  await runOrFail(
    commandOf("temporal-schema").map((text) =>
      text
        .replaceAll("/etc/temporal/schema/postgresql/v12", programs.schema)
        .replaceAll("temporal-sql-tool", programs.sqlTool),
    ),
    { ...environmentOf("temporal-schema", env), SQL_HOST: "127.0.0.1", SQL_PORT: `${engineToDatabase.port}` },
  );
  const dynamic = join(folder, "dynamic.yaml");
  writeFileSync(dynamic, configFile("temporal-dynamic"));
  const enginePort = await freePort();
  const engineAddress = `127.0.0.1:${enginePort}`;
  const temporal = new Container(() => startRole([programs.server, "--allow-no-auth", "start"], temporalEnv));
  const temporalEnv = {
    ...environmentOf("temporal", env),
    POSTGRES_SEEDS: "127.0.0.1",
    DB_PORT: `${engineToDatabase.port}`,
    BIND_ON_IP: "127.0.0.1",
    DYNAMIC_CONFIG_FILE_PATH: dynamic,
    PROMETHEUS_ENDPOINT: "",
    FRONTEND_GRPC_PORT: `${enginePort}`,
    FRONTEND_HTTP_PORT: `${await freePort()}`,
    FRONTEND_MEMBERSHIP_PORT: `${await freePort()}`,
    ...Object.fromEntries(
      await Promise.all(
        ["MATCHING", "HISTORY", "WORKER"]
          .flatMap((name) => [`${name}_GRPC_PORT`, `${name}_MEMBERSHIP_PORT`])
          .map(async (name) => [name, `${await freePort()}`]),
      ),
    ),
  };
  temporal.start();
  const cli = await findTemporal({
    ...{ env: process.env, cache: cacheFolder(process.env, folder), printLine: () => {} },
  });
  const namespace = { PATH: `${dirname(cli)}:${process.env.PATH}`, TEMPORAL_ADDRESS: engineAddress };
  await until(async () => (await runRole([cli, "operator", "cluster", "health"], namespace)) === 0, 60_000, 500);
  await runOrFail(commandOf("temporal-namespace"), namespace);

  /** The environment of a service on a host of its own. */
  async function hostOf(service: "api" | "worker", address: string, more: NodeJS.ProcessEnv): Promise<Host> {
    const toDatabase = await openLink(primary.port);
    const toStandby = await openLink(standby.port);
    const toEngine = await openLink(enginePort);
    const own = environmentOf(service, env);
    const at = `127.0.0.1:${toDatabase.port},127.0.0.1:${toStandby.port}`;
    const all = {
      ...own,
      DATABASE_URL: `${own.DATABASE_URL}`.replace("postgres:5432", at),
      TEMPORAL_ADDRESS: `127.0.0.1:${toEngine.port}`,
      HOST: address,
      SERVICE_METRICS_HOST: address,
      SERVICE_INBOUND_MAPPINGS_DIR: "",
      // Partners of the test are servers of this machine.
      ...{ SERVICE_ALLOW_HTTP_WEBHOOKS: "true", SERVICE_ALLOW_INTERNAL_WEBHOOKS: "true" },
      ...more,
    };
    const container = new Container(() => startRole(commandOf(service), all));
    container.start();
    return { container, toDatabase, toStandby, toEngine };
  }

  const prepared = environmentOf("migrate", env);
  const database = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
  await runOrFail(commandOf("migrate"), {
    ...prepared,
    DATABASE_URL: `${prepared.DATABASE_URL}`.replace("postgres:5432", database),
  });
  const ports = await Promise.all(REPLICAS.map(freePort));
  const addresses = ports.map((port, i) => `127.0.1.${11 + i}:${port}`);
  const apis = await Promise.all(ports.map((port, i) => hostOf("api", `127.0.1.${11 + i}`, { PORT: `${port}` })));
  const workers = await Promise.all(REPLICAS.map((i) => hostOf("worker", `127.0.1.${20 + i}`, {})));
  const lives = (url: string) =>
    fetch(`${url}/api/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
  const ready = async () => {
    for (const address of addresses) await until(() => lives(`http://${address}`), 90_000);
  };
  await ready();
  const { url, begin } = await proxyFor(programs.caddy, addresses);
  const proxy = new Container(begin);
  proxy.start();
  await until(() => lives(url), 30_000);
  const links = [...apis, ...workers].flatMap((host) => [host.toDatabase, host.toStandby, host.toEngine]);
  return {
    ...{ url, postgres, temporal, engineToDatabase, proxy, apis, workers, engineAddress, ready },
    close: async () => {
      for (const { container } of [...apis, ...workers]) await container.stop();
      for (const container of [proxy, temporal]) await container.stop();
      killRoles();
      for (const link of [engineToDatabase, ...links]) link.close();
      postgres.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the compose file's own SQL, but for the role and the database that are there already. */
async function makeDatabases({ primary }: Pair, env: Record<string, string>): Promise<void> {
  const passwords: Record<string, string | undefined> = {
    application_password: env.WAREHOUSE_APP_DB_PASSWORD,
    temporal_password: env.TEMPORAL_DB_PASSWORD,
    archive_password: env.ARCHIVE_DB_PASSWORD,
  };
  const statements = configFile("databases")
    .replace(/^\\getenv.*$/gm, "")
    .replace(/^create (role|database) warehouse .*$/gm, "")
    .replace(/:'(\w+)'/g, (_, name) => `'${passwords[name]}'`)
    .split(";");
  for (const statement of statements) if (statement.trim()) await primary.ask(statement);
}

/** Not synchronous: what it connects to may be a link of this process. */
const run = promisify(execFile);
async function runOrFail([command, ...args]: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const { PATH, HOME } = process.env;
  await run(command as string, args, { env: { PATH, HOME, ...env } }).catch(({ message, stdout, stderr }) => {
    throw new Error(`${message}\n${stdout}\n${stderr}`);
  });
}
