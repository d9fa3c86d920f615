import { randomInt, randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { asyncLocalStorage } from "@temporalio/activity";
import type { NativeConnection } from "@temporalio/worker";
import { putSourceSystems } from "../../activities/inbound/source-systems.js";
import { createApp } from "../../api/app.js";
import { closeAuthenticationCaches, openAuthenticationCaches } from "../../api/auth/caches.js";
import { close, listen, portOf } from "../../api/http/server.js";
import { closeTemporal, openTemporal } from "../../api/http/workflow-updates.js";
import { closeLive, openLive } from "../../api/system/live-feed.js";
import { signSessionToken } from "../../src/auth/jwt.js";
import { loadConnectors } from "../../src/connectors/registry.js";
import { type Config, readConfig } from "../../src/platform/config/config.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { validateEvents } from "../../src/platform/events/outbox.js";
import { type RunningWorker, startWorker } from "../../workers/worker.js";
import { Caller } from "./caller.js";
import { db } from "./db.js";
import { inspect } from "./inspect.js";
import { createDatabase, databaseUrl, onServer } from "./servers.js";
import { inThisThread } from "./workflow-thread.js";

export interface TestServiceOptions {
  /** Runs a worker on the service's own task queue, for what goes through a workflow. */
  worker?: boolean;
  /** Further environment variables of the API. */
  env?: Record<string, string>;
  /** Makes its database, where that is to be another than a new one. */
  makeDatabase?: (name: string) => Promise<void>;
}

export interface NewUser {
  role?: "ADMIN" | "USER";
  warehouse_ids?: number[];
  page_keys?: string[];
  username?: string;
  full_name?: string;
}

/** A warehouse service of one test file: its own database, its own task queue, a listening API. */
export interface TestService {
  url: string;
  config: Config<"api">;
  /** Calls without a credential. */
  anyone: Caller;
  /** Calls as an ADMIN named `admin`. */
  admin: Caller;
  /** Makes a user and calls as that user; without `warehouse_ids` one who may use no warehouse. */
  user(user?: NewUser): Promise<Caller>;
  /** Runs something while the API finds no workflow engine at its address. */
  withoutTemporal(run: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Workflow ids carry batch ids, and all files share one Temporal server: each database counts from its own number. */
export async function countBatchesApart(): Promise<void> {
  await db.run(`select setval(pg_get_serial_sequence('pick_batches', 'batch_id'), $1)`, [
    randomInt(1, 2_000_000) * 1000,
  ]);
}

/** Stops a worker, and what it had Node do for each promise of this process, which goes on to other tests. */
export async function stopWorker({ client, stop }: RunningWorker): Promise<void> {
  await stop();
  asyncLocalStorage.disable();
  (client.connection as NativeConnection).callContextStorage.disable();
}

/** Opens a service; every answer is held against the schema that its route declares. */
export async function openService(options: TestServiceOptions = {}): Promise<TestService> {
  const { worker = false, env = {}, makeDatabase = createDatabase } = options;
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  await makeDatabase(name);
  const config = readConfig(
    {
      DATABASE_URL: databaseUrl(name),
      TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
      TEMPORAL_TASK_QUEUE: name,
      JWT_SECRET: randomUUID() + randomUUID(),
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      SERVICE_TOKEN_PEPPER: randomUUID(),
      RATE_LIMIT_PER_MINUTE: "0",
      OPEN_RATE_LIMIT_PER_MINUTE: "0",
      INBOUND_RATE_LIMIT_PER_MINUTE: "0",
      POLL_RATE_LIMIT_PER_MINUTE: "0",
      SNAPSHOT_RATE_LIMIT_PER_MINUTE: "0",
      SERVICE_VALIDATE_EVENT_SCHEMAS: "true",
      LOG_LEVEL: "silent",
      ...env,
    },
    "api",
  );
  connect(config.databaseUrl, config.databasePoolSize, config.companyTimeZone);
  // Workflow ids carry batch, count, order, inspection, recall, push, print job, parcel and collection ids, and all
  // files share one Temporal server: each service counts from its own number.
  await db.run(
    `select setval(pg_get_serial_sequence('pick_batches', 'batch_id'), $1),
            setval(pg_get_serial_sequence('cycle_counts', 'count_id'), $1),
            setval(pg_get_serial_sequence('sales_orders', 'so_id'), $1),
            setval(pg_get_serial_sequence('inspections', 'inspection_id'), $1),
            setval(pg_get_serial_sequence('recalls', 'recall_id'), $1),
            setval(pg_get_serial_sequence('transfer_orders', 'to_id'), $1),
            setval(pg_get_serial_sequence('fulfillment_pushes', 'push_id'), $1),
            setval(pg_get_serial_sequence('print_jobs', 'job_id'), $1),
            setval(pg_get_serial_sequence('parcels', 'parcel_id'), $1),
            setval(pg_get_serial_sequence('carrier_collections', 'collection_id'), $1),
            setval(pg_get_serial_sequence('sandboxes', 'sandbox_id'), $1)`,
    [randomInt(1, 2_000_000) * 1000],
  );
  validateEvents(config.validateEventSchemas);
  openTemporal(config);
  openAuthenticationCaches(config.databaseUrl);
  openLive(config.databaseUrl);
  await putSourceSystems(config.sourceSystems);
  await loadConnectors();
  const server: Server = await listen(createApp(config, inspect), "127.0.0.1", 0);
  const url = `http://127.0.0.1:${portOf(server)}`;
  const running = worker ? await startWorker(config, inThisThread) : undefined;

  const user = async ({ role = "USER", warehouse_ids = [], page_keys = [], ...names }: NewUser = {}) => {
    const username = names.username ?? `${role.toLowerCase()}-${randomUUID().slice(0, 8)}`;
    const made = await db.row<{ user_id: number; username: string; role: "ADMIN" | "USER"; warehouse_ids: number[] }>(
      `with u as (
         insert into users (username, password_hash, full_name, role, warehouse_ids, warehouse_id)
         values ($1, 'set by nobody', $5, $2, $3, ($3::int[])[1]) returning user_id, username, role, warehouse_ids
       ), p as (
         insert into user_page_permissions (user_id, page_key) select user_id, key from u, unnest($4::text[]) as k(key)
       ) select * from u`,
      [username, role, warehouse_ids, page_keys, names.full_name ?? username],
    );
    if (!made) throw new Error("no user made");
    const token = signSessionToken(
      { ...made, warehouse_id: made.warehouse_ids[0] ?? null, password_changed_at: null },
      config.jwtSecret,
    );
    return new Caller(url, { authorization: `Bearer ${token}` }, made.username, made.user_id);
  };

  return {
    url,
    config,
    anyone: new Caller(url, {}, "", 0),
    admin: await user({ role: "ADMIN", username: "admin" }),
    user,
    withoutTemporal: async (run) => {
      await closeTemporal();
      openTemporal({ ...config, temporalAddress: "127.0.0.1:1" });
      try {
        await run();
      } finally {
        await closeTemporal();
        openTemporal(config);
      }
    },
    close: async () => {
      await closeLive();
      const closed = close(server);
      // A connection on which nothing was asked, as one that a test broke off, counts as busy for ten seconds.
      server.closeAllConnections();
      await closed;
      if (running) await stopWorker(running);
      await closeTemporal();
      await closeAuthenticationCaches();
      await disconnect();
      // Fails when a connection is left open, which is a leak.
      await onServer(`drop database ${name}`);
    },
  };
}

/** A service for the tests of a suite: opened before them, and closed after them. */
export function testService(options?: TestServiceOptions): TestService {
  const service = {} as TestService;
  before(async () => void Object.assign(service, await openService(options)));
  after(() => service.close());
  return service;
}
