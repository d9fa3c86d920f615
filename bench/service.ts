import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { migrations } from "../migrations/index.js";
import { signSessionToken } from "../src/auth/jwt.js";
import { hashPassword } from "../src/auth/password.js";
import { tryPort } from "../src/launcher/ports.js";
import { Processes } from "../src/launcher/processes.js";
import { startService } from "../src/launcher/service.js";
import type { Actor } from "../src/platform/actor.js";
import { text } from "../src/platform/db/columns.js";
import { connect, db, disconnect } from "../src/platform/db/db.js";
import { migrate } from "../src/platform/db/migrate.js";
import { cpuSecondsFrom, cpuSecondsOf } from "./cpu.js";
import { OFFICE, PEOPLE, type Size, seed, WAREHOUSE } from "./data.js";
import { databaseUrlOn } from "./database-url.js";
import { MAPPINGS, type Program, SHOP, seedShop, seedStation, seedTill } from "./shop.js";

export const PASSWORD = "bench-password-1";

/** A user, and the token to ask with. */
export interface Somebody {
  by: Actor;
  token: string;
}

/** A filled warehouse with an API and a worker of its own, each a process. */
export interface BenchService {
  /** So many times the smallest warehouse. */
  times: number;
  size: Size;
  port: number;
  /** A user who has nothing to do yet. */
  somebody(): Somebody;
  /** The ADMIN. */
  office: Somebody;
  /** The system that pushes records. */
  shop: Program;
  station: Program;
  till: Program;
  /** Places in the row of all items for so many new orders. */
  places(orders: number): number;
  /** Connects this process to the service's database, and to no other, and lets the service work. */
  enter(): Promise<void>;
  /**
   * Stops its API and its worker where they are, until somebody enters: what is idle there costs the others nothing.
   */
  rest(): void;
  /** Ends its API and its worker, and starts both anew. */
  restart(): Promise<void>;
  /** Starts another worker beside the first; it ends by SIGKILL when the answer is called. */
  addWorker(): Promise<() => void>;
  /** Resident memory of its worker. */
  workerMemoryMb(): number;
  /** How many seconds of processor time its API and worker, and the services' Temporal and Postgres, took so far. */
  cpuSeconds(): { api: number; worker: number; temporal: number; postgres: number };
  close(): Promise<void>;
}

/** Makes a database of that size, `times` times the smallest, and starts what serves it. */
export async function openService(
  times: number,
  size: Size,
  folder: string,
  postgres: string,
  temporal: string,
): Promise<BenchService> {
  const name = `bench_${times}`;
  const url = databaseUrlOn(postgres, name);
  connect(postgres, 1);
  await db.run(`create database ${name}`);
  await disconnect();
  await migrate(url, migrations);
  // Each statement writes as much as others do in a year.
  connect(url, undefined, undefined, "");
  // Workflow ids carry the ids of batches and transfer orders, and the services share one Temporal server.
  await db.run(`alter table pick_batches alter batch_id restart ${times * 1_000_000}`);
  await db.run(`alter table transfer_orders alter to_id restart ${times * 1_000_000}`);
  await seed(size, await hashPassword(PASSWORD));
  const pepper = randomBytes(32).toString("base64");
  const shop = await seedShop(size, pepper);
  const station = await seedStation(pepper);
  const till = await seedTill(pepper);
  const external = await db.rows({ external_id: text }, "select external_id from users order by user_id");
  await disconnect();

  const port = await tryPort(0);
  const jwtSecret = randomBytes(32).toString("base64");
  const env = {
    ...process.env,
    PORT: `${port}`,
    DATABASE_URL: url,
    TEMPORAL_ADDRESS: temporal,
    TEMPORAL_TASK_QUEUE: name,
    JWT_SECRET: jwtSecret,
    SERVICE_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    SERVICE_TOKEN_PEPPER: pepper,
    RATE_LIMIT_PER_MINUTE: "0",
    OPEN_RATE_LIMIT_PER_MINUTE: "0",
    SERVICE_ALLOW_HTTP_WEBHOOKS: "true",
    SERVICE_ALLOW_INTERNAL_WEBHOOKS: "true",
    SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
    INBOUND_RATE_LIMIT_PER_MINUTE: "0",
    POLL_RATE_LIMIT_PER_MINUTE: "0",
    SNAPSHOT_RATE_LIMIT_PER_MINUTE: "0",
    SERVICE_SOURCE_SYSTEMS: `${SHOP}:manual_import`,
    SERVICE_INBOUND_MAPPINGS_DIR: MAPPINGS,
  };
  const processes = new Processes(console.error);
  const home = `${folder}/${name}`;
  const start = () =>
    Promise.all([startService("Worker", processes, home, env), startService("API", processes, home, env)]);
  await start();

  const signal = (what: NodeJS.Signals) => {
    for (const name of ["api", "worker"]) process.kill(pidIn(`${home}/${name}.pid`), what);
  };
  let people = 0;
  let orders = size.salesOrders;
  return {
    times,
    size,
    port,
    somebody: () => {
      if (++people > PEOPLE) throw new Error("everybody is busy");
      return personOf(people, external[people - 1]?.external_id, jwtSecret);
    },
    office: officeOf(external[PEOPLE]?.external_id, jwtSecret),
    shop,
    station,
    till,
    places: (count) => {
      orders += count;
      return orders - count;
    },
    enter: async () => {
      signal("SIGCONT");
      await disconnect();
      connect(url);
    },
    rest: () => signal("SIGSTOP"),
    restart: async () => {
      for (const name of ["API", "Worker"]) await processes.stop(name);
      await start();
    },
    addWorker: async () => {
      const own = new Processes(console.error);
      await startService("Worker", own, `${home}/more`, env);
      return () => own.killAll();
    },
    workerMemoryMb: () => memoryMbOf(`${home}/worker.pid`),
    cpuSeconds: () => ({
      api: cpuSecondsOf(pidIn(`${home}/api.pid`)),
      worker: cpuSecondsOf(pidIn(`${home}/worker.pid`)),
      postgres: cpuSecondsFrom(Number.parseInt(readFileSync(`${folder}/postgres/postmaster.pid`, "utf8"), 10)),
      temporal: cpuSecondsOf(pidIn(`${folder}/temporal.pid`)),
    }),
    close: async () => {
      signal("SIGCONT");
      await disconnect();
      await processes.stopAll(["API", "Worker"]);
    },
  };
}

const personOf = (userId: number, externalId = "", jwtSecret: string) =>
  signedIn({ userId, username: `scanner-${userId}`, externalId, role: "USER", warehouseIds: [WAREHOUSE] }, jwtSecret);

const officeOf = (externalId = "", jwtSecret: string) =>
  signedIn({ userId: PEOPLE + 1, username: OFFICE, externalId, role: "ADMIN", warehouseIds: [] }, jwtSecret);

function signedIn(user: Omit<Actor, "requestId" | "commandId">, jwtSecret: string): Somebody {
  const claims = {
    user_id: user.userId,
    username: user.username,
    role: user.role,
    warehouse_id: user.warehouseIds[0] ?? null,
    warehouse_ids: user.warehouseIds,
    password_changed_at: null,
  };
  const by = { ...user, requestId: randomUUID(), commandId: randomUUID() };
  return { by, token: signSessionToken(claims, jwtSecret) };
}

/** Resident memory of the process of a pid file. */
const memoryMbOf = (pidFile: string): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pidIn(pidFile)}/status`, "utf8"))?.[1]) / 1_024;

const pidIn = (pidFile: string): number => Number(readFileSync(pidFile, "utf8"));
