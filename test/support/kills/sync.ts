import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { sourceSystemOf } from "../../../src/connectors/connector.js";
import { connectorWarehouse, type ShopRequest, storeConfig } from "../connectors.js";
import { db } from "../db.js";
import { openWooShop } from "../shops/woocommerce.js";
import type { Stack } from "../stack.js";
import { until } from "../until.js";
import { HEALED_WITHIN_MS } from "./kills.js";

/** Any answer of a database that has just been killed counts as none yet. */
const counted = async (text: string): Promise<number> =>
  (await db.row<{ n: number }>(`select count(*)::int as n from ${text}`).catch(() => undefined))?.n ?? -1;

const written = () => counted("items where sku like 'KILLED-%'");

/** How many products the connector asks for at once. */
const PAGE = 50;
/** So long that each kill finds the sync under way. */
const SLOW_MS = 400;

/** A sync of so many pages of a shop's products. The shop is slow, and fails or repeats itself now and then. */
export async function syncOf(stack: Stack, pages: number) {
  const shop = await openWooShop();
  const products = PAGE * pages;
  for (let n = 0; n < products; n++) shop.product({ name: `Mug ${n}`, sku: `KILLED-${n}` });
  const warehouse_id = await connectorWarehouse();
  const keys = { encryptionKey: Buffer.alloc(32, 3).toString("base64"), encryptionKeysPrevious: [] };
  await storeConfig("woocommerce", warehouse_id, shop.config, keys);
  await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')", [
    sourceSystemOf("woocommerce", warehouse_id),
  ]);
  const { usual } = shop;
  let asked = 0;
  shop.usual = async (request: ShopRequest) => {
    asked++;
    await pause(SLOW_MS);
    // More than two runs' pages apart: a third failure ends a run, and the next one begins at the first page again.
    if (asked % (2 * pages + 1) === 3) return { status: 500, body: {} };
    shop.lies.duplicates = asked % 5 === 0;
    return usual(request);
  };

  const status = async () => {
    const row = await db
      .row<{ sync_status: string }>("select sync_status from sync_state where warehouse_id = $1", [warehouse_id])
      .catch(() => undefined);
    return row?.sync_status ?? "";
  };
  /** Starts it, also anew after a start that was answered by nobody. */
  async function start(): Promise<void> {
    await until(async () => {
      const started = await stack.admin
        .post("/api/admin/connectors/woocommerce/sync/items", { warehouse_id })
        .catch(() => undefined);
      return started?.status === 202 || started?.status === 409;
    }, HEALED_WITHIN_MS);
  }
  const ended = () => until(async () => ["idle", "error"].includes(await status()), HEALED_WITHIN_MS);
  async function again(): Promise<void> {
    await start();
    await ended();
  }

  return {
    start,
    /** Waits until this writes more, if there is more; three failures end a run, and another one is started. */
    async goesOn(): Promise<void> {
      const before = await written();
      await until(async () => {
        if ((await status()) === "error") await start();
        const now = await written();
        return now > before || now === products;
      }, HEALED_WITHIN_MS);
    },
    /** Of a shop that is well again, it ends with the same rows. */
    async assertWritten(): Promise<void> {
      await ended();
      shop.usual = usual;
      shop.lies.duplicates = false;
      await again();
      assert.equal(await status(), "idle");
      const expected = shop.products.map(({ sku, name }) => `${sku}: ${name}`).sort();
      const rows = await db.rows<{ row: string }>(
        "select sku || ': ' || item_name as row from items where sku like 'KILLED-%'",
      );
      assert.deepEqual(rows.map(({ row }) => row).sort(), expected);
      const versions = () => counted(`inbound_items where source_system like 'woocommerce-%'`);
      const before = await versions();
      await again();
      assert.equal(await versions(), before);
      assert.equal(await counted("connector_refusals"), 0);
    },
    close: () => shop.close(),
  };
}
