import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import pg from "pg";
import { migrations, migrationsAmong } from "../../migrations/index.js";
import { migrate } from "../../src/platform/db/migrate.js";
import {
  batchStates,
  purchaseOrderStates,
  replenishmentStates,
  salesOrderStates,
  taskStates,
  transferLineStates,
  transferOrderStates,
} from "../../src/platform/states.js";

const inboundResources = ["customers", "items", "vendors", "purchase_orders", "sales_orders"];

/** Foreign keys that have no index to start with on the referring side, each with its reason. */
const BIN_OR_ITEM = "written all day; a bin or item is deleted by an admin, rarely, and may wait for a scan";
const WAREHOUSE = "a warehouse is deleted only when empty, so next to never; a scan is fine";
const withoutIndex: Record<string, string> = {
  "users(warehouse_id)": "few rows",
  "item_receipts(item_id)": BIN_OR_ITEM,
  "item_receipts(bin_id,warehouse_id)": BIN_OR_ITEM,
  "bin_transfers(item_id)": BIN_OR_ITEM,
  "bin_transfers(from_bin_id,warehouse_id)": BIN_OR_ITEM,
  "bin_transfers(to_bin_id)": BIN_OR_ITEM,
  "inventory_adjustments(bin_id,warehouse_id)": BIN_OR_ITEM,
  "pick_tasks(inventory_id,item_id,bin_id)":
    "a stock row goes only with its bin or item; pending tasks, which are asked for, have a partial index",
  "item_fulfillment_lines(item_id)": BIN_OR_ITEM,
  "item_fulfillment_lines(bin_id)": BIN_OR_ITEM,
  "pick_batches(warehouse_id)": WAREHOUSE,
  "serial_steps(warehouse_id)": WAREHOUSE,
  "pick_batches(assigned_user_id)":
    "active batches, which are asked for, have a partial index; a user is deleted rarely",
  ...Object.fromEntries(
    inboundResources.map((resource) => [
      `inbound_${resource}(ingested_via_token_id)`,
      "a token is deleted by an admin, rarely, and may wait for a scan",
    ]),
  ),
};

const canonicalTypes = ["customer", "item", "vendor", "purchase_order", "sales_order"];

/** Which words each status column takes. Those with a table in src/platform/states.ts must agree with it. */
const statuses: Record<string, readonly string[]> = {
  "sales_orders.status": Object.keys(salesOrderStates),
  "sales_orders.order_type": ["sale", "refund", "backorder", "replacement", "exchange", "return"],
  "sales_order_lines.status": ["PENDING", "OPEN", "PICKED", "PACKED", "SHIPPED"],
  "purchase_orders.status": Object.keys(purchaseOrderStates),
  "purchase_order_lines.status": ["PENDING", "PARTIAL", "RECEIVED"],
  "pick_batches.status": Object.keys(batchStates),
  "pick_batches.kind": ["SO", "TO"],
  "pick_tasks.status": Object.keys(taskStates),
  "replenishments.status": Object.keys(replenishmentStates),
  "transfer_orders.status": Object.keys(transferOrderStates),
  "transfer_order_lines.status": Object.keys(transferLineStates),
  "cycle_counts.status": ["PENDING", "IN_PROGRESS", "COMPLETED", "VARIANCE"],
  "inventory_adjustments.status": ["PENDING", "APPROVED", "REJECTED"],
  "bins.bin_type": ["Pickable", "PickableStaging", "Staging"],
  "zones.zone_type": ["STORAGE", "RECEIVING", "STAGING", "SHIPPING", "QUALITY", "DAMAGE", "PICKING"],
  "users.role": ["ADMIN", "USER"],
  "bin_transfers.transfer_type": ["PUTAWAY", "MOVE", "REPLENISH", "INTER_WAREHOUSE"],
  "integration_events.aggregate_type": ["sales_order", "purchase_order", "inventory", "cycle_count", "transfer"],
  "inbound_source_systems_allowlist.kind": ["connector", "internal_tool", "manual_import"],
  "cross_system_mappings.source_type": canonicalTypes,
  "cross_system_mappings.canonical_type": canonicalTypes,
  "inbound_refusals.status": ["stale_version", "lookup_miss", "rejected"],
  "inbound_cleanup_runs.status": ["running", "succeeded", "failed"],
};

/** One row, or a few, in every table: warehouse 1 and 2, bin 1 and 2 in the first, bin 3 in the second. */
const FIXTURE = `
  insert into warehouses (warehouse_id, warehouse_code, warehouse_name) values (1, 'W1', 'One'), (2, 'W2', 'Two');
  insert into zones (zone_id, warehouse_id, zone_code, zone_name, zone_type)
    values (1, 1, 'A', 'Aisles', 'STORAGE'), (2, 2, 'A', 'Aisles', 'STORAGE');
  insert into bins (bin_id, zone_id, warehouse_id, bin_code, bin_barcode)
    values (1, 1, 1, 'A-1', 'A-1'), (2, 1, 1, 'A-2', 'A-2'), (3, 2, 2, 'A-1', 'A-1');
  insert into items (item_id, sku, item_name) values (1, 'SKU-1', 'Mug'), (2, 'SKU-2', 'Jug'), (3, 'SKU-3', 'Jar');
  insert into preferred_bins (item_id, bin_id, priority) values (1, 1, 1), (1, 2, 2);
  insert into users (user_id, username, password_hash, full_name) values (1, 'ann', '-', 'Ann');
  insert into purchase_orders (po_id, po_number, po_barcode, warehouse_id) values (1, 'PO-1', 'PO-1', 1);
  insert into purchase_order_lines (po_line_id, po_id, item_id, quantity_ordered) values (1, 1, 1, 10);
  insert into sales_orders (so_id, so_number, warehouse_id) values (1, 'SO-1', 1), (2, 'SO-2', 1);
  insert into sales_order_lines (so_line_id, so_id, item_id, quantity_ordered, quantity_allocated)
    values (1, 1, 1, 4, 4);
  insert into inventory (item_id, bin_id, warehouse_id, quantity_on_hand, quantity_allocated) values (1, 1, 1, 10, 4);
  insert into stock_reservations (so_line_id, inventory_id, quantity) values (1, 1, 2);
  insert into item_receipts (po_id, po_line_id, item_id, quantity_received, bin_id, warehouse_id)
    values (1, 1, 1, 5, 1, 1);
  insert into bin_transfers (item_id, from_bin_id, to_bin_id, warehouse_id, quantity, transfer_type)
    values (1, 1, 2, 1, 1, 'MOVE');
  insert into replenishments (warehouse_id, item_id, from_bin_id, to_bin_id, quantity) values (1, 1, 2, 1, 5);
  insert into cycle_counts (count_id, warehouse_id, bin_id) values (1, 1, 1);
  insert into cycle_count_lines (count_id, item_id, expected_quantity) values (1, 1, 10);
  insert into inventory_adjustments (item_id, bin_id, warehouse_id, quantity_change, reason_code)
    values (1, 1, 1, -1, 'CYCLE_COUNT');
  insert into pick_batches (batch_id, batch_number, warehouse_id) values (1, 'WAVE-1', 1), (2, 'WAVE-2', 1);
  insert into pick_batch_orders (batch_id, so_id) values (1, 1);
  insert into pick_tasks (pick_task_id, batch_id, inventory_id, item_id, bin_id, quantity_to_pick)
    values (1, 1, 1, 1, 1, 2);
  insert into wave_pick_breakdown (pick_task_id, so_id, so_line_id, quantity) values (1, 1, 1, 2);
  insert into transfer_orders (to_id, to_number, source_warehouse_id, destination_warehouse_id)
    values (1, 'TO-1', 1, 2);
  insert into transfer_order_lines (to_line_id, to_id, item_id, line_number, requested_qty, committed_qty)
    values (1, 1, 1, 1, 5, 3);
  insert into transfer_reservations (to_line_id, inventory_id, quantity) values (1, 1, 3);
  insert into transfer_order_approvals (to_approval_id, to_id, submitted_by) values (1, 1, 'ann');
  insert into to_approval_lines (to_approval_id, to_line_id, inventory_id, quantity) values (1, 1, 1, 1);
  insert into item_fulfillments (fulfillment_id, so_id, warehouse_id) values (1, 1, 1);
  insert into item_fulfillment_lines (fulfillment_id, so_line_id, item_id, quantity_shipped, bin_id)
    values (1, 1, 1, 1, 1);
  insert into audit_log (log_id, action_type, entity_type, entity_id, details)
    values (1, 'PICK', 'SO', 1, '{"weight": 1.0}'), (2, 'PICK', 'SO', 1, null);
  insert into integration_events
    (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id, warehouse_id, source_txn_id, payload)
    values ('receipt.completed', 'purchase_order', gen_random_uuid(), 'item_receipt', 1, 1, gen_random_uuid(), '{}');
  insert into command_log (command_id, operation, request_hash) values ('c-1', 'picking.confirm', repeat('0', 64));
  insert into inbound_source_systems_allowlist (source_system, kind) values ('shop', 'connector');
  insert into wms_tokens (token_id, token_name, token_hash, source_system, inbound_resources)
    values (1, 'shop', repeat('0', 64), 'shop', '{items}');
  insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
    values ('shop', 'item', 'sku-1', 'item', gen_random_uuid());
  ${inboundResources
    .map(
      (resource) => `
  insert into inbound_${resource} (source_system, external_id, external_version, canonical_id, canonical_payload,
    answer, ingested_via_token_id)
    values ('shop', 'x-1', '1', gen_random_uuid(), '{}', '{}', 1);`,
    )
    .join("")}
  insert into inbound_refusals (resource, source_system, external_id, external_version, status, error_kind,
    ingested_via_token_id)
    values ('items', 'shop', 'x-1', '0', 'stale_version', 'stale_version', 1);
  insert into inbound_cleanup_runs (resource, retention_days) values ('items', 90);
`;

const onHand = (quantity: string) => `update inventory set quantity_on_hand = ${quantity} where inventory_id = 1`;
const soLine = (set: string) => `update sales_order_lines set ${set} where so_line_id = 1`;
const stockRow = (item: number, bin: number, warehouse: number, lot: string) =>
  `insert into inventory (item_id, bin_id, warehouse_id, lot_number) values (${item}, ${bin}, ${warehouse}, ${lot})`;

/** What the database refuses whatever the code does: a statement, and the constraint that says no. */
const refused: Record<string, [sql: string, constraint: string]> = {
  "stock below zero": [onHand("-1"), "inventory_quantity_on_hand_not_negative"],
  "a claim below zero": ["update inventory set quantity_allocated = -1", "inventory_quantity_allocated_not_negative"],
  "more claimed than there is": [onHand("3"), "inventory_stock_covers_claims"],
  "a second row for an item in a bin, without lot": [stockRow(1, 1, 1, "null"), "inventory_one_row_per_lot"],
  "stock in a bin of another warehouse": [stockRow(2, 3, 1, "null"), "inventory_bin_of_same_warehouse"],
  "a bin in a zone of another warehouse": [
    "update bins set zone_id = 2 where bin_id = 2",
    "bins_zone_of_same_warehouse",
  ],
  "an empty reservation": ["update stock_reservations set quantity = 0", "stock_reservations_quantity_check"],
  "more allocated than ordered": [soLine("quantity_allocated = 5"), "sales_order_lines_counters"],
  "more picked than allocated": [soLine("quantity_picked = 4, quantity_allocated = 3"), "sales_order_lines_counters"],
  "more packed than picked": [soLine("quantity_packed = 1"), "sales_order_lines_counters"],
  "more shipped than picked": [soLine("quantity_shipped = 1"), "sales_order_lines_counters"],
  "more returned than ordered": [soLine("quantity_received = 5"), "sales_order_lines_received"],
  "a purchase of nothing": [
    "update purchase_order_lines set quantity_ordered = 0",
    "purchase_order_lines_quantity_ordered_check",
  ],
  "a receipt of two orders": ["update item_receipts set so_id = 1", "item_receipts_from_one_order"],
  "a move to where it is": ["update bin_transfers set to_bin_id = 1", "bin_transfers_between_two_bins"],
  "an adjustment by nothing": [
    "update inventory_adjustments set quantity_change = 0",
    "inventory_adjustments_change_something",
  ],
  "an order in two active batches": [
    "insert into pick_batch_orders (batch_id, so_id) values (2, 1)",
    "pick_batch_orders_one_active_batch",
  ],
  "a pick beyond its task": ["update pick_tasks set quantity_picked = 3", "pick_tasks_picked_within_task"],
  "a task for another item than its stock row": [
    "update pick_tasks set item_id = 2",
    "pick_tasks_takes_from_its_stock",
  ],
  "a share picked and short beyond itself": [
    "update wave_pick_breakdown set quantity_picked = 2, short_quantity = 1",
    "wave_pick_breakdown_within_share",
  ],
  "a transfer to where it comes from": [
    "update transfer_orders set destination_warehouse_id = 1",
    "transfer_orders_between_two_warehouses",
  ],
  "more committed to a transfer than requested": [
    "update transfer_order_lines set committed_qty = 6",
    "transfer_order_lines_counters",
  ],
  "more approved of a transfer than picked": [
    "update transfer_order_lines set approved_qty = 1",
    "transfer_order_lines_counters",
  ],
  "more picked for a transfer than held": [
    "update transfer_reservations set picked = 4",
    "transfer_reservations_picked_within",
  ],
  "an approval without its time": [
    "update transfer_order_approvals set status = 'APPROVED'",
    "transfer_order_approvals_approved",
  ],
  "a rejection without its time": [
    "update transfer_order_approvals set status = 'REJECTED'",
    "transfer_order_approvals_rejected",
  ],
  "a transfer in two walks": [
    `insert into pick_batches (batch_id, batch_number, kind, warehouse_id, to_id)
       values (3, 'BATCH-TO-3', 'TO', 1, 1), (4, 'BATCH-TO-4', 'TO', 1, 1)`,
    "pick_batches_one_walk_per_transfer",
  ],
  "a walk of sales orders that names a transfer": [
    "update pick_batches set to_id = 1 where batch_id = 1",
    "pick_batches_transfer_of_its_kind",
  ],
  "a void without its time": ["update item_fulfillments set status = 'VOIDED'", "item_fulfillments_voided_with_time"],
  "a function that no scanner knows": ["update users set allowed_functions = '{fly}'", "users_allowed_functions_check"],
  "aliases that are no list": [`update items set barcode_aliases = '{}'`, "items_barcode_aliases_array"],
  "two preferred bins of one priority": [
    "update preferred_bins set priority = 1; set constraints all immediate",
    "preferred_bins_one_per_priority",
  ],
  "half an inbound token": ["update wms_tokens set inbound_resources = '{}'", "wms_tokens_inbound_whole"],
  "overrides that are no object": [
    "update wms_tokens set mapping_overrides = '[]'",
    "wms_tokens_mapping_overrides_object",
  ],
  "a second current version of a pushed record": [
    `insert into inbound_items (source_system, external_id, external_version, canonical_id, canonical_payload, answer,
      ingested_via_token_id)
       select source_system, external_id, '2', canonical_id, '{}', '{}', 1 from inbound_items`,
    "inbound_items_current",
  ],
  "a superseded version without its time": [
    "update inbound_items set status = 'superseded'",
    "inbound_items_superseded_with_time",
  ],
  "a token gone that pushed records": ["delete from wms_tokens", "inbound_customers_ingested_via_token_id_fkey"],
};

/** What it must let through. */
const accepted: Record<string, string> = {
  "receiving more than ordered": "update purchase_order_lines set quantity_received = 99",
  "a negative line on a refund": soLine("quantity_ordered = -4, quantity_allocated = 0"),
  "lots beside a row without lot": `${stockRow(1, 1, 1, "'L1'")}; ${stockRow(1, 1, 1, "'L2'")}`,
  "an order in a new batch once the old one ended":
    "update pick_batch_orders set active = false; insert into pick_batch_orders (batch_id, so_id) values (2, 1)",
  "a shift of all priorities, one by one": `update preferred_bins set priority = 2 where bin_id = 1;
      update preferred_bins set priority = 1 where bin_id = 2; set constraints all immediate`,
  "several events of one request": `insert into integration_events (event_type, aggregate_type,
      aggregate_external_id, entity_type, entity_id, warehouse_id, source_txn_id, payload)
      select event_type, aggregate_type, aggregate_external_id, entity_type,
      entity_id, warehouse_id, source_txn_id, payload from integration_events`,
};

const seal = (log_id: number, place = log_id) => `insert into audit_seals values (${place}, ${log_id}, '', 'x')`;

describe("migrations", function () {
  this.timeout(60_000);
  const admin = () => databaseUrl();
  const scratch = `migrations_${randomUUID().replaceAll("-", "")}`;
  let url: string;
  let client: pg.Client;

  before(async () => {
    const to = new URL(admin());
    to.pathname = `/${scratch}`;
    url = to.href;
    await once(admin(), `create database ${scratch}`);
    client = new pg.Client(url);
    await client.connect();
  });

  after(async () => {
    await client?.end();
    await once(admin(), `drop database if exists ${scratch} with (force)`);
  });

  /** Runs a statement and takes it back, whether it worked or not. */
  async function attempt(sql: string): Promise<void> {
    await client.query("begin");
    try {
      await client.query(sql);
    } finally {
      await client.query("rollback");
    }
  }

  it("are the files of their folder, by their numbers, of which none is there twice", () => {
    const files = ["schema.sql", "0010_later.sql", "baseline", "0002_sooner.sql", "index.ts", "0003_draft.sql.orig"];
    assert.deepEqual(migrationsAmong(files), ["0002_sooner.sql", "0010_later.sql"]);
    const numbers = migrations.map(({ name }) => name.slice(0, 4));
    assert.deepEqual(numbers, [...new Set(numbers)].sort());
  });

  it("wait for one another, and run once", async () => {
    const runs = await Promise.all([1, 2, 3].map(() => migrate(url, migrations)));
    assert.deepEqual(runs.map((names) => names.length).sort(), [0, 0, migrations.length]);
  });

  it("go on after a run that was killed half-way", async () => {
    await client.query("update knex_migrations_lock set is_locked = 1");
    assert.deepEqual(await migrate(url, migrations), []);
  });

  it("leave the settings that a new service starts with", async () => {
    const { rows } = await client.query("select key, value from app_settings order by key");
    assert.deepEqual(Object.fromEntries(rows.map((r) => [r.key, r.value])), {
      allow_over_receiving: "true",
      batch_idle_release_hours: "12",
      transfer_approval_reminder_hours: "24",
      count_show_expected: "true",
      require_packing_before_shipping: "true",
      session_timeout_hours: "8",
      transfer_order_block_self_approval: "true",
    });
  });

  it("give every foreign key an index, or a reason why not", async () => {
    const { rows } = await client.query<{ key: string }>(FOREIGN_KEYS_UNINDEXED);
    assert.deepEqual(rows.map((r) => r.key).sort(), Object.keys(withoutIndex).sort());
  });

  describe("rows", () => {
    before(() => client.query(FIXTURE));

    for (const [column, words] of Object.entries(statuses)) {
      const [table, name] = column.split(".");
      it(`${column} takes its words and no other`, async () => {
        for (const word of words) await attempt(`update ${table} set ${name} = '${word}'`);
        for (const word of ["", `${words[0]}X`, "NOPE"])
          await assert.rejects(attempt(`update ${table} set ${name} = '${word}'`), {
            code: "23514",
            constraint: `${table}_${name}_check`,
          });
      });
    }

    it("item_fulfillments.status takes SHIPPED, and VOIDED with its time", async () => {
      await attempt("update item_fulfillments set status = 'VOIDED', voided_at = now()");
      await assert.rejects(attempt("update item_fulfillments set status = 'LOST'"), {
        constraint: "item_fulfillments_status_check",
      });
    });

    for (const [what, [sql, constraint]] of Object.entries(refused))
      it(`refuse ${what}`, () => assert.rejects(attempt(sql), { constraint }));

    for (const [what, sql] of Object.entries(accepted)) it(`allow ${what}`, () => attempt(sql));

    it("of every inbound resource are applied or superseded", async () => {
      for (const resource of inboundResources) {
        await attempt(`update inbound_${resource} set status = 'superseded', superseded_at = now()`);
        await assert.rejects(attempt(`update inbound_${resource} set status = 'LOST'`), {
          constraint: `inbound_${resource}_status_check`,
        });
      }
    });

    for (const revoked of ["revoked_at = now()", "status = 'revoked'"])
      it(`of tokens are revoked by ${revoked}`, async () => {
        await client.query("begin");
        await client.query(`update wms_tokens set ${revoked}`);
        const { rows } = await client.query("select status, revoked_at is not null as dated from wms_tokens");
        await client.query("rollback");
        assert.deepEqual(rows, [{ status: "revoked", dated: true }]);
      });

    it("lose their reservations with the order line", async () => {
      await client.query("begin");
      await client.query("delete from sales_order_lines where so_line_id = 1");
      const left = await client.query("select from stock_reservations");
      await client.query("rollback");
      assert.equal(left.rowCount, 0);
    });
  });

  describe("the audit log", () => {
    const appendOnly = { message: /audit_log is append-only/ };

    it("takes a seal for a row, once", async () => {
      await attempt(seal(1));
      await assert.rejects(attempt(`${seal(1)}; ${seal(1, 2)}`), { constraint: "audit_seals_once" });
    });

    it("takes a seal number once", () =>
      assert.rejects(attempt(`${seal(1)}; ${seal(2, 1)}`), { constraint: "audit_seals_pkey" }));

    for (const sql of [
      "update audit_log set user_id = 'eve'",
      "update audit_log set details = '{\"weight\": 1.00}' where log_id = 1",
      "update audit_log set seal_no = 1",
      "update audit_log set action_type = 'SHIP', seal_no = 1, prev_hash = '', row_hash = 'x' where log_id = 1",
      "delete from audit_log",
      "truncate audit_log",
      "truncate audit_log, command_log cascade",
    ])
      it(`refuses ${sql}`, () => assert.rejects(attempt(sql), appendOnly));
  });
});

function databaseUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  assert.ok(url, "TEST_DATABASE_URL: a server where this test may create a database");
  return url;
}

async function once(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Foreign keys whose first column leads no index that holds all rows with a value there. */
const FOREIGN_KEYS_UNINDEXED = `
  select format('%s(%s)', conrelid::regclass, (
      select string_agg(attname, ',' order by k.n)
      from unnest(conkey) with ordinality as k (num, n)
      join pg_attribute a on a.attrelid = conrelid and a.attnum = k.num
    )) as key
  from pg_constraint c
  where contype = 'f' and connamespace = 'public'::regnamespace
    and not exists (
      select from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
        and coalesce(pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname), true)
    )`;
