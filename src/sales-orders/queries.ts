import type { Knex } from "knex";
import { companyDay } from "../days.js";
import type { Sql } from "../db.js";
import { builder, containing, listPage, type Page } from "../list.js";
import type { SalesOrderStatus } from "../states.js";
import {
  type AddressColumn,
  addressColumns,
  type ListedAddressColumn,
  listedAddressColumns,
} from "./addresses.js";

export type OrderType =
  | "sale"
  | "refund"
  | "backorder"
  | "replacement"
  | "exchange"
  | "return";

/** What the list and the single order both show. */
interface SoCommon {
  so_id: number;
  so_number: string;
  so_barcode: string | null;
  customer_name: string | null;
  customer_phone: string | null;
  customer_address: string | null;
  status: SalesOrderStatus;
  priority: number;
  warehouse_id: number;
  order_type: OrderType;
  parent_so_id: number | null;
  ship_method: string | null;
  ship_address: string | null;
  order_date: string | null;
  ship_by_date: string | null;
  created_at: string;
  created_by: string | null;
  carrier: string | null;
  tracking_number: string | null;
  shipped_date_local: string | null;
  memo: string | null;
}
const commonColumns = [
  "so_id",
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
] as const satisfies (keyof SoCommon)[];

export interface SoSummary
  extends SoCommon,
    Record<ListedAddressColumn, string | null> {
  shipped_at: string | null;
  printed_at: string | null;
  primary_bin_code?: string | null;
  primary_bin_pick_sequence?: number | null;
  line_count?: number;
}

export interface SoFilters extends Page {
  status?: string[] | undefined;
  warehouse_id?: number | undefined;
  q?: string | undefined;
  order_type?: string | undefined;
  exclude_post_fulfillment: boolean;
  hide_printed: boolean;
  include_primary_bin: boolean;
  include_line_count: boolean;
  local_pickup: boolean;
  date_from?: string | undefined;
  date_to?: string | undefined;
  order_origin?: string | undefined;
}

/** In one piece: put together of single columns, they would take the builder longer than all the rest. */
const LISTED = [
  ...commonColumns,
  ...listedAddressColumns,
  "shipped_at",
  "printed_at",
  `${companyDay("shipped_at")} as shipped_date_local`,
].join();

/** Sales orders, newest first, without voided returns (reference 03 §4). */
export function salesOrders(filters: SoFilters, warehouses: number[] | null) {
  const query = builder("sales_orders as so")
    .select(builder.raw(LISTED))
    .whereNull("voided_at")
    .orderBy([
      { column: "created_at", order: "desc" },
      { column: "so_id", order: "desc" },
    ]);
  if (warehouses) query.whereIn("warehouse_id", warehouses);
  narrow(query, filters);
  if (filters.include_primary_bin) {
    query.select(primaryBin("bin_code"), primaryBin("pick_sequence"));
  }
  if (filters.include_line_count) {
    query.select(
      builder.raw(
        "(select count(*)::int from sales_order_lines l where l.so_id = so.so_id) as line_count",
      ),
    );
  }
  return listPage<SoSummary, "sales_orders">(
    "sales_orders",
    query,
    filters,
    "so.so_id",
  );
}

function narrow(query: Knex.QueryBuilder, filters: SoFilters): void {
  const { status, warehouse_id, q, order_type, order_origin } = filters;
  if (status) query.whereIn("status", status);
  if (warehouse_id) query.where({ warehouse_id });
  if (order_type) query.where({ order_type });
  if (order_origin) query.where({ order_origin });
  if (filters.date_from) query.where("order_date", ">=", filters.date_from);
  if (filters.date_to) query.where("order_date", "<=", filters.date_to);
  if (filters.hide_printed) query.whereNull("printed_at");
  if (filters.exclude_post_fulfillment || filters.include_primary_bin) {
    query.whereNotIn("order_type", ["return", "refund"]);
  }
  if (filters.local_pickup) {
    query.where((either) =>
      either
        .whereILike("ship_method", "%local%")
        .orWhereILike("ship_method", "%pickup%"),
    );
  }
  if (q) {
    query.where((either) =>
      either
        .whereILike("so_number", containing(q))
        .orWhereILike("customer_name", containing(q)),
    );
  }
}

/**
 * Where an item `i` lives in the warehouse of the order `so`: its preferred bin of lowest priority number, else its default
 * bin.
 */
export const HOME_BIN = `
  select b.bin_code, b.pick_sequence
  from (select bin_id, priority from preferred_bins p where p.item_id = i.item_id
        union all select i.default_bin_id, null) as place
  join bins b using (bin_id)
  where b.warehouse_id = so.warehouse_id order by priority nulls last limit 1`;

/**
 * A column of the order's primary bin: of the bins that its items live in, the first on the walk. In the select list, so that it is computed for the page's rows alone.
 */
function primaryBin(column: "bin_code" | "pick_sequence") {
  return builder.raw(
    `(select home.${column}
      from sales_order_lines l join items i using (item_id) cross join lateral (${HOME_BIN}) as home
      where l.so_id = so.so_id order by home.pick_sequence, home.bin_code limit 1) as primary_bin_${column === "bin_code" ? "code" : column}`,
  );
}

export interface SoDetail {
  sales_order: SoCommon &
    Record<AddressColumn, string | null> & {
      customer_email: string | null;
      order_total: string | null;
      customer_shipping_paid: string | null;
      source_system: string | null;
      order_origin: string | null;
      parent_so_number: string | null;
      backorder_opened_at: string | null;
      backorder_fulfillable_at: string | null;
      cancellation_reason: string | null;
    };
  lines: {
    so_line_id: number;
    line_number: number;
    item_id: number;
    sku: string;
    item_name: string;
    upc: string | null;
    quantity_ordered: number;
    quantity_allocated: number;
    quantity_picked: number;
    quantity_packed: number;
    quantity_shipped: number;
    quantity_received: number;
    status: "PENDING" | "OPEN" | "PICKED" | "PACKED" | "SHIPPED";
  }[];
  pick_tasks: {
    pick_task_id: number;
    so_line_id: number;
    item_id: number;
    sku: string;
    item_name: string;
    bin_id: number;
    bin_code: string;
    quantity_picked: number;
    picked_at: string | null;
    picked_by: string | null;
    status: "PICKED";
  }[];
}

const headerColumns = [
  ...commonColumns,
  ...addressColumns,
  "customer_email",
  "source_system",
  "order_origin",
  "backorder_opened_at",
  "backorder_fulfillable_at",
  "cancellation_reason",
].map((column) => `so.${column}`);

/** A sales order with its lines in order, and what was picked for it and is not put back. One round trip. */
export function salesOrder(
  sql: Sql,
  soId: number,
): Promise<SoDetail | undefined> {
  return sql.row<SoDetail>(
    `select
       (select row_to_json(header) from (
          select ${headerColumns}, ${companyDay("so.shipped_at")} as shipped_date_local,
            so.order_total::text, so.customer_shipping_paid::text,
            (select so_number from sales_orders p where p.so_id = so.parent_so_id) as parent_so_number
        ) as header) as sales_order,
       (select coalesce(json_agg(json_build_object(
           'so_line_id', so_line_id, 'line_number', line_number, 'item_id', item_id, 'sku', sku,
           'item_name', item_name, 'upc', upc, 'quantity_ordered', quantity_ordered,
           'quantity_allocated', quantity_allocated, 'quantity_picked', quantity_picked,
           'quantity_packed', quantity_packed, 'quantity_shipped', quantity_shipped,
           'quantity_received', quantity_received, 'status', l.status)
           order by line_number, so_line_id), '[]')
        from sales_order_lines l join items using (item_id) where l.so_id = so.so_id) as lines,
       (select coalesce(json_agg(json_build_object(
           'pick_task_id', t.pick_task_id, 'so_line_id', w.so_line_id, 'item_id', t.item_id, 'sku', sku,
           'item_name', item_name, 'bin_id', t.bin_id, 'bin_code', bin_code, 'quantity_picked', w.quantity_picked,
           'picked_at', t.picked_at, 'picked_by', t.picked_by, 'status', t.status)
           order by t.pick_task_id, w.so_line_id), '[]')
        from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
          join items using (item_id) join bins using (bin_id)
        where w.so_id = so.so_id and t.status = 'PICKED') as pick_tasks
     from sales_orders so where so_id = $1`,
    [soId],
  );
}
