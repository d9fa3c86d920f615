import type { Knex } from "knex";
import { actorName } from "../auth/queries.js";
import { dayAt, zoneOf } from "../platform/db/days.js";
import type { Sql } from "../platform/db/db.js";
import { anyOf, builder, codeOf } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { fewWith, type ShortSearch, whereFew } from "../platform/db/short-search.js";
import { SERIALS_OF_LINE } from "../serials/queries.js";
import { addressColumns, addressPatterns, goesTo, listedAddressColumns } from "./addresses.js";
import { nextStep, STEP_FACTS, StepFacts } from "./next-step.js";
import { IS_SHORT, OPEN_WORK, UNFINISHED } from "./open-work.js";
import {
  type SalesOrder,
  SalesOrderDetail,
  type SalesOrderFilters,
  SalesOrderSummary,
  salesOrderList,
} from "./shapes.js";

const commonColumns = [
  "so_id",
  "external_id",
  "so_number",
  "so_barcode",
  "customer_name",
  "customer_phone",
  "customer_address",
  "status",
  "priority",
  "warehouse_id",
  "order_type",
  "parent_so_id",
  "ship_method",
  "ship_address",
  "order_date",
  "ship_by_date",
  "created_at",
  "created_by",
  "carrier",
  "tracking_number",
  "memo",
  "hold_reason",
] as const satisfies (keyof SalesOrder & keyof SalesOrderSummary)[];

/** One raw string: knex takes longer to assemble single columns than to build the rest of the query. */
const LISTED = [
  ...commonColumns,
  ...listedAddressColumns,
  "shipped_at",
  "printed_at",
  "updated_at",
  `${dayAt("shipped_at", zoneOf("so.warehouse_id"))} as shipped_date_local`,
  codeOf("so.warehouse_id"),
].join();

export const ORDER_TEXTS: ShortSearch = {
  table: "sales_orders",
  key: "so_id",
  texts: ["so_number", "customer_name"],
  together: "(so_number || coalesce(customer_name, ''))",
};

/** Sales orders, newest first, without voided returns (docs/interface.md, Sales orders). */
export async function salesOrders(filters: SalesOrderFilters, warehouses: number[] | null) {
  const query = builder("sales_orders as so")
    .select(builder.raw(LISTED))
    .whereNull("voided_at")
    .orderBy([
      { column: "created_at", order: "desc" },
      { column: "so_id", order: "desc" },
    ]);
  if (warehouses) query.whereIn("warehouse_id", warehouses);
  applyFilters(query, filters);
  const { q } = filters;
  if (q) {
    const few = await fewWith(q, "so.so_id", ORDER_TEXTS);
    query.where(few ? whereFew(few) : (either) => isFound(either, q));
  }
  if (filters.include_primary_bin) {
    query.select(primaryBin("bin_code"), primaryBin("pick_sequence"));
  }
  if (filters.include_line_count) {
    query.select(builder.raw("(select count(*)::int from sales_order_lines l where l.so_id = so.so_id) as line_count"));
  }
  return listPage(SalesOrderSummary, "sales_orders", query, filters, salesOrderList);
}

function applyFilters(query: Knex.QueryBuilder, filters: SalesOrderFilters): void {
  const { status, warehouse_id, order_type, order_origin, work } = filters;
  if (status) query.whereIn("status", status);
  if (warehouse_id) query.where({ warehouse_id });
  if (work) query.whereRaw(`so.${UNFINISHED} and ${OPEN_WORK[work]}`);
  if (order_type) query.where({ order_type });
  if (order_origin) query.where({ order_origin });
  if (filters.date_from) query.where("order_date", ">=", filters.date_from);
  if (filters.date_to) query.where("order_date", "<=", filters.date_to);
  if (filters.hide_printed) query.whereNull("printed_at");
  if (filters.held) query.whereNotNull("hold_reason");
  if (filters.exclude_post_fulfillment || filters.include_primary_bin) {
    // Not as parameters: for any values at all Postgres would expect few orders.
    query.whereRaw("order_type not in ('return', 'refund')");
  }
  if (filters.local_pickup) {
    query.where((either) => either.whereILike("ship_method", "%local%").orWhereILike("ship_method", "%pickup%"));
  }
}

/** By its number, the name of its customer, or where it goes. */
function isFound(either: Knex.QueryBuilder, q: string): void {
  anyOf(q, ORDER_TEXTS.texts, "external_id")(either);
  const patterns = addressPatterns(q);
  if (patterns.length > 0) either.orWhereRaw(`(${goesTo(patterns.map(() => "?"))})`, patterns);
}

/**
 * The home bin of an item `i` in the warehouse of the order `so`: its preferred bin with the lowest priority number,
 * else its default bin.
 */
export const HOME_BIN = `
  select b.bin_code, b.pick_sequence
  from (select bin_id, priority from preferred_bins p where p.item_id = i.item_id
        union all select i.default_bin_id, null) as place
  join bins b using (bin_id)
  where b.warehouse_id = so.warehouse_id order by priority nulls last limit 1`;

/**
 * A column of the order's primary bin: of the home bins of its items, the one with the lowest pick sequence. It stands
 * in the select list, so that it is computed only for the rows of the page.
 */
function primaryBin(column: "bin_code" | "pick_sequence") {
  return builder.raw(
    `(select home.${column}
      from sales_order_lines l join items i using (item_id) cross join lateral (${HOME_BIN}) as home
      where l.so_id = so.so_id order by home.pick_sequence, home.bin_code limit 1) as
        primary_bin_${column === "bin_code" ? "code" : column}`,
  );
}

const headerColumns = [
  ...commonColumns,
  ...addressColumns,
  "customer_email",
  "source_system",
  "order_origin",
  "min_days_at_shipping",
  "backorder_opened_at",
  "backorder_fulfillable_at",
  "cancellation_reason",
  "currency",
  "voided_at",
  "voided_by",
  "shipped_at",
  "printed_at",
].map((column) => `so.${column}`);

/** The units in doubt in the bins of line `l`: pickers did not find them, and the books still have them. */
const REPORTED_MISSING = `
  select coalesce(sum(quantity_doubted), 0) from inventory where inventory_id in (
    select inventory_id from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
    where w.so_line_id = l.so_line_id and t.status = 'SHORT')`;

const SalesOrderRow = { ...SalesOrderDetail.omit({ next_step: true }).shape, facts: StepFacts };

/** A sales order with its lines in order, and its picks that were not put back. One round trip. */
export async function salesOrder(sql: Sql, soId: number): Promise<SalesOrderDetail | undefined> {
  const found = await sql.row(
    SalesOrderRow,
    `select ${STEP_FACTS} as facts,
       (select row_to_json(header) from (
          select ${headerColumns}, ${dayAt("so.shipped_at", zoneOf("so.warehouse_id"))} as shipped_date_local,
            so.order_total::text, so.customer_shipping_paid::text, ${IS_SHORT} as is_short,
            (select json_agg(json_build_object('item_id', item_id, 'sku', sku, 'item_name', item_name,
                                               'units', value::int) order by sku)
             from jsonb_each_text(so.shop_difference) d join items i on i.item_id = d.key::int) as shop_difference,
            (select so_number from sales_orders p where p.so_id = so.parent_so_id) as parent_so_number,
            ${actorName("so.created_by")} as created_by_name
        ) as header) as sales_order,
       (select coalesce(json_agg(jsonb_build_object(
           'so_line_id', so_line_id, 'line_number', line_number, 'item_id', item_id, 'sku', sku,
           'item_name', item_name, 'upc', upc, 'quantity_ordered', quantity_ordered,
           'quantity_allocated', quantity_allocated, 'quantity_picked', quantity_picked,
           'quantity_packed', quantity_packed, 'quantity_shipped', quantity_shipped,
           'quantity_received', quantity_received, 'original_so_line_id', original_so_line_id, 'status', l.status,
           'properties', properties,
           'reported_missing', case when quantity_picked < quantity_ordered then (${REPORTED_MISSING}) else 0 end)
           || case i.serial_policy when 'none' then '{}'
             else jsonb_build_object('serial_numbers', ${SERIALS_OF_LINE}) end
           order by line_number, so_line_id), '[]')
        from sales_order_lines l join items i using (item_id) where l.so_id = so.so_id) as lines,
       (select coalesce(json_agg(json_build_object(
           'pick_task_id', t.pick_task_id, 'so_line_id', w.so_line_id, 'item_id', t.item_id, 'sku', sku,
           'item_name', item_name, 'bin_id', t.bin_id, 'bin_code', bin_code, 'lot_number', v.lot_number,
           'expiry_date', v.expiry_date, 'quantity_picked', w.quantity_picked, 'picked_at', t.picked_at,
           'picked_by', t.picked_by, 'status', t.status)
           order by t.pick_task_id, w.so_line_id), '[]')
        from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
          join items using (item_id) join bins using (bin_id) join inventory v using (inventory_id)
        where w.so_id = so.so_id and t.status = 'PICKED') as pick_tasks
     from sales_orders so where so_id = $1`,
    [soId],
  );
  if (!found) return undefined;
  const { facts, ...order } = found;
  return { ...order, next_step: nextStep(facts) };
}
