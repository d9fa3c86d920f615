import assert from "node:assert/strict";
import { sourceSystemOf } from "../../src/connectors/connector.js";
import { connect, db, disconnect } from "../../src/db/db.js";
import { connectorWarehouse, type ShopRequest, storeConfig } from "../support/connectors.js";
import { assertInvariants } from "../support/invariants.js";
import { HEALED_WITHIN_MS } from "../support/kills/kills.js";
import { openWooShop, type WooShop } from "../support/shops/woocommerce.js";
import { openStack, type Part, type Stack } from "../support/stack.js";
import { until } from "../support/until.js";

/** How often each process is killed; `npm run test:long` asks for more. */
const ROUNDS = Number(process.env.TEST_KILL_ROUNDS ?? 1);
const PARTS: Part[] = ["Worker", "API", "Temporal", "Postgres"];
/** A page has a hundred: each kill comes under another page. */
const PRODUCTS = 100 * (PARTS.length * ROUNDS + 2);

describe("a sync, as the processes of the service are killed in its midst", function () {
  this.timeout(300_000 + ROUNDS * 60_000);
  let stack: Stack;
  let shop: WooShop;
  let warehouse_id: number;
  before(async () => {
    stack = await openStack({
      SERVICE_ALLOW_INTERNAL_CONNECTORS: "true",
      CONNECTOR_BACKOFF_MS: "10",
      CONNECTOR_RETRY_DELAY_MS: "500",
      CONNECTOR_CIRCUIT_OPEN_MS: "500",
    });
    connect(stack.databaseUrl, 4);
    shop = await openWooShop();
    for (let n = 0; n < PRODUCTS; n++) shop.product({ name: `Mug ${n}`, sku: `KILLED-${n}` });
    warehouse_id = await connectorWarehouse();
    const keys = { encryptionKey: Buffer.alloc(32, 3).toString("base64"), encryptionKeysPrevious: [] };
    await storeConfig("woocommerce", warehouse_id, shop.config, keys);
    await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')", [
      sourceSystemOf("woocommerce", warehouse_id),
    ]);
  });
  after(async () => {
    await disconnect();
    await shop?.close();
    await stack?.close();
  });

  /** Any answer of a database that has just been killed counts as none yet. */
  const counted = async (text: string): Promise<number> =>
    (await db.row<{ n: number }>(`select count(*)::int as n from ${text}`).catch(() => undefined))?.n ?? -1;
  const written = () => counted("items where sku like 'KILLED-%'");
  const versions = () => counted("inbound_items");
  const status = async () => {
    const row = await db
      .row<{ sync_status: string }>("select sync_status from sync_state where warehouse_id = $1", [warehouse_id])
      .catch(() => undefined);
    return row?.sync_status;
  };
  /** Starts it, also anew after a start that was answered by nobody. */
  async function sync(): Promise<void> {
    await until(async () => {
      const started = await stack.admin
        .post("/api/admin/connectors/woocommerce/sync/items", { warehouse_id })
        .catch(() => undefined);
      return started?.status === 202 || started?.status === 409;
    }, HEALED_WITHIN_MS);
  }
  const ended = () => until(async () => ["idle", "error"].includes((await status()) ?? ""), HEALED_WITHIN_MS);

  it("goes on where it was, and its second run ends with the same rows", async () => {
    const { usual } = shop;
    let asked = 0;
    // Now and then the shop fails or repeats itself, too.
    shop.usual = async (request: ShopRequest) => {
      asked++;
      if (asked % 7 === 3) return { status: 500, body: {} };
      shop.lies.duplicates = asked % 5 === 0;
      return usual(request);
    };
    await sync();
    for (const part of Array<Part[]>(ROUNDS).fill(PARTS).flat()) {
      const before = await written();
      await until(async () => (await written()) > before || (await written()) === PRODUCTS, HEALED_WITHIN_MS);
      await stack.kill(part);
    }
    await ended();
    shop.usual = usual;
    shop.lies.duplicates = false;
    await sync();
    await ended();
    assert.equal(await status(), "idle");

    const expected = shop.products.map(({ sku, name }) => `${sku}: ${name}`).sort();
    const rows = await db.rows<{ row: string }>(
      "select sku || ': ' || item_name as row from items where sku like 'KILLED-%'",
    );
    assert.deepEqual(rows.map(({ row }) => row).sort(), expected);
    const before = await versions();
    await sync();
    await ended();
    assert.equal(await versions(), before);
    assert.equal(await counted("connector_refusals"), 0);
    await assertInvariants();
  });
});
