import assert from "node:assert/strict";
import { statusAndBody } from "../support/caller.js";
import { db } from "../support/db.js";
import { desk } from "../support/desk.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import { pickedOrder } from "../support/walk.js";

const eventsOf = (so_number: string) =>
  db.rows<{ event_type: string; payload: Record<string, unknown> }>(
    `select event_type, event_data(e) as payload from integration_events e join sales_orders so
      on so.external_id = e.aggregate_external_id
     where so_number = $1 order by outbox_id`,
    [so_number],
  );

describe("editing a sales order's header", () => {
  const { at, order, trusted } = desk();
  const read = async (path: string) => (await at().service.admin.ok("GET", path)).sales_order;

  it("changes what is sent, and audits it field by field", async () => {
    const { path, so_id, so_number } = await order({ memo: "old" });
    const before = await read(path);
    const mark = await auditMark();
    const fields = {
      so_number: `${so_number}-B`,
      so_barcode: "4711",
      customer_name: "Ada",
      customer_phone: "+44 20",
      customer_email: "ada@example.com",
      customer_address: "1 Square",
      ship_method: "Ground",
      ship_address: "2 Square",
      ship_by_date: "2026-05-06",
      priority: 7,
      memo: "new",
      carrier: "UPS",
      tracking_number: "1Z999",
      order_origin: "web",
    };
    const { clerk, here } = at();
    const edited = await clerk.ok("PUT", path, fields);
    const after = await read(path);
    assert.deepEqual(after, { ...before, ...fields });
    const { edited_fields, ...answer } = edited;
    assert.deepEqual(answer, {
      so_id,
      so_number: `${so_number}-B`,
      so_barcode: "4711",
      customer_name: "Ada",
      status: "OPEN",
      warehouse_id: here,
      ship_method: "Ground",
      ship_address: "2 Square",
      source_system: null,
      created_at: before.created_at,
    });
    assert.deepEqual([...edited_fields].sort(), Object.keys(fields).sort());
    const audits = await auditSince(mark);
    assert.equal(audits.length, edited_fields.length);
    assert.deepEqual(
      audits.find((row) => row.details.field === "priority"),
      {
        action_type: "SO_HEADER_EDITED",
        entity_type: "SO",
        entity_id: so_id,
        user_id: clerk.username,
        warehouse_id: here,
        details: { so_number, field: "priority", old_value: "0", new_value: "7" },
      },
    );
    const [event, ...others] = await eventsOf(`${so_number}-B`);
    assert.deepEqual(others, []);
    assert.equal(event?.event_type, "salesorderedit.completed");
    const changes = event?.payload.changes as { field: string }[];
    assert.deepEqual([event?.payload.so_number, event?.payload.status], [`${so_number}-B`, "OPEN"]);
    assert.deepEqual(
      changes,
      audits.map(({ details: { so_number: _, ...change } }) => change),
    );
    assert.deepEqual(
      changes.find((change) => change.field === "memo"),
      { field: "memo", old_value: "old", new_value: "new" },
    );
    await assertEventsMatchSchemas();
  });

  it("clears what is sent empty or null", async () => {
    const columns = {
      ...{ memo: "x", ship_by_date: "2026-05-06", source_system: "shop" },
      ...{ customer_name: "Ada", shipped_at: "2026-05-06T09:00:00Z" },
    };
    const { path } = await order(columns);
    const { edited_fields } = await at().service.admin.ok("PUT", path, {
      ...{ memo: "", ship_by_date: "", source_system: "", shipped_at: "" },
      customer_name: null,
    });
    assert.deepEqual(edited_fields.sort(), Object.keys(columns).sort());
    const after = await read(path);
    for (const column of ["memo", "ship_by_date", "source_system", "customer_name", "shipped_date_local"])
      assert.equal(after[column], null, column);
  });

  it("answers unchanged when nothing differs, and writes nothing", async () => {
    const { path, so_number } = await order({ shipped_at: "2026-05-06T09:30:00Z" });
    const mark = await auditMark();
    const answer = await at().clerk.ok("PUT", path, {
      ...{ so_number, priority: 0, memo: "", status: "OPEN" },
      shipped_at: "2026-05-06",
    });
    assert.deepEqual(answer, { unchanged: true });
    assert.deepEqual(await auditSince(mark), []);
    assert.deepEqual(await eventsOf(so_number), []);
  });

  it("keeps the fields of both when two edit one order at the same moment", async () => {
    const { path, so_id } = await order();
    const { service, clerk } = at();
    const mark = await auditMark();
    await Promise.all([
      ...["A", "B", "C"].flatMap((name) => [
        clerk.ok("PUT", path, { customer_name: name }),
        service.admin.ok("PUT", path, { memo: name }),
      ]),
    ]);
    const after = await read(path);
    const audits = (await auditSince(mark)).filter((row) => row.entity_id === so_id);
    for (const field of ["customer_name", "memo"]) {
      const changes = audits.filter((row) => row.details.field === field);
      const values = changes.map((row) => row.details.new_value);
      assert.deepEqual([...values].sort(), ["A", "B", "C"], field);
      assert.equal(after[field], values.at(-1));
      // Each one saw what the one before had written.
      assert.deepEqual(
        changes.slice(1).map((row) => row.details.old_value),
        values.slice(0, -1),
      );
    }
  });

  it("refuses a number that another order has", async () => {
    const [one, other] = [await order(), await order()];
    const answer = await at().clerk.put(one.path, { so_number: other.so_number });
    assert.deepEqual([answer.status, answer.body], [400, { error: `Sales order ${other.so_number} already exists` }]);
  });

  it("refuses an unknown order, and one of another warehouse", async () => {
    const { clerk, elsewhere } = at();
    const unknown = await clerk.put("/api/admin/sales-orders/999999", { memo: "x" });
    assert.deepEqual([unknown.status, unknown.body], [404, { error: "Sales order not found" }]);
    const { path } = await order({ warehouse_id: elsewhere });
    const denied = await clerk.put(path, { memo: "x" });
    assert.deepEqual([denied.status, denied.body], [403, { error: "Access denied for this warehouse" }]);
  });

  describe("is for", () => {
    const outcomes = async (by: "clerk" | "trusted" | "admin", statuses: string[]) => {
      const { service, clerk } = at();
      const who = { clerk, admin: service.admin, trusted: await trusted() }[by];
      const found: Record<string, number> = {};
      for (const status of statuses) {
        const { path, so_number } = await order({ status });
        const answer = await who.put(path, { memo: "x" });
        found[status] = answer.status;
        if (answer.status === 403)
          assert.deepEqual(answer.body, {
            error: `Sales order ${so_number} is ${status}: you may not edit it`,
            current_status: status,
          });
      }
      return found;
    };
    const all = ["OPEN", "PICKED", "CANCELLED", "FRAUD_REVIEW", "SHIPPED"];

    it("a user with the page while the order is OPEN", async () =>
      assert.deepEqual(await outcomes("clerk", all), {
        ...{ OPEN: 200, PICKED: 403, CANCELLED: 403 },
        ...{ FRAUD_REVIEW: 403, SHIPPED: 403 },
      }));

    it("a user with so-full-edit until it is SHIPPED", async () =>
      assert.deepEqual(await outcomes("trusted", all), {
        ...{ OPEN: 200, PICKED: 200, CANCELLED: 200 },
        ...{ FRAUD_REVIEW: 200, SHIPPED: 403 },
      }));

    it("an ADMIN in any status", async () =>
      assert.deepEqual(await outcomes("admin", all), {
        ...{ OPEN: 200, PICKED: 200, CANCELLED: 200 },
        ...{ FRAUD_REVIEW: 200, SHIPPED: 200 },
      }));

    it("so-full-edit alone where the source system is to change", async () => {
      const { path, so_id } = await order();
      const answer = await at().clerk.put(path, { source_system: "shop" });
      assert.deepEqual(statusAndBody(answer), [
        403,
        { error: "You may not change the source system of a sales order" },
      ]);
      const mark = await auditMark();
      const edited = await (await trusted()).ok("PUT", path, { source_system: "shop" });
      assert.equal(edited.source_system, "shop");
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "entity_id"), [
        ["SO_SOURCE_SYSTEM_REASSIGNED", so_id],
      ]);
      // Sent as it is, it changes nothing.
      const same = { source_system: "shop" };
      assert.deepEqual(await at().clerk.ok("PUT", path, same), { unchanged: true });
    });
  });

  describe("to SHIPPED", () => {
    /** An order that was walked for, whose header is then set. */
    async function picked(columns: Record<string, string> = {}, found?: number) {
      const { service, here } = at();
      const item = await fixtures.item();
      const so = await pickedOrder(service.admin, here, [{ item, quantity: 5, ...(found !== undefined && { found }) }]);
      for (const [column, value] of Object.entries(columns))
        await db.run(`update sales_orders set ${column} = $2 where so_id = $1`, [so.so_id, value]);
      const path = `/api/admin/sales-orders/${so.so_id}`;
      return { ...so, item, path };
    }

    it("ships the order as the shipping desk would, with the audit rows and events of both", async () => {
      const { path, so_id, so_number, item, bins } = await picked();
      const mark = await auditMark();
      const edited = await at().service.admin.ok("PUT", path, {
        ...{ status: "SHIPPED", tracking_number: "1Z999" },
        ...{ ship_method: "ups ground", memo: "by hand" },
        shipped_at: "2026-05-06",
      });
      assert.equal(edited.status, "SHIPPED");
      assert.deepEqual(edited.edited_fields.sort(), [
        ...["carrier", "memo", "ship_method", "shipped_at"],
        ...["status", "tracking_number"],
      ]);
      const order = await read(path);
      assert.deepEqual([order.status, order.carrier, order.tracking_number], ["SHIPPED", "UPS", "1Z999"]);
      assert.equal(order.shipped_date_local, "2026-05-06");
      assert.deepEqual(
        await db.rows(
          `select tracking_number, carrier, ship_method, f.status, pre_ship_status, l.item_id, l.quantity_shipped,
            l.bin_id
           from item_fulfillments f join item_fulfillment_lines l using (fulfillment_id) where so_id = $1`,
          [so_id],
        ),
        [
          {
            ...{ tracking_number: "1Z999", carrier: "UPS" },
            ...{ ship_method: "ups ground", status: "SHIPPED" },
            ...{ pre_ship_status: "PICKED", item_id: item.item_id },
            ...{ quantity_shipped: 5, bin_id: bins[0] },
          },
        ],
      );
      const actions = (await auditSince(mark)).map((row) => row.action_type);
      assert.deepEqual([actions[0], new Set(actions.slice(1))], ["SHIP", new Set(["SO_HEADER_EDITED"])]);
      const events = (await eventsOf(so_number)).slice(-2);
      assert.deepEqual(pluck(events, "event_type"), ["ship.confirmed", "salesorderedit.completed"]);
      assert.deepEqual([events[0]?.payload.carrier, events[0]?.payload.service_level], ["UPS", "ups ground"]);
      assert.deepEqual(events[0]?.payload.tracking_numbers, ["1Z999"]);
      assert.equal(events[1]?.payload.status, "SHIPPED");
      await assertEventsMatchSchemas();
    });

    it("takes the time of now, unless a day is sent", async () => {
      const { path, so_id } = await picked({ tracking_number: "1Z999" });
      await at().service.admin.ok("PUT", path, { status: "SHIPPED" });
      const row = await db.row<{ recent: boolean }>(
        "select shipped_at > now() - interval '1 minute' as recent from sales_orders where so_id = $1",
        [so_id],
      );
      assert.equal(row?.recent, true);
    });

    it("needs no tracking number for a pickup", async () => {
      const { path, so_number } = await picked({ ship_method: "Local Pickup" });
      const { edited_fields } = await (await trusted()).ok("PUT", path, { status: "SHIPPED", tracking_number: "" });
      assert.deepEqual(edited_fields.sort(), ["carrier", "status"]);
      const order = await read(path);
      assert.deepEqual([order.carrier, order.tracking_number], ["Other", null]);
      const [, shipped] = await eventsOf(so_number);
      assert.deepEqual(shipped?.payload.tracking_numbers, []);
    });

    it("takes the carrier that is sent, else the order's, else that of its ship method", async () => {
      const carrierFor = async (columns: Record<string, string>, sent: object = {}) => {
        const { path } = await picked({ tracking_number: "1Z", ...columns });
        await at().service.admin.ok("PUT", path, { status: "SHIPPED", ...sent });
        return (await read(path)).carrier;
      };
      const own = { carrier: "Own", ship_method: "DHL Express" };
      assert.equal(await carrierFor(own, { carrier: "Sent" }), "Sent");
      assert.equal(await carrierFor(own), "Own");
      assert.equal(await carrierFor(own, { carrier: "" }), "DHL");
    });

    it("is refused in every other status, as is every other change of status", async () => {
      const refused = async (status: string, wanted: string, more = {}) => {
        const { path, so_number } = await order({ status, ...more });
        const answer = await at().service.admin.put(path, { status: wanted, tracking_number: "1Z999" });
        assert.deepEqual(statusAndBody(answer), [
          422,
          { error: `Sales order ${so_number} is ${status}: an edit cannot make it ${wanted}`, current_status: status },
        ]);
        assert.equal((await read(path)).tracking_number, null);
      };
      for (const status of ["OPEN", "CANCELLED", "WAITING_STOCK", "REFUNDED"]) await refused(status, "SHIPPED");
      await refused("PICKED", "SHIPPED", { order_type: "return" });
      await refused("PICKED", "OPEN");
      await refused("OPEN", "CANCELLED");
      await refused("SHIPPED", "PICKED");
    });

    it("is refused without a tracking number", async () => {
      const { path } = await picked({ tracking_number: "1Z999" });
      const answer = await at().service.admin.put(path, { status: "SHIPPED", tracking_number: " " });
      assert.deepEqual(statusAndBody(answer), [
        422,
        { error: "A tracking number is required unless the ship method is a pickup" },
      ]);
    });

    it("is refused when something was picked short in silence, or nothing at all", async () => {
      const silent = await picked({ tracking_number: "1Z999" });
      await db.run("update sales_order_lines set quantity_ordered = 6 where so_id = $1", [silent.so_id]);
      const answer = await at().service.admin.put(silent.path, { status: "SHIPPED" });
      assert.equal(answer.status, 422);
      assert.deepEqual(answer.body.lines, [{ sku: silent.item.sku, ordered: 6, picked: 5 }]);
      const nothing = await picked({ tracking_number: "1Z999" }, 0);
      const refused = await at().service.admin.put(nothing.path, { status: "SHIPPED" });
      assert.deepEqual([refused.status, refused.body.kind], [422, "nothing_to_ship"]);
      assert.equal((await read(nothing.path)).status, "PICKED");
    });

    it("ships once when two ask at the same moment", async () => {
      const { path, so_id } = await picked({ tracking_number: "1Z999" });
      const { service } = at();
      const answers = await Promise.all([1, 2, 3].map(() => service.admin.ok("PUT", path, { status: "SHIPPED" })));
      assert.equal(answers.filter((answer) => answer.unchanged).length, answers.length - 1);
      assert.equal((await db.rows("select from item_fulfillments where so_id = $1", [so_id])).length, 1);
    });
  });
});

describe("a day of shipping that an edit sets", () => {
  const env = { SERVICE_COMPANY_TIMEZONE: "America/New_York" };
  const { at, order } = desk({ env });

  it("is kept as noon of the company's day", async () => {
    const { path, so_id } = await order();
    const edit = (shipped_at: string) => at().clerk.ok("PUT", path, { shipped_at });
    await edit("2026-05-06");
    const row = await db.row<{ shipped_at: string }>("select shipped_at from sales_orders where so_id = $1", [so_id]);
    assert.equal(row?.shipped_at, "2026-05-06T16:00:00+00:00");
    const { sales_order } = await at().clerk.ok("GET", path);
    assert.equal(sales_order.shipped_date_local, "2026-05-06");
    assert.deepEqual(await edit("2026-05-06"), { unchanged: true });
  });
});
