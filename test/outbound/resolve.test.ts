import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Caller, statusAndError } from "../support/caller.js";
import { floor } from "../support/change.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { age, EVENTS, error, partner, told } from "../support/polling.js";
import { variance } from "../support/requests.js";
import { testService } from "../support/service.js";

describe("an id in an event", () => {
  const service = testService({ worker: true });
  let here: number;
  let reader: Caller;
  before(async () => {
    await useTestMappings();
    await db.run("insert into connectors values ('erp', 'ERP')");
    here = await fixtures.warehouse();
    reader = await partner(service, [here]);
  });

  const path = (type: string, id: string, source_system?: string) =>
    `/api/v1/resolve?${new URLSearchParams({ type, id, ...(source_system && { source_system }) })}`;
  const ask = async (type: string, id: string, by = reader) => told(await by.get(path(type, id)));
  const externalId = async (table: string, key: string, id: number) =>
    (await db.value<string>(`select external_id from ${table} where ${key} = $1`, [id])) as string;

  it("leads to code, name and warehouse of a record", async () => {
    const at = await floor(service, here);
    const { so_id, so_number, item_id, sku, bin_id } = await at.order();
    const { po_id, ...goods } = await at.expected();
    const picker = await service.user({ warehouse_ids: [here] });
    const bin = await db.row<{ bin_code: string; zone_name: string }>(
      "select bin_code, zone_name from bins join zones using (zone_id) where bin_id = $1",
      [bin_id],
    );
    const po = await db.row<{ po_number: string }>("select po_number from purchase_orders where po_id = $1", [po_id]);
    const user = await db.row<{ full_name: string }>("select full_name from users where user_id = $1", [picker.userId]);
    const { receipt_ids } = await at.by.ok("POST", "/api/receiving/receive", {
      ...{ po_id, items: [{ item_id: goods.item_id, bin_id: goods.bin_id, quantity: 3 }] },
    });
    const to_bin_id = await fixtures.bin(here);
    const { transfer_id } = await at.by.ok("POST", "/api/transfers/move", {
      ...{ item_id, from_bin_id: bin_id, to_bin_id, quantity: 1 },
    });
    const adjustment_id = await variance(at);
    const counted = await db.row<{ count_id: number }>(
      "select cycle_count_id as count_id from inventory_adjustments where adjustment_id = $1",
      [adjustment_id],
    );
    const count_id = counted?.count_id as number;
    const records: [type: string, table: string, key: string, id: number, code: unknown, name?: unknown][] = [
      ["item", "items", "item_id", item_id, sku, `Item ${sku}`],
      ["bin", "bins", "bin_id", bin_id, bin?.bin_code, bin?.zone_name],
      ["user", "users", "user_id", picker.userId, picker.username, user?.full_name],
      ["sales_order", "sales_orders", "so_id", so_id, so_number],
      ["purchase_order", "purchase_orders", "po_id", po_id, po?.po_number],
      ["receipt", "item_receipts", "receipt_id", receipt_ids[0], `${receipt_ids[0]}`],
      ["transfer", "bin_transfers", "transfer_id", transfer_id, `${transfer_id}`],
      ["adjustment", "inventory_adjustments", "adjustment_id", adjustment_id, `${adjustment_id}`],
      ["cycle_count", "cycle_counts", "count_id", count_id, `${count_id}`],
    ];
    for (const [type, table, key, id, code, name = null] of records) {
      const external_id = await externalId(table, key, id);
      const warehouse_id = type === "item" || type === "user" ? null : here;
      const answer = { type, external_id, code, name, warehouse_id, source_ids: [] };
      assert.deepEqual(await ask(type, external_id), [200, answer]);
      assert.deepEqual(await ask(type, external_id.toUpperCase()), [200, answer]);
    }
  });

  it("leads to the record as the event has it, whichever system named it", async () => {
    const shop = await sender(service, { warehouse_ids: [here] });
    const item = await pushedItem(shop);
    const order = fresh("order");
    const taken = await push(shop, "sales_orders", order, 1, {
      ...{ so_number: order, warehouse_id: here },
      lines: [{ item_id: item.external_id, quantity_ordered: 1, line_number: 1 }],
    });
    assert.equal(taken.status, 201);
    const bin_id = await fixtures.bin(here);
    await service.admin.ok("POST", "/api/admin/adjustments/direct", {
      ...{ item_id: item.item_id, bin_id, warehouse_id: here },
      ...{ adjustment_type: "ADD", quantity: 1, reason: "found" },
    });
    await age();
    const { events } = await reader.ok("GET", `${EVENTS}?types=inventoryadjusted.completed&limit=2000`);
    const { data } = events.at(-1);
    assert.equal(data.item_external_id, item.external_id);
    const [, found] = await ask("item", data.item_external_id);
    assert.equal(found.code, item.external_id);
    assert.deepEqual(found.source_ids, [{ source_system: "shop", external_id: item.external_id }]);
    assert.deepEqual(await ask("item", found.external_id), [200, found]);
    const [status, { code, external_id }] = await ask("sales_order", order);
    assert.deepEqual([status, code, external_id], [200, order, taken.body.canonical_id]);
    const [, bin] = await ask("bin", data.bin_external_id);
    assert.equal(bin.external_id, data.bin_external_id);
    const [, admin] = await ask("user", data.applied_by_user_external_id);
    assert.equal(admin.code, service.admin.username);
  });

  it("is found by who may poll, or has the endpoint alone", async () => {
    const { item_id, sku } = await fixtures.item();
    const external_id = await externalId("items", "item_id", item_id);
    for (const endpoint of ["events.poll", "events.resolve"]) {
      const by = await partner(service, [here], { endpoints: [endpoint] });
      assert.equal((await ask("item", external_id, by))[1].code, sku);
    }
    const without = await partner(service, [here], { endpoints: ["events.ack", "snapshot.inventory"] });
    assert.deepEqual(await ask("item", external_id, without), error(403, "endpoint_scope_violation"));
  });

  it("is unknown outside the token's warehouses", async () => {
    const there = await fixtures.warehouse();
    const { item_id } = await fixtures.item();
    const { so_id } = await fixtures.salesOrder(there, [{ item_id, quantity: 1 }]);
    const bin_id = await fixtures.bin(there);
    const other = await service.user({ warehouse_ids: [there] });
    const hidden: [string, string][] = [
      ["sales_order", await externalId("sales_orders", "so_id", so_id)],
      ["bin", await externalId("bins", "bin_id", bin_id)],
      ["user", await externalId("users", "user_id", other.userId)],
    ];
    const their = await partner(service, [there]);
    const nobody = await partner(service, []);
    for (const [type, id] of hidden) {
      assert.equal((await ask(type, id, their))[0], 200);
      assert.deepEqual(await ask(type, id), error(404, "unknown_record"));
      assert.deepEqual(await ask(type, id, nobody), error(404, "unknown_record"));
    }
    const item = await externalId("items", "item_id", item_id);
    assert.deepEqual(await ask("item", item, nobody), error(404, "unknown_record"));
    assert.deepEqual(await ask("bin", item), error(404, "unknown_record"));
    for (const id of [randomUUID(), "no such id", "%"])
      assert.deepEqual(await ask("item", id), error(404, "unknown_record"));
  });

  it("that two systems use is told apart by the system", async () => {
    const id = fresh("same");
    const ours: string[] = [];
    for (const source_system of ["shop", "clock"]) {
      const by = await sender(service, { source_system });
      const version = source_system === "shop" ? 1 : "2026-05-06T12:00:00Z";
      const names = { sku: `${id}-${source_system}`, item_name: id };
      const { status, body } = await push(by, "items", id, version, names);
      assert.equal(status, 201);
      ours.push(body.canonical_id);
    }
    assert.deepEqual(await ask("item", id), error(409, "ambiguous_id", { source_systems: ["clock", "shop"] }));
    for (const [i, source_system] of ["shop", "clock"].entries()) {
      const found = await reader.ok("GET", path("item", id, source_system));
      assert.deepEqual([found.external_id, found.code], [ours[i], `${id}-${source_system}`]);
      const uuid = found.external_id;
      assert.deepEqual(told(await reader.get(path("item", uuid, source_system))), error(404, "unknown_record"));
    }
    assert.deepEqual(told(await reader.get(path("item", id, "other"))), error(404, "unknown_record"));
  });

  it("needs a type that events name", async () => {
    for (const query of ["type=order&id=1", "id=1", "type=item", "type=item&id=", "type=item&id=1&more=1"]) {
      assert.deepEqual(statusAndError(await reader.get(`/api/v1/resolve?${query}`)), [400, "validation_error"], query);
    }
  });
});
