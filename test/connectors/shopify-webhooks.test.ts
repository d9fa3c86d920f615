import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { command } from "../../activities/command.js";
import { writePage } from "../../activities/connectors/write-page.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { logged } from "../support/log.js";
import { pluckAll } from "../support/pluck.js";
import { send as sendRaw } from "../support/send.js";
import { testService } from "../support/service.js";
import { idOf, ShopifyPair, variantsOf } from "../support/shopify.js";
import { exampleOrder } from "../support/shops/shopify-examples.js";

const LIMIT = 20;

/** Webhooks of a shop: they come unasked, late, twice and out of order, and from whoever knows the address. */
describe("a webhook of Shopify", () => {
  const service = testService({
    env: { OPEN_RATE_LIMIT_PER_MINUTE: `${LIMIT}`, TRUST_PROXY: "true", SERVICE_ALLOW_INTERNAL_CONNECTORS: "true" },
  });
  let pair: ShopifyPair;
  /** Of who sends; each test has its own. */
  let address: string;
  beforeEach(async () => {
    address = `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}::1`;
    pair = await ShopifyPair.open(service);
  });
  afterEach(() => pair.close());

  const send = (topic: string, document: unknown) =>
    pair.shop.send(pair.address, topic, document, { "x-forwarded-for": address });
  const taken = async (topic: string, document: unknown) =>
    assert.deepEqual(await send(topic, document), { status: 200, body: { received: 1 } });
  /** An order of an item that is here. */
  const ordered = async (quantity = 2) => {
    const { sku } = await fixtures.item();
    return pair.shop.addOrder([{ variant_id: null, sku, quantity }]);
  };
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>, to = pair.address) =>
    fetch(to, { method: "POST", body, headers: { ...headers, "x-forwarded-for": address } });
  const NOT_SIGNED = { error: "The webhook is not signed as it should be", code: "webhook_not_signed" };

  describe("that is signed", () => {
    it("makes and changes items and orders", async () => {
      const product = pair.shop.addProduct([{ sku: randomUUID() }], { title: "Mug" });
      await taken("products/create", product);
      const [variant] = variantsOf(product);
      const order = pair.shop.addOrder([{ variant_id: variant?.id ?? 0, sku: null, quantity: 2 }]);
      await taken("orders/create", order);
      assert.equal((await pair.order(idOf(order)))?.status, "OPEN");
      await taken("orders/cancelled", pair.shop.cancelOrder(idOf(order)));
      assert.equal((await pair.order(idOf(order)))?.status, "CANCELLED");
      await taken(
        "products/update",
        pair.shop.changeProduct(idOf(product), (one) => void Object.assign(one, { title: "Cup" })),
      );
      const item = await db.row<{ item_name: string }>("select item_name from items where sku = $1", [variant?.sku]);
      assert.equal(item?.item_name, "Cup");
    });

    it("says how many records it had", async () => {
      const product = pair.shop.addProduct([{ sku: randomUUID() }, { sku: randomUUID() }, { sku: null }]);
      assert.deepEqual(await send("products/update", product), { status: 200, body: { received: 3 } });
    });

    it("counts once, however often and late it comes", async () => {
      const order = await ordered(3);
      const refunded = pair.shop.refund(idOf(order), 0, 1);
      await taken("orders/updated", refunded);
      await taken("orders/create", order);
      await taken("orders/updated", refunded);
      assert.equal((await pair.order(idOf(order)))?.lines[0]?.quantity, 2);
      assert.deepEqual(await pair.refusals(), []);
    });

    it("comes many times at once, and the newest counts", async () => {
      const first = await ordered(1);
      const versions = [first];
      for (let quantity = 2; quantity <= 6; quantity++)
        versions.push(
          pair.shop.changeOrder(idOf(first), ({ lines }) => void Object.assign(lines[0] ?? {}, { quantity })),
        );
      const send12 = () => Promise.all([...versions, ...versions].map((one) => send("orders/updated", one)));
      // The shop sends again what was answered 503.
      for (let busy = true; busy; ) busy = (await send12()).some(({ status }) => status === 503);
      assert.equal((await pair.order(idOf(first)))?.lines[0]?.quantity, 6);
    });

    it("comes in a burst, and none is refused", async () => {
      const orders = [];
      for (let i = 0; i < LIMIT + 10; i++) orders.push(await ordered());
      for (const order of orders) await taken("orders/create", order);
    });

    it("of another topic, without order or product, or made up by the admin, is taken, and no more", async () => {
      const nothing = { status: 200, body: { received: 0 } };
      assert.deepEqual(await send("customers/create", { id: 1 }), nothing);
      assert.deepEqual(await send("products/delete", { id: 788032119674292922n.toString() }), nothing);
      assert.deepEqual(await send("orders/edited", { order_edit: { id: 1, order_id: 2 } }), nothing);
      const { headers, body } = pair.shop.webhook("orders/create", await ordered());
      const made = await post(body, { ...headers, "x-shopify-test": "true" });
      assert.deepEqual({ status: made.status, body: await made.json() }, nothing);
    });

    it("but no document is taken, and told in the log", async () => {
      const lines = await logged("warn", async () => {
        for (const document of ["no JSON", "null", "[]"])
          assert.deepEqual(await send("orders/create", document), { status: 200, body: { received: 0 } });
      });
      assert.equal(lines.filter(({ msg }) => msg === "a signed webhook could not be read").length, 3);
      assert.doesNotMatch(JSON.stringify(lines), /shpss|bob/i);
    });

    it("but not as documented is a refused record", async () => {
      for (const document of [{ id: 1 }, { ...exampleOrder, id: 2, updated_at: "today" }])
        assert.deepEqual(await send("orders/create", document), { status: 200, body: { received: 1 } });
      assert.deepEqual(pluckAll(await pair.refusals(), "external_id", "error_kind"), [
        ["1", "unreadable_record"],
        ["2", "unreadable_record"],
      ]);
    });

    it("of an order whose item is not here yet is kept for the next sync", async () => {
      const sku = randomUUID();
      const order = pair.shop.addOrder([{ variant_id: 4711, sku, quantity: 1 }]);
      const id = `${idOf(order)}`;
      for (const attempts of [1, 2]) {
        await taken("orders/create", order);
        assert.deepEqual(await pair.refusals(), [
          { external_id: id, error_kind: "cross_system_lookup_miss", attempts },
        ]);
      }
      await fixtures.item({ sku });
      await taken("orders/create", order);
      assert.deepEqual(await pair.refusals(), []);
      assert.equal((await pair.order(id))?.status, "OPEN");
    });

    it("of a cancellation before the order leaves it unmade, also by an older page of a sync", async () => {
      const order = await ordered();
      const [page] = await pair.pages("orders");
      const cancelled = pair.shop.cancelOrder(idOf(order));
      await taken("orders/cancelled", cancelled);
      await taken("orders/create", order);
      assert.equal(await pair.order(idOf(order)), undefined);
      const key = { connector: "shopify", warehouse_id: pair.warehouse_id, sync_type: "orders" as const };
      await writePage(pair.connector, key, page?.records ?? [], new AbortController().signal, () => {});
      assert.equal(await pair.order(idOf(order)), undefined);
    });

    it("of an order that was refused in a newer version does not take its place", async () => {
      const sku = randomUUID();
      const order = pair.shop.addOrder([{ variant_id: 4711, sku, quantity: 2 }]);
      const refunded = pair.shop.refund(idOf(order), 0, 1);
      await taken("orders/updated", refunded);
      await fixtures.item({ sku });
      await taken("orders/create", order);
      assert.equal(await pair.order(idOf(order)), undefined);
      await taken("orders/updated", refunded);
      assert.equal((await pair.order(idOf(order)))?.lines[0]?.quantity, 1);
    });

    it("of a cancellation ends the wait of an order that never came", async () => {
      const order = pair.shop.addOrder([{ variant_id: 4711, sku: randomUUID(), quantity: 2 }]);
      await taken("orders/create", order);
      await taken("orders/cancelled", pair.shop.cancelOrder(idOf(order)));
      assert.deepEqual(await pair.refusals(), []);
    });

    it("of an order that was cancelled before it came is not made when it is repeated hours later", async () => {
      const order = await ordered();
      const other = await ordered();
      const cancelled = pair.shop.cancelOrder(idOf(order));
      // The sync saw the cancellation and had nothing to cancel.
      assert.equal(await pair.write(pair.translated("orders/updated", cancelled)), "known");
      await db.run(
        `insert into sync_state (connector_name, warehouse_id, sync_type, watermark)
           values ('shopify', $1, 'orders', $2)`,
        [pair.warehouse_id, new Date(pair.shop.clock + 3_600_000).toISOString()],
      );
      await taken("orders/create", order);
      assert.equal(await pair.order(idOf(order)), undefined);
      pair.shop.clock += 3_600_000;
      await taken(
        "orders/updated",
        pair.shop.changeOrder(idOf(other), ({ fields }) => void Object.assign(fields, { note: "!" })),
      );
      assert.equal((await pair.order(idOf(other)))?.status, "OPEN");
    });

    it("with characters that cannot be stored is taken without them", async () => {
      const order = { ...(await ordered()), note: "a\u0000b" };
      await taken("orders/create", order);
      assert.deepEqual(await pair.refusals(), []);
      const row = await db.row<{ memo: string }>(
        `select memo from sales_orders join cross_system_mappings m on canonical_id = external_id
         where m.source_system = $1 and m.source_id = $2`,
        [`shopify-${pair.warehouse_id}`, String(idOf(order))],
      );
      assert.equal(row?.memo, "ab");
    });

    it("of a large order is taken, and one above the limit is not", async () => {
      const order = await ordered();
      await taken("orders/create", { ...order, note_attributes: [{ name: "x", value: "y".repeat(900 * 1024) }] });
      const { headers, body } = pair.shop.webhook("orders/create", { ...order, note: "y".repeat(1024 * 1024) });
      assert.equal((await post(body, headers)).status, 413);
    });

    it("is to be repeated where the database is away", async () => {
      const order = await ordered();
      await disconnect();
      connect("postgres://postgres@127.0.0.1:1/nowhere");
      const { status, body } = await send("orders/create", order);
      await disconnect();
      connect(service.config.databaseUrl);
      assert.deepEqual([status, body.code], [503, "database_unavailable"]);
      await taken("orders/create", order);
    });

    it("waits for one that is being written, then lets the shop repeat it", async () => {
      const order = await ordered();
      const { headers, body } = pair.shop.webhook("orders/create", order);
      let status = 0;
      await command("test.hold", systemActor(randomUUID()), {}, async (tx) => {
        const record = JSON.stringify(["sales_orders", `shopify-${pair.warehouse_id}`, `${idOf(order)}`]);
        await tx.run("select pg_advisory_xact_lock(hashtextextended($1, 0))", [record]);
        const answer = await post(body, headers);
        status = answer.status;
        assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
      });
      assert.equal(status, 503);
      await taken("orders/create", order);
    });
  });

  describe("that is not signed", () => {
    const refused = async (answer: Response) => {
      assert.equal(answer.status, 401);
      assert.deepEqual(await answer.json(), NOT_SIGNED);
    };

    it("is refused, whatever it has", async () => {
      const order = await ordered();
      const { headers, body } = pair.shop.webhook("orders/create", order);
      const { "x-shopify-hmac-sha256": signature, ...unsigned } = headers;
      const wrong = [
        unsigned,
        { ...headers, "x-shopify-hmac-sha256": "" },
        { ...headers, "x-shopify-hmac-sha256": signature.slice(0, 10) },
        { ...headers, "x-shopify-hmac-sha256": `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}` },
        { ...unsigned, "x-shopify-test": "true" },
      ];
      for (const one of wrong) await refused(await post(body, one));
      await refused(await post(body.replace("#", "$"), headers));
      await refused(await post("", headers));
      await refused(await post(gzipSync("{}"), { ...unsigned, "content-encoding": "gzip" }));
      assert.equal(await pair.order(idOf(order)), undefined);
    });

    it("is refused alike where the secret is another's, none is set, or nothing is set up at all", async () => {
      const { headers, body } = pair.shop.webhook("orders/create", await ordered());
      await refused(await post(body, pair.shop.webhook("orders/create", body, { secret: "wrong" }).headers));
      const to = (path: string) => post(body, headers, `${service.url}/api/v1/connectors/${path}/webhooks`);
      await refused(await to("shopify/2147483647"));
      await refused(await to("nobody/1"));
      await refused(await to(`example/${pair.warehouse_id}`));
      await db.run("delete from connector_credentials where warehouse_id = $1 and credential_key = 'webhook_secret'", [
        pair.warehouse_id,
      ]);
      await refused(await post(body, headers));
      await refused(await post(body, { ...pair.shop.webhook("orders/create", body, { secret: "" }).headers }));
    });

    it("is refused where the stored secret cannot be read, without telling", async () => {
      await db.run("update connector_credentials set encrypted_value = 'v1.00000000.eA==' where warehouse_id = $1", [
        pair.warehouse_id,
      ]);
      const { headers, body } = pair.shop.webhook("orders/create", await ordered());
      await refused(await post(body, headers));
    });

    /** Announces a body of 1 MB and sends nothing of it: who waits for it gives no answer. */
    const announce = async (to = pair.address) => {
      const headers = { "x-forwarded-for": address, "content-length": 1024 * 1024, connection: "close" };
      const { pathname } = new URL(to);
      const { status, body } = await sendRaw(service.url, { method: "POST", path: pathname, headers });
      return [status, JSON.parse(body).code];
    };
    /** Uses up what the address may send without a signature. */
    const spend = async () => {
      const statuses = [(await post("{}", {})).status];
      // A new minute may begin on the way, and the count with it.
      while (statuses.length < 2 * LIMIT + 5 && statuses.at(-1) !== 429) statuses.push((await post("{}", {})).status);
      assert.equal(statuses[0], 401);
      assert.equal(statuses.at(-1), 429);
    };

    it("is refused before its body is read, where none could be signed", async () => {
      const to = (path: string) => announce(`${service.url}/api/v1/connectors/${path}/webhooks`);
      for (const path of ["nobody/1", "shopify/2147483647", `example/${pair.warehouse_id}`])
        assert.deepEqual(await to(path), [401, "webhook_not_signed"], path);
      await db.run("delete from connector_credentials where warehouse_id = $1 and credential_key = 'webhook_secret'", [
        pair.warehouse_id,
      ]);
      assert.deepEqual(await announce(), [401, "webhook_not_signed"]);
      assert.deepEqual(await to("shopify/x"), [404, "not_found"]);
    });

    it("is limited for its address, before its body is read", async () => {
      await spend();
      assert.deepEqual(await announce(), [429, "too_many_requests"]);
      const { headers, body } = pair.shop.webhook("orders/create", await ordered());
      const answer = await post(body, headers);
      assert.equal(answer.status, 429);
      assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
    });

    it("is counted as a ping of WooCommerce, too, which tells nothing of who has one", async () => {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const at = (path: string, body: string) =>
        post(body, headers, `${service.url}/api/v1/connectors/${path}/webhooks`);
      for (const path of [`woocommerce/${pair.warehouse_id}`, "woocommerce/2147483647"]) {
        const ping = await at(path, "webhook_id=142");
        assert.deepEqual([ping.status, await ping.json()], [200, { received: 0 }], path);
        assert.equal((await at(path, "webhook_id=x")).status, 401);
      }
      const statuses: number[] = [];
      while (statuses.length < 2 * LIMIT + 5 && statuses.at(-1) !== 429)
        statuses.push((await at("woocommerce/1", "webhook_id=1")).status);
      assert.equal(statuses.at(-1), 429);
    });

    it("does not hold up what is signed at an address that signed before", async () => {
      await taken("orders/create", await ordered());
      await spend();
      await taken("orders/create", await ordered());
    });
  });
});
