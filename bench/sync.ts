import { setTimeout as pause } from "node:timers/promises";
import { text } from "../src/platform/db/columns.js";
import { db } from "../src/platform/db/db.js";
import { Connection } from "./connection.js";
import { WAREHOUSE } from "./data.js";
import { openPartner } from "./partner.js";
import { rounded } from "./rounded.js";
import type { BenchService } from "./service.js";

/** How fast a shop's items are synced, and what the worker's memory grows by meanwhile. */
export interface Sync {
  items: number;
  /** Of a sync that writes all of them, and of one that finds all of them here. */
  first_s: number;
  again_s: number;
  /** Of the worker, before, at its most, and afterwards. */
  memory_mb: { before: number; most: number; after: number };
}

const ITEMS = 50_000;
const PAGE = 250;

/** A shop with Shopify, as far as a sync of items asks it. */
async function openShop(items: number) {
  const product = (id: number) => ({
    ...{ id, title: `Synced ${id}`, status: "active", updated_at: "2026-05-06T12:00:00Z" },
    variants: [
      {
        ...{ id: 1_000_000 + id, title: "Default Title", sku: `SYNC-${id}`, barcode: `99${id}` },
        ...{ weight: 0.4, weight_unit: "kg", updated_at: "2026-05-06T12:00:00Z" },
      },
    ],
  });
  const shop = await openPartner((incoming, outgoing) => {
    const { url } = shop;
    const { searchParams } = new URL(incoming.url ?? "/", url);
    const from = Number(searchParams.get("page_info") ?? 0);
    const products = Array.from({ length: Math.min(PAGE, items - from) }, (_, i) => product(from + i + 1));
    const next = from + PAGE;
    if (next < items) outgoing.setHeader("Link", `<${url}/products.json?limit=${PAGE}&page_info=${next}>; rel="next"`);
    outgoing.setHeader("Content-Type", "application/json").end(JSON.stringify({ products }));
  });
  return shop;
}

/** Measures the service's worker with a shop in this process. */
export async function measureSync(service: BenchService, share: number): Promise<Sync> {
  await service.enter();
  const { port, office } = service;
  const items = Math.ceil((ITEMS * share) / PAGE) * PAGE;
  const shop = await openShop(items);
  const connector = "/api/admin/connectors/shopify" as const;
  // A kept connection would be closed while a sync goes on.
  const post = async (path: string, body: object) => {
    const to = await Connection.open(port);
    await to.ask(`POST ${connector}${path}`, office.token, body);
    to.close();
  };
  const warehouse_id = WAREHOUSE;
  await post("/credentials", { warehouse_id, credentials: { shop_url: shop.url, access_token: "bench-token" } });

  const memory = { before: service.workerMemoryMb(), most: 0 };
  const watch = setInterval(() => {
    memory.most = Math.max(memory.most, service.workerMemoryMb());
  }, 200);
  const sync = async () => {
    const begun = Date.now();
    await post("/sync/items", { warehouse_id });
    for (;;) {
      const [state] = await db.rows(
        { sync_status: text, last_error_message: text.nullable() },
        "select sync_status, last_error_message from sync_state where sync_type = 'items'",
      );
      if (state?.last_error_message) throw new Error(state.last_error_message);
      if (state?.sync_status === "idle") return (Date.now() - begun) / 1_000;
      await pause(100);
    }
  };
  const first_s = await sync();
  const again_s = await sync();
  clearInterval(watch);
  const after = service.workerMemoryMb();
  shop.close();
  return {
    items,
    first_s: rounded(first_s),
    again_s: rounded(again_s),
    memory_mb: { before: rounded(memory.before), most: rounded(memory.most), after: rounded(after) },
  };
}
