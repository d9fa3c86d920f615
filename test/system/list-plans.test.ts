import assert from "node:assert/strict";
import { seed, sizeOf } from "../../bench/data.js";
import { Client } from "../../src/platform/db/client.js";
import { db } from "../support/db.js";
import { createDatabase, onServer } from "../support/servers.js";
import { testService } from "../support/service.js";

/** The planner takes the house for one with so many times the rows that it has. */
const TIMES = 100;

/** In the order that docs/lists.md says is read from an index; `-` before a field is the other way round. */
const LISTS: Record<string, string[]> = {
  bins: ["", "bin_code"],
  items: [
    ...["", "sku", "-sku", "item_name", "-item_name", "upc", "-mpn", "is_active", "created_at", "-updated_at"],
    "category",
  ],
  "sales-orders": [
    ...["", "created_at", "-so_number", "customer_name", "-order_date", "order_date", "updated_at"],
    ...["ship_by_date", "-ship_by_date", "priority", "-priority", "status", "-status"],
    ...["shipped_at", "-shipped_at", "printed_at", "-printed_at"],
  ],
  inventory: [
    ...["", "-sku", "inventory_id", "lot_number", "-lot_number", "expiry_date", "-expiry_date", "condition"],
    ...["last_counted_at", "-last_counted_at"],
  ],
  shipments: [
    ...["", "shipped_at", "carrier", "-carrier", "status", "-ship_method", "shipped_by", "-voided_at"],
    "tracking_number",
  ],
  serials: ["", "serial_number", "-serial_number", "created_at", "-serial_id"],
  "preferred-bins": ["sku", "preferred_bin_id", "priority", "-updated_at"],
  "audit-log": ["", "created_at", "-log_id", "action_type", "username", "-entity_type"],
  "source-links": ["source_system", "source_type", "-source_id", "first_seen_at"],
};
const FILTERS: Record<string, string[]> = {
  "sales-orders": [
    ...["exclude_post_fulfillment=true", "warehouse_id=1", "order_type=return"],
    ...["work=in_picking", "work=ready_to_pick", "work=ready_to_pack", "work=ready_to_ship", "work=late", "held=true"],
    ...["q=zz", "q=99"],
  ],
  inventory: ["q=zz", "warehouse_id=1", "condition=EXPIRED", "expires_within=30"],
  serials: ["sku=SKU-7", "lot_number=L-7", "state=PACKED", "so_id=7", "q=s", "q=sn-17", "warehouse_id=1"],
  shipments: ["q=9", "q=SO-99", "q=zz"],
  items: ["q=zz", "q=99"],
  bins: ["q=zz"],
  "preferred-bins": ["q=zz"],
  "audit-log": ["sort_by=user_id", "sort_by=action_type"],
};

const large = new Set([
  ...[
    "items",
    "bins",
    "sales_orders",
    "inventory",
    "lots",
    "serials",
    "preferred_bins",
    "audit_log",
    "item_fulfillments",
  ],
  "cross_system_mappings",
]);

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Plan[];
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

describe("the plans of lists in a large house", function () {
  this.timeout(60_000);
  const service = testService({ makeDatabase });
  const { emit } = Client.prototype;
  const told: string[] = [];
  before(async () => {
    await seed(sizeOf(1), "set by nobody");
    await db.run(
      `insert into serials (item_id, serial_number, state, warehouse_id, lot_number)
       select 1 + n % 2000, 'SN-' || n, case when n % 100 = 0 then 'GONE' else 'IN_STOCK' end, 1, 'L-' || n % 500
       from generate_series(1, 5000) n`,
    );
    await db.run(
      "insert into lots (item_id, lot_number) select 1 + n % 2000, 'L-' || n from generate_series(1, 5000) n",
    );
    await db.run(
      `update sales_orders
       set shipping_address_line1 = 'Lindenweg ' || so_id, shipping_address_city = 'Town ' || so_id % 50`,
    );
    await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ('acme', 'manual_import')");
    await db.run(
      `insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id)
       select 'acme', 'sales_order', so_number, 'sales_order', external_id from sales_orders`,
    );
    await db.run("analyze serials, lots, sales_orders, cross_system_mappings");
    // As after a vacuum, whether one has come by or not; none may come by meanwhile.
    for (const table of large) await db.run(`alter table ${table} set (autovacuum_enabled = false)`);
    await db.run(
      `select pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text, 'relpages', relpages,
                                        'reltuples', (reltuples * ${TIMES})::real, 'relallvisible', relpages)
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and reltuples >= 400`,
    );
    Client.prototype.emit = function (this: Client, event: string, ...of: unknown[]) {
      if (event === "notice") told.push(String((of[0] as Error).message));
      return emit.call(this, event as never, ...(of as never[]));
    } as typeof emit;
  });
  after(() => {
    Client.prototype.emit = emit;
  });

  /** Each statement tells its plan. */
  async function makeDatabase(name: string): Promise<void> {
    await createDatabase(name);
    const settings = {
      session_preload_libraries: "auto_explain",
      "auto_explain.log_min_duration": "0",
      "auto_explain.log_level": "notice",
      "auto_explain.log_format": "json",
      // A table has as many pages as it has; only its rows are said to be more.
      seq_page_cost: `${TIMES}`,
    };
    for (const [setting, value] of Object.entries(settings))
      await onServer(`alter database ${name} set ${setting} = '${value}'`);
  }

  /** All nodes of the plans of a request. */
  async function plansOf(path: string): Promise<Plan[]> {
    told.length = 0;
    const plans = () => told.filter((text) => text.includes("plan:"));
    // Once, beside other tests, an answer came without its plan.
    for (let asked = 0; asked < 3 && plans().length === 0; asked++)
      assert.equal((await service.admin.get(path)).status, 200, path);
    assert.notEqual(plans().length, 0, `${path} has no plan`);
    return plans().flatMap((text) => nodes(JSON.parse(text.slice(text.indexOf("{"))).Plan));
  }
  /** The large tables that a request reads from the first row to the last. */
  const scannedBy = async (path: string) =>
    (await plansOf(path))
      .filter((node) => node["Node Type"] === "Seq Scan" && large.has(node["Relation Name"] ?? ""))
      .map((node) => `${path}: ${node["Relation Name"]}`);
  for (const [list, orders] of Object.entries(LISTS))
    it(`${list}: no page reads a whole table`, async () => {
      const asked = [...orders.map((sort) => (sort ? `sort=${sort}` : "")), ...(FILTERS[list] ?? [])];
      const scanned: string[] = [];
      for (const query of asked)
        for (const page of [1, 9]) scanned.push(...(await scannedBy(`/api/admin/${list}?page=${page}&${query}`)));
      assert.deepEqual(scanned, []);
    });
  for (const [list, orders] of Object.entries(LISTS))
    it(`${list}: a page behind a cursor is read from where the cursor is`, async () => {
      const read: string[] = [];
      for (const sort of orders.filter(Boolean)) {
        const path = `/api/admin/${list}?sort=${sort}&cursor=`;
        const { next_cursor } = await service.admin.ok("GET", `${path}start`);
        if (!next_cursor) continue;
        read.push(sort);
        assert.deepEqual(await scannedBy(path + next_cursor), []);
      }
      assert.ok(read.length > 0);
    });

  it("search: lots and serials are found by the beginning of their numbers", async () => {
    for (const q of ["sn", "sn-17", "l-", "l-4999"]) assert.deepEqual(await scannedBy(`/api/admin/search?q=${q}`), []);
  });

  it("search: orders are found by their address", async () => {
    for (const q of ["Lindenweg 7", "Lindenweg 77, Town 27"])
      assert.deepEqual(await scannedBy(`/api/admin/search?q=${q}`), []);
  });

  for (const [path, index] of [
    ["sales-orders?q=Lindenweg 77, Town 27", "sales_orders_address"],
    ["sales-orders?status=OPEN", "sales_orders_by_status"],
    ["items?active=false", "items_is_active"],
    ["shipments?sort=so_number", "sales_orders_so_number_key"],
    ["shipments?sort=-customer_name", "sales_orders_customer_name"],
  ])
    it(`${path}: a page is found by an index`, async () => {
      const used = (await plansOf(`/api/admin/${path}`)).map((node) => node["Index Name"]);
      assert.ok(used.includes(index), `${used}`);
    });
});
