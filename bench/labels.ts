import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { int, number } from "../src/platform/db/columns.js";
import { db } from "../src/platform/db/db.js";
import { Connection } from "./connection.js";
import { cpuSecondsOf } from "./cpu.js";
import { addOrders, WAREHOUSE } from "./data.js";
import { rounded } from "./rounded.js";
import type { BenchService } from "./service.js";

/** How fast labels are bought of a carrier that takes its time. */
export interface Labels {
  labels: number;
  per_s: number;
  /** From the request for a label until it is bought and stored. */
  p50_ms: number;
  p95_ms: number;
  /** Processor time for each; that of the client is the bench's own. */
  cpu_ms: Record<Part, number>;
}

type Part = keyof ReturnType<BenchService["cpuSeconds"]> | "carrier" | "client";

const LABELS = 1_000;
const FEWEST = 200;
const WARM_UP = 0.1;
const CONNECTIONS = 16;
/** What the carrier takes for each request; a label is three: its rates, its purchase, its file. */
const CARRIER_MS = 200;

/** The local EasyPost, as a process of its own. */
async function openCarrier() {
  const file = path.resolve("examples/carriers/easypost.mjs");
  const child = spawn(process.execPath, [file, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout as Readable, "data");
  const { url } = JSON.parse(`${line}`) as { url: string };
  const body = JSON.stringify({ delay_ms: CARRIER_MS, times: Number.MAX_SAFE_INTEGER });
  await fetch(`${url}/_control/faults`, { method: "POST", headers: { "content-type": "application/json" }, body });
  const cpuSeconds = () => cpuSecondsOf(child.pid as number);
  return { url, cpuSeconds, close: () => child.kill() };
}

/** Measures one worker with a local carrier: labels that are all asked for at once, by a few connections. */
export async function measureLabels(service: BenchService, share: number): Promise<Labels> {
  await service.enter();
  const carrier = await openCarrier();
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(service.port)));
  const ask = (at: number, to: `/${string}`, body: object) =>
    (connections[at % CONNECTIONS] as Connection).ask(`POST ${to}`, service.office.token, body);
  try {
    const ship_from = { name: "Bench", line1: "1 Pier", city: "San Francisco", state: "CA", postal_code: "94104" };
    await ask(0, "/api/admin/carriers", {
      ...{ warehouse_id: WAREHOUSE, account_name: "Bench", carrier: "easypost", check_address: false },
      ...{ config: { api_url: carrier.url, api_key: "EZTK_local" }, ship_from: { ...ship_from, country: "US" } },
    });
    const count = Math.max(FEWEST, Math.ceil(LABELS * share));
    await buy(await addParcels(service, Math.ceil(count * WARM_UP)), ask);
    const parcels = await addParcels(service, count);
    const cpuSeconds = () => ({
      ...service.cpuSeconds(),
      ...{ carrier: carrier.cpuSeconds(), client: cpuSecondsOf(process.pid) },
    });
    const before = cpuSeconds();
    const begun = performance.now();
    await buy(parcels, ask);
    const seconds = (performance.now() - begun) / 1_000;
    const after = cpuSeconds();
    const took = await db.row(
      { p50: number, p95: number },
      `select percentile_cont(0.5) within group (order by ms) as p50,
              percentile_cont(0.95) within group (order by ms) as p95
       from (select extract(epoch from completed_at - created_at)::float8 * 1000 as ms from label_purchases
             where parcel_id = any($1)) of`,
      [parcels],
    );
    const each = (part: Part) => rounded(((after[part] - before[part]) * 1_000) / count);
    return {
      ...{ labels: count, per_s: rounded(count / seconds) },
      ...{ p50_ms: rounded(took?.p50 ?? 0), p95_ms: rounded(took?.p95 ?? 0) },
      cpu_ms: {
        ...{ worker: each("worker"), temporal: each("temporal"), api: each("api"), postgres: each("postgres") },
        ...{ carrier: each("carrier"), client: each("client") },
      },
    };
  } finally {
    for (const connection of connections) connection.close();
    carrier.close();
  }
}

/** Closed parcels of one order. */
async function addParcels({ size, places }: BenchService, count: number): Promise<number[]> {
  const [so_id] = await addOrders(db, size, places(1), 1, "PICKED");
  await db.run(
    `update sales_orders
     set shipping_address_name = 'Mary Miller', shipping_address_line1 = '12 Main Street',
         shipping_address_city = 'Springfield', shipping_address_state = 'IL', shipping_address_postal_code = '62701',
         shipping_address_country = 'US'
     where so_id = $1`,
    [so_id],
  );
  const made = await db.rows(
    { parcel_id: int },
    `insert into parcels (so_id, warehouse_id, parcel_number, status, weight_lbs, closed_at, closed_by)
     select $1, $2, n, 'CLOSED', 2, now(), 'bench' from generate_series(1, $3::int) n returning parcel_id`,
    [so_id, WAREHOUSE, count],
  );
  return made.map(({ parcel_id }) => parcel_id);
}

async function buy(
  parcels: number[],
  ask: (at: number, to: `/${string}`, body: object) => Promise<unknown>,
): Promise<void> {
  const asking = Array.from({ length: CONNECTIONS }, async (_, at) => {
    for (let i = at; i < parcels.length; i += CONNECTIONS)
      await ask(at, `/api/packing/parcels/${parcels[i]}/label`, {});
  });
  await Promise.all(asking);
  // What this asks of Postgres counts as what labels cost: as little as possible, by an index of those that are open.
  while (await db.row({}, "select from label_purchases where status in ('pending', 'voiding') limit 1"))
    await pause(50);
  const bought = await db.row(
    { count: int },
    "select count(*)::int as count from label_purchases where parcel_id = any($1) and status = 'bought'",
    [parcels],
  );
  if (bought?.count !== parcels.length) throw new Error("some labels were not bought");
}
