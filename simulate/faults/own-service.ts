import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../src/launcher/free-port.js";
import { startPostgres } from "../../src/launcher/postgres.js";
import { Processes } from "../../src/launcher/processes.js";
import { prepare, startService } from "../../src/launcher/service.js";
import { startTemporal } from "../../src/launcher/temporal-server.js";
import { Line } from "./line.js";
import type { LineName, ProcessName, ServiceName } from "./plan.js";

/** Where each process notes its pid, in the folder of the service. */
const pidFiles: Record<ProcessName, string> = {
  "API 1": "api-1/api.pid",
  "API 2": "api-2/api.pid",
  "Worker 1": "worker-1/worker.pid",
  "Worker 2": "worker-2/worker.pid",
  Temporal: "temporal.pid",
  Postgres: "postgres/postmaster.pid",
};
const STEPPED_CLOCK = new URL("stepped-clock.js", import.meta.url).href;
const READY_WITHIN_MS = 180_000;
const POLL_MS = 100;

/**
 * A service of its own for a day with faults: two APIs, two workers and both servers as processes, in a temporary
 * folder, with a line before each that others connect to. What dies is started again.
 */
export class OwnService {
  readonly user = "admin";
  readonly password = `${randomBytes(12).toString("base64url")}-a1`;
  readonly folder = mkdtempSync(join(tmpdir(), "warehouse-simulated-"));
  /** Past the line before it. */
  databaseUrl = "";
  #apiPorts: number[] = [];
  #lines: Record<LineName, Line> | undefined;
  readonly #servers = new Processes(() => {});
  readonly #services: Processes[] = [];

  static async open(): Promise<OwnService> {
    const service = new OwnService();
    try {
      await service.#start();
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.line("clients").port}`;
  }

  line(name: LineName): Line {
    if (!this.#lines) throw new Error("the service has not started");
    return this.#lines[name];
  }

  /** Sends a signal to a process; waits for it where it is just being started again. */
  async signal(name: ProcessName, signal: NodeJS.Signals): Promise<void> {
    for (const until = performance.now() + READY_WITHIN_MS; performance.now() < until; await pause(POLL_MS))
      try {
        process.kill(Number.parseInt(readFileSync(join(this.folder, pidFiles[name]), "utf8"), 10), signal);
        return;
      } catch {
        // It does not run at this moment.
      }
    throw new Error(`${name} does not come back; its log is in ${this.folder}`);
  }

  /** The clock that the code of an API or a worker reads is wrong by so much, until it is stepped again. */
  stepClock(name: ServiceName, ms: number): Promise<void> {
    writeFileSync(this.#clockOf(name), `${ms}`);
    return this.signal(name, "SIGUSR2");
  }

  #clockOf(name: ServiceName): string {
    return join(this.folder, dirname(pidFiles[name]), "clock");
  }

  /** Breaks the connections to an API that does not answer, as a load balancer does. */
  giveUp(name: "API 1" | "API 2"): void {
    this.line("clients").cut(this.#apiPorts[name === "API 1" ? 0 : 1]);
  }

  /** Waits until each API says that it is ready. */
  async ready(): Promise<void> {
    const until = performance.now() + READY_WITHIN_MS;
    for (const port of this.#apiPorts)
      while (!(await isReady(`http://127.0.0.1:${port}/api/ready`))) {
        if (performance.now() > until) throw new Error(`not ready again; its logs are in ${this.folder}`);
        await pause(POLL_MS);
      }
  }

  /** Ends all processes; the folder stays. */
  async close(): Promise<void> {
    for (const service of this.#services) service.killAll();
    await this.#servers.stopAll(["Temporal", "Postgres"]);
    for (const line of Object.values(this.#lines ?? {})) await line.close();
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  async #start(): Promise<void> {
    const { folder } = this;
    const options = { folder, printLine: () => {}, processes: this.#servers };
    const [port, enginePort, uiPort, ...apiPorts] = await Promise.all(Array.from({ length: 5 }, freePort));
    const [postgres, temporal] = await Promise.all([
      startPostgres({ ...options, port }),
      startTemporal({ ...options, port: enginePort, uiPort }),
    ]);
    this.#apiPorts = apiPorts;
    this.databaseUrl = postgres.url;
    this.#lines = {
      clients: await Line.open(this.#apiPorts),
      Postgres: await Line.open([Number(new URL(postgres.url).port)]),
      Temporal: await Line.open([Number(temporal.address.split(":")[1])]),
    };
    const secret = () => randomBytes(32).toString("base64");
    const env = {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME },
      DATABASE_URL: by(this.line("Postgres"), postgres.url),
      TEMPORAL_ADDRESS: `127.0.0.1:${this.line("Temporal").port}`,
      ...{ JWT_SECRET: secret(), SERVICE_ENCRYPTION_KEY: secret(), SERVICE_TOKEN_PEPPER: secret() },
      ...{ SERVICE_ADMIN_PASSWORD: this.password, SERVICE_DEMO_DATA: "false", LOG_LEVEL: "warn" },
      ...{ SERVICE_ALLOW_HTTP_WEBHOOKS: "true", SERVICE_ALLOW_INTERNAL_WEBHOOKS: "true" },
      // Everybody comes from one address and in a hurry.
      ...{ RATE_LIMIT_PER_MINUTE: "0", OPEN_RATE_LIMIT_PER_MINUTE: "0", SNAPSHOT_RATE_LIMIT_PER_MINUTE: "0" },
    };
    await prepare(this.#servers, folder, env);
    await Promise.all([
      ...this.#apiPorts.map((port, i) => this.#service("API", (i + 1) as 1 | 2, { ...env, PORT: `${port}` })),
      ...([1, 2] as const).map((n) => this.#service("Worker", n, env)),
    ]);
    await this.ready();
  }

  async #service(name: "API" | "Worker", n: 1 | 2, env: NodeJS.ProcessEnv): Promise<void> {
    const processes = new Processes(() => {});
    this.#services.push(processes);
    const clock = this.#clockOf(`${name} ${n}`);
    mkdirSync(dirname(clock));
    const own = { ...env, NODE_OPTIONS: `--import ${STEPPED_CLOCK}`, SIMULATED_CLOCK: clock };
    await startService(name, processes, dirname(clock), own);
  }
}

/** A database's URL by way of a line. */
function by(line: Line, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.port = `${line.port}`;
  // Else its socket would be asked, past the line.
  url.searchParams.delete("host");
  return url.href;
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
