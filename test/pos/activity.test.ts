import assert from "node:assert/strict";
import { type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";

const LIST = "/api/admin/pos/sales-orders";
const SUMMARY = "/api/admin/pos/summary";

interface Booking {
  is_refund?: boolean;
  warehouse_id?: number;
  cashier?: string;
  terminal?: string;
  cents?: number;
  method?: string;
  order_type?: string;
  status?: string;
  origin?: string | null;
  /** How long ago, as Postgres reads it. */
  ago?: string;
}

describe("what tills did", () => {
  const service = testService();
  let here: number;
  let elsewhere: number;
  let manager: Caller;
  before(async () => {
    elsewhere = await fixtures.warehouse();
  });
  beforeEach(async () => {
    here = await fixtures.warehouse();
    manager = await service.user({ warehouse_ids: [here], page_keys: ["pos-activity"] });
  });

  /** An order and its booking, as a till leaves them. */
  async function booked(fields: Booking = {}): Promise<string> {
    const { is_refund = false, warehouse_id = here, cashier = "ann", terminal = "TILL-1", cents = 1_000 } = fields;
    const { method = "card", status = "SHIPPED", origin = "Counter", ago = "0" } = fields;
    const { order_type = is_refund ? "refund" : "sale" } = fields;
    const { so_id, so_number } = await fixtures.salesOrder(warehouse_id, []);
    await db.run(
      `with o as (update sales_orders set order_source = 'pos', order_type = $2, status = $3, order_origin = $4,
                    external_txn_ref = 'ch_1', customer_phone = '+1 555 0100' where so_id = $1)
       insert into counter_bookings (so_id, is_refund, cashier_id, warehouse_id, terminal_id, total_cents,
         payment_method, booked_at)
       values ($1, $5, $6, $7, $8, $9, $10, now() - $11::interval)`,
      [so_id, order_type, status, origin, is_refund, cashier, warehouse_id, terminal, cents, method, ago],
    );
    return so_number;
  }

  const listed = async (query = "", by = manager): Promise<string[]> =>
    (await by.ok("GET", `${LIST}${query}`)).sales_orders.map((one: { so_number: string }) => one.so_number);
  const summary = (by = manager) => by.ok("GET", SUMMARY);

  it("is listed, the newest first, with the facts of the till", async () => {
    const older = await booked({ ago: "1 hour" });
    const newer = await booked({ cashier: "ben", terminal: "TILL-2", cents: 4_590, method: "split" });
    const { sales_orders, ...page } = await manager.ok("GET", LIST);
    assert.deepEqual(page, { total: 2, page: 1, per_page: 50, pages: 1 });
    assert.deepEqual(pluck(sales_orders, "so_number"), [newer, older]);
    const { so_id, order_date, checkout_at, warehouse_code, ...facts } = sales_orders[0];
    assert.deepEqual(facts, {
      ...{ so_number: newer, status: "SHIPPED", order_type: "sale", warehouse_id: here },
      ...{ customer_name: "Customer", customer_phone: "+1 555 0100", external_txn_ref: "ch_1" },
      ...{ cashier_id: "ben", terminal_id: "TILL-2", total_cents: 4_590, payment_method: "split" },
    });
    assert.ok(so_id > 0 && order_date && checkout_at > sales_orders[1].checkout_at);
  });

  it("is paged, also with rows of the same moment", async () => {
    const all = [];
    for (let n = 0; n < 5; n++) all.unshift(await booked());
    const pages = await Promise.all([1, 2, 3].map((page) => listed(`?per_page=2&page=${page}`)));
    assert.deepEqual(pages.flat(), all);
    const { total, pages: count } = await manager.ok("GET", `${LIST}?per_page=2&page=2`);
    assert.deepEqual([total, count], [5, 3]);
  });

  it("is refused above 200 a page", async () => {
    assert.equal((await manager.get(`${LIST}?per_page=200`)).status, 200);
    assert.deepEqual(statusAndError(await manager.get(`${LIST}?per_page=201`)), [400, "validation_error"]);
  });

  it("is filtered by till, cashier, status and day", async () => {
    const one = await booked({ terminal: "TILL-7" });
    const two = await booked({ cashier: "cleo" });
    const three = await booked({ status: "REFUNDED" });
    const old = await booked({ ago: "3 days" });
    assert.deepEqual(await listed("?terminal_id=TILL-7"), [one]);
    assert.deepEqual(await listed("?cashier_id=cleo"), [two]);
    assert.deepEqual(await listed("?status=REFUNDED"), [three]);
    assert.deepEqual(await listed("?status=NO-SUCH"), []);
    const dayOf = async (so_number: string) => {
      const { sales_orders } = await manager.ok("GET", LIST);
      const found = sales_orders.find((sale: { so_number: string }) => sale.so_number === so_number);
      return found.checkout_at.slice(0, 10);
    };
    const then = await dayOf(old);
    assert.deepEqual(await listed(`?since=${then}&until=${then}`), [old]);
    assert.deepEqual(await listed(`?until=${then}`), [old]);
    assert.deepEqual(await listed(`?since=${await dayOf(one)}`), [three, two, one]);
    assert.equal((await manager.get(`${LIST}?since=yesterday`)).status, 400);
  });

  it("is of sales unless refunds or all are asked for; any other type counts as sales", async () => {
    const sale = await booked();
    const refund = await booked({ is_refund: true });
    const exchange = await booked({ order_type: "exchange" });
    for (const query of ["", "?order_type=sale", "?order_type=nonsense"]) assert.deepEqual(await listed(query), [sale]);
    assert.deepEqual(await listed("?order_type=refund"), [refund]);
    assert.deepEqual(await listed("?order_type=all"), [exchange, refund, sale]);
  });

  it("is of the caller's warehouses, in list and summary; an ADMIN sees all", async () => {
    const own = await booked();
    const other = await booked({ warehouse_id: elsewhere, terminal: "TILL-FAR" });
    assert.deepEqual(await listed(), [own]);
    assert.equal((await summary()).today.sales_count, 1);
    const all = await listed("?per_page=200", service.admin);
    assert.ok(all.includes(own) && all.includes(other));
    assert.ok((await summary(service.admin)).active_terminals.includes("TILL-FAR"));
    const nowhere = await service.user({ page_keys: ["pos-activity"] });
    assert.deepEqual(await listed("", nowhere), []);
    assert.equal((await summary(nowhere)).today.sales_count, 0);
  });

  it("is summed up over the last 24 hours, refunds as positive amounts", async () => {
    await booked({ cents: 1_000, terminal: "TILL-2" });
    await booked({ cents: 999_999_999_999, method: "cash" });
    await booked({ is_refund: true, cents: 300, terminal: "TILL-3" });
    await booked({ cents: 70_000, ago: "25 hours", terminal: "TILL-OLD" });
    const { today, active_terminals } = await summary();
    assert.deepEqual(today, {
      ...{ sales_count: 2, sales_total_cents: 1_000_000_000_999 },
      ...{ refund_count: 1, refund_total_cents: 300 },
    });
    assert.deepEqual(active_terminals, ["TILL-1", "TILL-2", "TILL-3"]);
  });

  it("is split by hour, day, origin and tender, which agree with each other", async () => {
    await booked({ cents: 100 });
    await booked({ cents: 250, ago: "5 hours", method: "cash", origin: null });
    await booked({ cents: 7, ago: "23 hours 59 minutes" });
    await booked({ cents: 5_000, ago: "3 days" });
    await booked({ cents: 9_000, ago: "9 days" });
    await booked({ is_refund: true, cents: 60 });
    const { today, hourly, weekly, by_origin, by_tender } = await summary();
    const sum = (rows: { total_cents: number; count: number }[]) => [
      rows.reduce((total, row) => total + row.total_cents, 0),
      rows.reduce((total, row) => total + row.count, 0),
    ];
    assert.deepEqual([today.sales_total_cents, today.sales_count], [357, 3]);
    assert.deepEqual(sum(hourly), [357, 3]);
    assert.deepEqual([hourly.length, weekly.length], [25, 7]);
    assert.deepEqual(sum(weekly), [5_357, 4]);
    assert.deepEqual(by_tender, [
      { method: "cash", total_cents: 250, count: 1 },
      { method: "card", total_cents: 107, count: 2 },
    ]);
    assert.deepEqual(by_origin, [
      { origin: null, total_cents: 250, count: 1 },
      { origin: "Counter", total_cents: 107, count: 2 },
    ]);
    assert.ok(hourly.every((row: { hour: string }) => row.hour.slice(14, 19) === "00:00"));
  });

  it("has indexes for each filter, however much tills sold", async () => {
    const plan = async (where: string) => {
      const rows = await db.rows<Record<string, string>>(
        `explain select so_id from counter_bookings where ${where} order by booked_at desc, so_id desc limit 50`,
      );
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    };
    await db.run(
      `with sold as (
         insert into sales_orders (so_number, warehouse_id, order_source, order_date)
         select 'MANY-' || n, $1, 'pos', current_date from generate_series(1, 20000) n returning so_id)
       insert into counter_bookings (so_id, is_refund, warehouse_id, cashier_id, terminal_id, booked_at)
       select so_id, false, $1, 'C' || so_id % 300, 'T' || so_id % 300, now() - so_id * interval '1 second' from sold`,
      [elsewhere],
    );
    await db.run("analyze counter_bookings");
    assert.match(await plan("true"), /counter_bookings_newest/);
    assert.match(await plan("terminal_id = 'T7'"), /counter_bookings_terminal/);
    assert.match(await plan("cashier_id = 'C7'"), /counter_bookings_cashier/);
  });
});
