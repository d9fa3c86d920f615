import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Caller } from "../support/caller.js";
import { floor } from "../support/change.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { variance } from "../support/requests.js";
import { openService, type TestService } from "../support/service.js";
import { waitingOrder } from "../support/waiting.js";

/** The UUIDs that events have, in what people read and search. */
describe("external ids", () => {
  let service: TestService;
  let here: number;
  let worker: Caller;
  let ids: Record<
    "item" | "bin" | "so" | "po" | "user" | "count" | "adjustment" | "transfer" | "vendor" | "backorder",
    string
  >;
  let keys: { item_id: number; bin_id: number; so_id: number; po_id: number; count_id: number };
  before(async () => {
    service = await openService({ worker: true });
    here = await fixtures.warehouse();
    const there = await fixtures.warehouse();
    const at = await floor(service, here);
    worker = await service.user({ warehouse_ids: [here] });
    const { so_id, item_id, bin_id } = await at.order();
    const { po_id } = await at.expected();
    const { transfer_id } = await service.admin.ok("POST", "/api/admin/inter-warehouse-transfer", {
      ...{ item_id, from_bin_id: bin_id, from_warehouse_id: here, quantity: 1 },
      ...{ to_bin_id: await fixtures.bin(there), to_warehouse_id: there },
    });
    await service.admin.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id });
    const adjustment_id = await variance(at);
    const counted = await db.row<{ id: number }>(
      "select cycle_count_id as id from inventory_adjustments where adjustment_id = $1",
      [adjustment_id],
    );
    await db.run("insert into item_fulfillments (so_id, warehouse_id) values ($1, $2)", [so_id, here]);
    const backorder = await waitingOrder(here, [{ item_id, quantity: 1_000 }]);
    const vendor = await service.admin.ok("POST", "/api/admin/vendors", { vendor_name: "Potter" });
    keys = { item_id, bin_id, so_id, po_id, count_id: counted?.id as number };
    const of = async (table: string, key: string, id: unknown) =>
      (await db.value<string>(`select external_id from ${table} where ${key} = $1`, [id])) as string;
    ids = {
      item: await of("items", "item_id", item_id),
      bin: await of("bins", "bin_id", bin_id),
      so: await of("sales_orders", "so_id", so_id),
      po: await of("purchase_orders", "po_id", po_id),
      user: await of("users", "user_id", worker.userId),
      count: await of("cycle_counts", "count_id", keys.count_id),
      adjustment: await of("inventory_adjustments", "adjustment_id", adjustment_id),
      transfer: await of("bin_transfers", "transfer_id", transfer_id),
      vendor: await of("vendors", "canonical_id", vendor.canonical_id),
      backorder: await of("sales_orders", "so_id", backorder.so_id),
    };
  });
  after(() => service.close());

  const read = (path: string) => service.admin.ok("GET", `/api/admin/${path}`);
  const named = (records: { external_id: string }[], id: string) =>
    assert.ok(
      records.some(({ external_id }) => external_id === id),
      `no ${id} in ${JSON.stringify(records)}`,
    );

  it("are in the lists of the admin panel", async () => {
    named((await read("items?per_page=1000")).items, ids.item);
    named((await read("bins?per_page=1000")).bins, ids.bin);
    named((await read("sales-orders?per_page=1000")).sales_orders, ids.so);
    named((await read("purchase-orders?per_page=1000")).purchase_orders, ids.po);
    named((await read("users?per_page=1000")).users, ids.user);
    named((await read("vendors?per_page=1000")).vendors, ids.vendor);
    named((await read("cycle-counts?per_page=1000")).cycle_counts, ids.count);
    named((await read("adjustments/list?per_page=1000")).adjustments, ids.adjustment);
    named((await read("adjustments/pending")).adjustments, ids.adjustment);
    named((await read("inter-warehouse-transfers")).transfers, ids.transfer);
    named((await read("backorders")).backorders, ids.backorder);
  });

  it("stand beside the ids of other records", async () => {
    const { item_id, bin_id, so_id } = keys;
    const [stock] = (await read(`inventory?item_id=${item_id}&bin_id=${bin_id}`)).inventory;
    const [preferred] = (await read(`preferred-bins?item_id=${item_id}&bin_id=${bin_id}`)).preferred_bins;
    for (const row of [stock, preferred])
      assert.deepEqual([row.item_external_id, row.bin_external_id], [ids.item, ids.bin]);
    const [shipment] = (await read(`shipments?warehouse_id=${here}`)).shipments;
    assert.deepEqual([shipment.so_id, shipment.so_external_id], [so_id, ids.so]);
  });

  it("are known to whom they stand for", async () => {
    assert.equal((await worker.ok("GET", "/api/auth/me")).external_id, ids.user);
  });

  it("are in the reads of single records", async () => {
    const { item_id, bin_id, so_id, po_id, count_id } = keys;
    named([(await read(`items/${item_id}`)).item], ids.item);
    named([(await read(`bins/${bin_id}`)).bin], ids.bin);
    named([(await read(`sales-orders/${so_id}`)).sales_order], ids.so);
    named([(await read(`purchase-orders/${po_id}`)).purchase_order], ids.po);
    named((await read(`sales-orders/${so_id}/related`)).records, ids.so);
    named([(await worker.ok("GET", `/api/inventory/cycle-count/${count_id}`)).cycle_count], ids.count);
  });

  it("are in the answers to changes", async () => {
    const { item_id, bin_id, po_id } = keys;
    const put = (path: string, body: object) => service.admin.ok("PUT", `/api/admin/${path}`, body);
    named([await put(`items/${item_id}`, { reorder_point: 3 })], ids.item);
    named([await put(`bins/${bin_id}`, { pick_sequence: 7 })], ids.bin);
    named([await put(`purchase-orders/${po_id}`, { notes: "dock 2" })], ids.po);
    named([await put(`users/${worker.userId}`, { full_name: "Ann Packer" })], ids.user);
    const { external_id, user_id } = await service.admin.ok("POST", "/api/admin/users", {
      ...{ username: `u-${randomUUID()}`, password: "correct horse 1", full_name: "Ann", role: "USER" },
    });
    named(
      [(await read("users?per_page=1000")).users.find((user: { user_id: number }) => user.user_id === user_id)],
      external_id,
    );
  });

  it("are looked up as if they were scanned", async () => {
    const { item_id, bin_id, so_id, po_id } = keys;
    for (const form of [(id: string) => id, (id: string) => id.toUpperCase()]) {
      const scan = (path: string, id: string) => worker.ok("GET", `/api/${path}/${form(id)}`);
      const { item, locations } = await scan("lookup/item", ids.item);
      assert.deepEqual([item.item_id, item.external_id, locations[0].bin_id], [item_id, ids.item, bin_id]);
      const { bin, items } = await scan("lookup/bin", ids.bin);
      assert.deepEqual([bin.bin_id, bin.external_id, items[0].item_id], [bin_id, ids.bin, item_id]);
      const { sales_order } = await scan("lookup/so", ids.so);
      assert.deepEqual([sales_order.so_id, sales_order.external_id], [so_id, ids.so]);
      const { purchase_order } = await scan("receiving/po", ids.po);
      assert.deepEqual([purchase_order.po_id, purchase_order.external_id], [po_id, ids.po]);
      named(await worker.ok("GET", `/api/lookup/item/search?q=${form(ids.item)}`), ids.item);
      named(await worker.ok("GET", `/api/lookup/bin/search?q=${form(ids.bin)}`), ids.bin);
    }
    for (const path of ["lookup/item", "lookup/bin", "lookup/so", "receiving/po"])
      assert.equal((await worker.get(`/api/${path}/${randomUUID()}`)).status, 404);
  });

  it("are not looked up across warehouses", async () => {
    const stranger = await service.user({ warehouse_ids: [await fixtures.warehouse()] });
    for (const path of [`lookup/bin/${ids.bin}`, `lookup/so/${ids.so}`, `receiving/po/${ids.po}`])
      assert.equal((await stranger.get(`/api/${path}`)).status, 404, path);
    assert.deepEqual(await stranger.ok("GET", `/api/lookup/bin/search?q=${ids.bin}`), []);
  });

  it("are searched for in lists", async () => {
    const lists = [
      ["items", "items", ids.item],
      ["bins", "bins", ids.bin],
      ["sales-orders", "sales_orders", ids.so],
      ["purchase-orders", "purchase_orders", ids.po],
      ["vendors", "vendors", ids.vendor],
      ["users", "users", ids.user],
      ["shipments", "shipments", ids.so],
    ] as const;
    for (const [path, plural, id] of lists) {
      const list = await read(`${path}?q=${id}`);
      const [{ external_id, so_external_id = external_id }] = list[plural];
      assert.deepEqual([list.total, so_external_id], [1, id], path);
      assert.equal((await read(`${path}?q=${randomUUID()}`)).total, 0, path);
    }
    const { item_id, bin_id } = keys;
    for (const id of [ids.item, ids.bin]) {
      const { inventory } = await read(`inventory?q=${id}&warehouse_id=${here}`);
      assert.deepEqual([inventory[0].item_id, inventory[0].bin_id], [item_id, bin_id]);
      const { preferred_bins } = await read(`preferred-bins?q=${id}`);
      assert.deepEqual([preferred_bins[0].item_id, preferred_bins[0].bin_id], [item_id, bin_id]);
    }
  });

  it("are found by the search over everything", async () => {
    const { item_id, bin_id, so_id, po_id } = keys;
    const wanted = { item: item_id, bin: bin_id, so: so_id, po: po_id } as const;
    for (const [type, id] of Object.entries(wanted)) {
      const { results } = await read(`search?q=${ids[type as keyof typeof wanted]}`);
      assert.deepEqual(pluckAll(results, "type", "id"), [[type, id]]);
    }
    assert.deepEqual((await read(`search?q=${randomUUID()}`)).results, []);
  });

  it("are found through an index", async () => {
    const indexed = await db.rows<{ table: string }>(
      `select t.table_name as "table" from information_schema.columns t
       where column_name = 'external_id' and data_type = 'uuid' and table_schema = 'public'
         and not exists (select from pg_index i
                         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
                         where i.indrelid = t.table_name::regclass and i.indisunique and a.attname = 'external_id')`,
    );
    assert.deepEqual(indexed, []);
  });
});
