import assert from "node:assert/strict";
import { sealAll } from "../../activities/outbound/sequencer.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";

const ROUTE = "/api/admin/audit-log";

interface Entry {
  action_type: string;
  entity_type: string;
  entity_id: number;
  entity_name: string | null;
  username: string;
  details: Record<string, unknown>;
}

describe("audit log", () => {
  const service = testService();
  let warehouse_id: number;
  let elsewhere: number;
  let mug: Awaited<ReturnType<typeof fixtures.item>>;
  let shelf: number;
  before(async () => {
    [warehouse_id, elsewhere] = [await fixtures.warehouse(), await fixtures.warehouse()];
    mug = await fixtures.item({ sku: "MUG" });
    shelf = await fixtures.bin(warehouse_id, { code: "SHELF-1" });
  });

  /** Writes a row as a command would; each test has an action of its own. */
  async function wrote(
    action: string,
    fields: Partial<Entry & { warehouse_id: number | null; created_at: string }> = {},
  ) {
    await db.run(
      `insert into audit_log (action_type, entity_type, entity_id, user_id, warehouse_id, details, created_at)
       values ($1, $2, $3, $4, $5, $6, coalesce($7::timestamptz, now()))`,
      [
        action,
        fields.entity_type ?? "ITEM",
        fields.entity_id ?? mug.item_id,
        fields.username ?? "admin",
        fields.warehouse_id === undefined ? warehouse_id : fields.warehouse_id,
        JSON.stringify(fields.details ?? {}),
        fields.created_at,
      ],
    );
  }
  const list = async (query: string, as = service.admin): Promise<Entry[]> =>
    (await as.ok("GET", `${ROUTE}?${query}`)).entries;

  it("names the entity, the user and the warehouse, and puts codes for the ids in the details", async () => {
    const { so_id, so_number } = await fixtures.salesOrder(warehouse_id, []);
    const { po_id, po_number } = await fixtures.purchaseOrder(warehouse_id, []);
    await wrote("NAMES", {
      entity_type: "SO",
      entity_id: so_id,
      details: {
        item_id: mug.item_id,
        from_bin_id: shelf,
        to_bin_id: 999_999,
        so_id,
        po_id,
        po_line_id: 1,
        quantity: 3,
        reason: "so it is",
        item_ids: [mug.item_id],
      },
    });
    const [{ log_id, created_at, warehouse_code, ...entry }] = (
      await service.admin.ok("GET", `${ROUTE}?action_type=NAMES`)
    ).entries;
    assert.match(warehouse_code, /^W/);
    assert.deepEqual(entry, {
      action_type: "NAMES",
      entity_type: "SO",
      entity_id: so_id,
      entity_name: so_number,
      username: "admin",
      actor_name: "admin",
      device_id: null,
      warehouse_id,
      details: {
        item: "MUG",
        from_bin: "SHELF-1",
        to_bin_id: 999_999,
        so: so_number,
        po: po_number,
        po_line_id: 1,
        quantity: 3,
        reason: "so it is",
        item_ids: [mug.item_id],
      },
    });
  });

  it("names entities of every kind; one that is gone has no name", async () => {
    const batch = await db.row<{ batch_id: number }>(
      "insert into pick_batches (batch_number, warehouse_id) values ('WAVE-1', $1) returning batch_id",
      [warehouse_id],
    );
    const counted = (await db.row<{ count_id: number; adjustment_id: number }>(
      `with c as (insert into cycle_counts (warehouse_id, bin_id) values ($1, $2) returning count_id)
       insert into inventory_adjustments (item_id, bin_id, warehouse_id, quantity_change, reason_code, cycle_count_id)
       select $3, $2, $1, 1, 'CYCLE_COUNT', count_id from c returning cycle_count_id as count_id, adjustment_id`,
      [warehouse_id, shelf, mug.item_id],
    )) as { count_id: number; adjustment_id: number };
    const kinds: [string, number, string][] = [
      ["ITEM", mug.item_id, "select sku as name from items where item_id = $1"],
      ["BIN", shelf, "select bin_code as name from bins where bin_id = $1"],
      ["WAREHOUSE", warehouse_id, "select warehouse_code as name from warehouses where warehouse_id = $1"],
      ["ZONE", 1, "select zone_code as name from zones where zone_id = $1"],
      ["PICK_BATCH", batch?.batch_id as number, "select batch_number as name from pick_batches where batch_id = $1"],
      ["USER", service.admin.userId, "select username as name from users where user_id = $1"],
      [
        "CYCLE_COUNT",
        counted.count_id,
        "select bin_code as name from cycle_counts join bins using (bin_id) where count_id = $1",
      ],
      [
        "INVENTORY_ADJUSTMENT",
        counted.adjustment_id,
        "select sku as name from inventory_adjustments join items using (item_id) where adjustment_id = $1",
      ],
      ["SETTING", 1, "select key as name from app_settings where id = $1"],
    ];
    for (const [entity_type, entity_id] of kinds) await wrote("KINDS", { entity_type, entity_id });
    await wrote("KINDS", { entity_type: "ITEM", entity_id: 999_999 });
    await wrote("KINDS", { entity_type: "COMET", entity_id: 1 });
    const names = new Map(
      (await list("action_type=KINDS")).map((e) => [`${e.entity_type} ${e.entity_id}`, e.entity_name]),
    );
    for (const [kind, id, query] of kinds) {
      const found = await db.row<{ name: string }>(query, [id]);
      assert.ok(found);
      assert.equal(names.get(`${kind} ${id}`), found.name);
    }
    assert.deepEqual([names.get("ITEM 999999"), names.get("COMET 1")], [null, null]);
  });

  it("puts codes for the ids of what an edit changed, and tells a vendor by the name in the row", async () => {
    await wrote("EDIT", {
      details: {
        preferred_bin_id: shelf,
        changed: { default_bin_id: { old: null, new: shelf }, item_name: { old: "Cup", new: "Mug" } },
      },
    });
    await wrote("EDIT", { entity_type: "VENDOR", entity_id: 0, details: { vendor_name: "Acme" } });
    const [vendor, edit] = await list("action_type=EDIT");
    assert.equal(vendor?.entity_name, "Acme");
    assert.deepEqual(edit?.details, {
      preferred_bin_id: shelf,
      changed: { default_bin: { old: null, new: "SHELF-1" }, item_name: { old: "Cup", new: "Mug" } },
    });
  });

  it("is found by user, and by item as entity or in the details", async () => {
    const { item_id } = await fixtures.item();
    await wrote("FOUND", { entity_id: item_id, username: "ann" });
    await wrote("FOUND", { entity_type: "SO", entity_id: item_id, details: { item_id }, username: "bob" });
    await wrote("FOUND", { entity_type: "SO", entity_id: item_id, username: "bob" });
    assert.equal((await list("action_type=FOUND&user_id=bob")).length, 2);
    const ofItem = await list(`item_id=${item_id}`);
    assert.deepEqual(ofItem.map((e) => [e.entity_type, e.username]).sort(), [
      ["ITEM", "ann"],
      ["SO", "bob"],
    ]);
  });

  it("is found by days, whose last counts whole, and by moments", async () => {
    for (const [day, created_at] of [
      ["5th", "2026-05-05T23:59:59.999Z"],
      ["6th", "2026-05-06T00:00:00Z"],
      ["6th late", "2026-05-06T23:59:59.999999Z"],
      ["7th", "2026-05-07T00:00:00Z"],
    ] as const) {
      await wrote("DAYS", { created_at, details: { day } });
    }
    const days = async (query: string) =>
      (await list(`action_type=DAYS&sort_direction=asc&${query}`)).map((e) => e.details.day);
    assert.deepEqual(await days("start_date=2026-05-06&end_date=2026-05-06"), ["6th", "6th late"]);
    assert.deepEqual(await days("start_date=2026-05-06"), ["6th", "6th late", "7th"]);
    assert.deepEqual(await days("end_date=2026-05-05"), ["5th"]);
    assert.deepEqual(await days("end_date=2026-05-06T00:00:00Z"), ["5th", "6th"]);
    assert.deepEqual(await days("start_date=2026-05-07T02:00:00%2B02:00"), ["7th"]);
    for (const wrong of ["2026-02-30", "yesterday", "0000-01-01", "9999-12-31", "2026-05-06T00:00:00"]) {
      assert.equal((await service.admin.get(`${ROUTE}?start_date=${wrong}`)).status, 400, wrong);
      assert.equal((await service.admin.get(`${ROUTE}?end_date=${wrong}`)).status, 400, wrong);
    }
  });

  it("is sorted newest first unless another order is asked for, without overlap between pages", async () => {
    await wrote("SORT", { username: "bob", entity_type: "BIN" });
    await wrote("SORT", { username: "ann", entity_type: "ZONE" });
    await wrote("SORT", { username: "cat", entity_type: "ITEM" });
    const users = async (query: string) => (await list(`action_type=SORT&${query}`)).map((e) => e.username);
    assert.deepEqual(await users(""), ["cat", "ann", "bob"]);
    assert.deepEqual(await users("sort_direction=asc"), ["bob", "ann", "cat"]);
    assert.deepEqual(await users("sort_by=user_id&sort_direction=asc"), ["ann", "bob", "cat"]);
    assert.deepEqual(await users("sort_by=entity_type"), ["ann", "cat", "bob"]);
    assert.deepEqual(await users("sort_by=action_type&per_page=2"), ["cat", "ann"]);
    assert.deepEqual(await users("sort_by=action_type&per_page=2&page=2"), ["bob"]);
    assert.deepEqual(await users("sort_by=details&sort_direction=up"), await users("sort_by=created_at"));
  });

  it("shows a user the own warehouses; what belongs to none only to who has all of them", async () => {
    const auditor = (...warehouse_ids: number[]) => service.user({ warehouse_ids, page_keys: ["audit-log"] });
    for (const id of [warehouse_id, elsewhere, null]) await wrote("SCOPE", { warehouse_id: id, details: { id } });
    const seen = async (as: Caller) => (await list("action_type=SCOPE", as)).map((e) => e.details.id);
    const everything = [null, elsewhere, warehouse_id];
    assert.deepEqual(await seen(await auditor(warehouse_id)), [warehouse_id]);
    assert.deepEqual(await seen(await auditor()), []);
    assert.deepEqual(await seen(await auditor(warehouse_id, elsewhere)), everything);
    assert.deepEqual(await seen(service.admin), everything);
  });

  it("shows no user name or password of a URL, whoever looks", async () => {
    const url = "https://ann:p%40ss@partner.example.com/hooks?to=a@b";
    await wrote("URLS", {
      details: {
        ...{ delivery_url: url, note: `sent to ${url}, ask ann@example.com` },
        changed: { delivery_url: { old: url, new: "https://x.example.com/" } },
      },
    });
    const shown = "https://***@partner.example.com/hooks?to=a@b";
    const [entry] = await list("action_type=URLS");
    assert.deepEqual(entry?.details, {
      ...{ delivery_url: shown, note: `sent to ${shown}, ask ann@example.com` },
      changed: { delivery_url: { old: shown, new: "https://x.example.com/" } },
    });
  });

  it("gives a row with its seal, to whoever sees it in the list", async () => {
    await wrote("SEALED", { details: { item_id: mug.item_id } });
    const log_id = await db.value<number>("select max(log_id) as id from audit_log");
    const read = (as = service.admin) => as.get(`${ROUTE}/${log_id}`);
    const fresh = (await read()).body;
    assert.deepEqual([fresh.entry.entity_name, fresh.entry.details], ["MUG", { item: "MUG" }]);
    assert.deepEqual([fresh.seal_no, fresh.row_hash], [null, null]);
    assert.ok((await service.admin.ok("GET", `${ROUTE}/seal`)).unsealed > 0);
    await sealAll();
    const sealed = (await read()).body;
    const seal = await service.admin.ok("GET", `${ROUTE}/seal`);
    assert.deepEqual([seal.seal_no, seal.head, seal.unsealed], [sealed.seal_no, sealed.row_hash, 0]);
    assert.match(sealed.row_hash, /^[0-9a-f]{64}$/);
    const stranger = await service.user({ warehouse_ids: [elsewhere], page_keys: ["audit-log"] });
    const { status, body } = await read(stranger);
    assert.deepEqual([status, body.error], [404, "Audit log entry not found"]);
    assert.equal((await service.admin.get(`${ROUTE}/999999999`)).status, 404);
  });
});
