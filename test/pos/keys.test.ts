import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { purgeCommands } from "../../activities/maintenance/retention.js";
import { transaction } from "../../src/platform/db/db.js";
import type { Answer } from "../support/caller.js";
import { db } from "../support/db.js";
import { stockOf } from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { queuedBehindLock, waitingForLocks } from "../support/queued-behind-lock.js";
import { testService } from "../support/service.js";
import {
  checkOut,
  lineOf,
  openShop,
  orders,
  PATH,
  PATIENT,
  type Shop,
  saleOf,
  shopForEachTest,
  tillOf,
} from "../support/till.js";
import { until } from "../support/until.js";

const LOCK = "select from inventory where inventory_id = $1 for update";
const replayed = ({ headers }: Answer) => headers.get("x-idempotent-replay");

describe("a till that asks twice", () => {
  const at = shopForEachTest({ env: PATIENT });
  afterEach(() => assertInvariants());

  /** The answer as it came, to the byte. */
  async function rawly(sale: object) {
    const response = await fetch(`${at.service.url}${PATH}/checkout`, {
      method: "POST",
      headers: { ...at.shop.till.headers, "content-type": "application/json" },
      body: JSON.stringify(sale),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  it("gets the first answer, byte by byte, and sells once; the header tells", async () => {
    const sale = saleOf(at.shop);
    const first = await rawly(sale);
    assert.deepEqual([first.status, replayed(first as never)], [200, null]);
    const later = { ...sale, idempotency_key: sale.idempotency_key.toUpperCase() };
    for (const again of [sale, later]) {
      const second = await rawly(again);
      assert.deepEqual([second.status, second.text, replayed(second as never)], [200, first.text, "true"]);
      assert.equal(second.headers.get("x-service-canonical-model"), "DRAFT-v1");
    }
    assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 9, allocated: 0 });
  });

  it("gets it for ever, also when the stock is gone and other keys have expired", async () => {
    const sale = saleOf(at.shop, { lines: [lineOf(at.shop, 10)] });
    const { body } = await checkOut(at.shop.till, sale);
    await db.run("update command_log set created_at = now() - interval '10 years' where command_id = $1", [
      `pos:${sale.idempotency_key}`,
    ]);
    await purgeCommands();
    const again = await checkOut(at.shop.till, sale);
    assert.deepEqual([again.status, again.body, replayed(again)], [200, body, "true"]);
  });

  it("is refused another sale under the key, with the number of the first", async () => {
    const sale = saleOf(at.shop);
    const { body } = await checkOut(at.shop.till, sale);
    for (const other of [
      { ...sale, terminal_id: "till-3" },
      { ...sale, lines: [lineOf(at.shop, 2)] },
      { ...sale, payment_summary: { ...sale.payment_summary, shipping_cents: 1 } },
    ]) {
      const answer = await checkOut(at.shop.till, other);
      assert.deepEqual(
        [answer.status, answer.body.error_kind, answer.body.details],
        [409, "idempotency_key_reused_with_different_body", { existing_so_id: body.so_number }],
      );
    }
    const defaults = { ...sale, payment_summary: { ...sale.payment_summary, shipping_cents: 0 }, backorder: false };
    assert.deepEqual((await checkOut(at.shop.till, defaults)).body, body);
    assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 9, allocated: 0 });
  });

  it("with another token is answered only where the order is that token's too", async () => {
    const sale = saleOf(at.shop);
    const { body } = await checkOut(at.shop.till, sale);
    const elsewhere = await openShop(at.service);
    const { caller: beside } = await tillOf(at.service, {
      warehouse_ids: [elsewhere.warehouse_id, at.shop.warehouse_id],
    });
    const replay = await checkOut(beside, sale);
    assert.deepEqual([replay.status, replay.body, replayed(replay)], [200, body, "true"]);
    for (const asked of [sale, { ...sale, terminal_id: "till-3" }]) {
      const answer = await checkOut(elsewhere.till, asked);
      assert.deepEqual(
        [answer.status, answer.body.error_kind, answer.body.details, replayed(answer)],
        [409, "idempotency_key_reused_with_different_body", {}, null],
      );
    }
  });

  it("gets its own answer although the order was moved to another warehouse since", async () => {
    const sale = saleOf(at.shop, { is_phone_order: true });
    const { body } = await checkOut(at.shop.till, sale);
    const elsewhere = await openShop(at.service);
    const { so_id } = (await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [
      body.so_number,
    ])) as { so_id: number };
    await at.service.admin.ok("POST", `/api/admin/sales-orders/${so_id}/cancel`);
    await db.run("update sales_orders set warehouse_id = $2 where so_id = $1", [so_id, elsewhere.warehouse_id]);
    assert.deepEqual((await checkOut(at.shop.till, sale)).body, body);
  });

  it("after a refusal may use the key again", async () => {
    const sale = saleOf(at.shop, { lines: [lineOf(at.shop, 11)] });
    assert.equal((await checkOut(at.shop.till, sale)).status, 422);
    assert.equal((await checkOut(at.shop.till, { ...sale, lines: [lineOf(at.shop)] })).status, 200);
  });

  it("at the same moment, 32 times, sells once and gets 32 equal answers", async () => {
    const sale = saleOf(at.shop);
    const answers = await Promise.all(Array.from({ length: 32 }, () => checkOut(at.shop.till, sale)));
    assert.equal(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size, 1);
    assert.equal(answers[0]?.status, 200);
    assert.equal(answers.filter((answer) => replayed(answer) === null).length, 1);
    assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 9, allocated: 0 });
  });

  it("with other goods at the same moment sells once, and hears of the other sale", async () => {
    const sale = saleOf(at.shop);
    const other = { ...sale, lines: [lineOf(at.shop, 2)] };
    const [first, second] = await queuedBehindLock(
      LOCK,
      [at.shop.inventory_id],
      () => checkOut(at.shop.till, sale),
      () => checkOut(at.shop.till, other),
    );
    assert.equal(first?.status, 200);
    assert.deepEqual([second?.status, second?.body.details], [409, { existing_so_id: first?.body.so_number }]);
  });

  it("never sells twice when its connection is lost", async () => {
    const sale = saleOf(at.shop);
    const before = await orders();
    const lost = new AbortController();
    const body = JSON.stringify(sale);
    const headers = { ...at.shop.till.headers, "content-type": "application/json" };
    await transaction(async (tx) => {
      await tx.run(LOCK, [at.shop.inventory_id]);
      const { signal } = lost;
      const request = fetch(`${at.service.url}${PATH}/checkout`, { method: "POST", headers, body, signal });
      await until(async () => (await waitingForLocks()) === 1);
      lost.abort();
      await assert.rejects(request);
    });
    const answers = [await checkOut(at.shop.till, sale), await checkOut(at.shop.till, sale)];
    assert.deepEqual(pluckAll(answers, "status", "body"), Array(2).fill([200, answers[0]?.body]));
    assert.equal(await orders(), before + 1);
    assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 9, allocated: 0 });
  });
});

describe("a till that asks while others hold the stock", () => {
  const at = shopForEachTest({ env: { SERVICE_POS_LOCK_TIMEOUT_MS: "300" } });

  it("waits no longer than it is told for what others hold, and is told to come again", async () => {
    const sale = saleOf(at.shop);
    await transaction(async (tx) => {
      await tx.run(LOCK, [at.shop.inventory_id]);
      const { status, body, headers } = await checkOut(at.shop.till, sale);
      assert.deepEqual(
        [status, body.error_kind, body.details, headers.get("retry-after")],
        [503, "lock_contention", {}, "1"],
      );
      const repeats = await Promise.all([checkOut(at.shop.till, sale), checkOut(at.shop.till, sale)]);
      for (const repeat of repeats) assert.deepEqual([repeat.status, repeat.body.error_kind], [503, "lock_contention"]);
    });
    assert.equal((await checkOut(at.shop.till, sale)).status, 200);
    assert.deepEqual(await stockOf(at.shop.inventory_id), { on_hand: 9, allocated: 0 });
  });
});

describe("tills that sell the last units", () => {
  const service = testService();

  it("sell exactly what there is, however many sell", async () => {
    const shop = await openShop(service, 10);
    const tills = await Promise.all(
      Array.from({ length: 32 }, () => tillOf(service, { warehouse_ids: [shop.warehouse_id] })),
    );
    const sales = tills.map(({ caller }, i) => checkOut(caller, saleOf(shop, { is_phone_order: i % 4 === 0 })));
    const answers = await Promise.all(sales);
    const by = (status: number) => answers.filter((answer) => answer.status === status);
    assert.deepEqual([by(200).length, by(422).length], [10, 22]);
    for (const { body } of by(422))
      assert.deepEqual([body.error_kind, body.details.available_qty], ["fulfillment_failed", 0]);
    const { on_hand, allocated } = await stockOf(shop.inventory_id);
    assert.equal(on_hand - allocated, 0);
    assert.equal(new Set(by(200).map(({ body }) => body.so_number)).size, 10);
    await assertInvariants();
  });

  it("do not block each other, whatever the order of their lines", async () => {
    const shop = await openShop(service, 100);
    const other = await openShop(service, 100);
    const both = [shop.warehouse_id, other.warehouse_id];
    const { caller } = await tillOf(service, { warehouse_ids: both });
    const sales = Array.from({ length: 32 }, (_, i) =>
      checkOut(caller, saleOf(shop, { lines: i % 2 ? [lineOf(shop), lineOf(other)] : [lineOf(other), lineOf(shop)] })),
    );
    for (const { status } of await Promise.all(sales)) assert.equal(status, 200);
    assert.deepEqual(await stockOf(shop.inventory_id), { on_hand: 68, allocated: 0 });
    await assertInvariants();
  });
});

describe("the limit of tills", () => {
  const service = testService({ env: { RATE_LIMIT_PER_MINUTE: "1000" } });

  const minute = () => db.value<string>("select date_trunc('minute', now())::text as minute");
  /** Does something in a shop of its own, all within one minute of the clock. */
  async function inOneMinute<T>(work: (shop: Shop) => Promise<T>): Promise<T> {
    const begun = await minute();
    const done = await work(await openShop(service, 100));
    return begun === (await minute()) ? done : inOneMinute(work);
  }

  it("lets 30 sales a minute of each token through, and repeats of them beside", async () => {
    const { shop, first, beyond, repeats, beside } = await inOneMinute(async (shop) => {
      const sales = Array.from({ length: 30 }, () => saleOf(shop));
      const first = await Promise.all(sales.map((sale) => checkOut(shop.till, sale)));
      const beyond = await checkOut(shop.till, saleOf(shop));
      const repeats = await Promise.all(sales.map((sale) => checkOut(shop.till, sale)));
      const other = await tillOf(service, { warehouse_ids: [shop.warehouse_id] });
      return { shop, first, beyond, repeats, beside: await checkOut(other.caller, saleOf(shop)) };
    });
    for (const { status } of [...first, ...repeats, beside]) assert.equal(status, 200);
    assert.deepEqual([beyond.status, beyond.body.error_kind, beyond.body.details], [429, "rate_limited", {}]);
    assert.deepEqual(await stockOf(shop.inventory_id), { on_hand: 69, allocated: 0 });
  });

  it("counts no repeat that comes while the first one runs", async () => {
    const shop = await openShop(service, 100);
    const sale = saleOf(shop);
    const answers = await Promise.all(Array.from({ length: 32 }, () => checkOut(shop.till, sale)));
    assert.equal(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size, 1);
    assert.equal(answers[0]?.status, 200);
    assert.deepEqual(await stockOf(shop.inventory_id), { on_hand: 99, allocated: 0 });
  });

  it("is 120 reads a minute, 60 carts and 30 references", async () => {
    type Ask = (shop: Shop) => Promise<Answer>;
    const cartOf = ({ sku, warehouse, bin }: Shop) => ({
      lines: [{ sku, warehouse_id: warehouse, bin_id: bin, quantity: 1 }],
    });
    const limits: [number, Ask][] = [
      [120, ({ till, sku }) => till.get(`${PATH}/availability?sku=${sku}`)],
      [120, ({ till }) => till.get(`${PATH}/sales-orders/NONE`)],
      [60, (shop) => shop.till.post(`${PATH}/validate-cart`, cartOf(shop))],
      [
        30,
        ({ till, sku }) =>
          till.post(`${PATH}/reference-orders`, { so_number: randomUUID(), lines: [{ sku, quantity: 1 }] }),
      ],
    ];
    for (const [limit, ask] of limits) {
      const answers = await inOneMinute((shop) => Promise.all(Array.from({ length: limit + 2 }, () => ask(shop))));
      assert.equal(answers.filter(({ status }) => status === 429).length, 2);
    }
  });
});
