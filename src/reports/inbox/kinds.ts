import type { PageKey } from "../../auth/rights.js";
import { type Resource, resources } from "../../auth/tokens/scope.js";
import { OPEN_UNITS } from "../../lots/inspections/queries.js";
import { CHANNEL_WITHIN } from "../../outbound/channels/queries.js";
import { WITHIN } from "../../outbound/webhooks/queries.js";
import { dayAt, dayBegins, openDaysAfter, todayAt, zoneOf } from "../../platform/db/days.js";
import { OPEN_WORK, UNFINISHED } from "../../sales-orders/open-work.js";
import { TO_APPROVE } from "../../transfers/queries.js";
import type { InboxKind } from "./shapes.js";

/**
 * For a kind whose rows say themselves which page they need, shown to who has any: `pages` are those of the caller,
 * null all.
 */
export const ANY_PAGE = "any page";

/** SQL for the records that need a person, and the page that a user needs to see them. */
interface Source {
  page: PageKey | "ADMIN" | typeof ANY_PAGE;
  /**
   * Its rows have `record_id`, `label`, `name`, `reason`, `detail`, `units`, `due`, `since` and `warehouse_id`, of the
   * warehouses `:warehouses` where they are of one; what is of several is shown to who may see these (`:visible`).
   */
  rows: string;
}

/** Stock that can be sold so many days or fewer. */
const EXPIRES_WITHIN_DAYS = 7;
/** So long after it happened, what nobody has to decide is shown. */
const RECENT = "interval '7 days'";

const ours = (warehouse = "warehouse_id") => `(:warehouses::int[] is null or ${warehouse} = any(:warehouses))`;

/** A condition for `$1`, the warehouses that the caller may see. */
const within = (condition: string) => condition.replaceAll("$1", ":visible");

/** The columns of a row; what is not given is null. */
const row = (columns: {
  record_id: string;
  label: string;
  since: string;
  name?: string;
  reason?: string;
  detail?: string;
  units?: string;
  due?: string;
  warehouse_id?: string;
}) => {
  const { record_id, label, since, name, reason, detail, units, due, warehouse_id } = columns;
  const text = (column = "null") => `${column}::text`;
  return `select ${text(record_id)} as record_id, ${text(label)} as label, ${text(name)} as name,
    ${text(reason)} as reason, ${text(detail)} as detail, ${units ?? "null"}::int8 as units,
    ${due ?? "null"}::date as due, ${since} as since, ${warehouse_id ?? "null"}::int as warehouse_id`;
};

const orders = (since: string, where: string, more: { reason?: string; detail?: string; due?: string } = {}) => `
  ${row({
    ...{ record_id: "so_id", label: "so_number", name: "customer_name", warehouse_id: "warehouse_id", since },
    ...more,
  })}
  from sales_orders so where ${ours()} and ${where}`;

/** What was not picked of the order, such as `2 × MUG-1`. */
const MISSING = `(
  select string_agg(units || ' × ' || sku, ', ' order by sku) from (
    select sku, sum(quantity_ordered - quantity_picked) as units from sales_order_lines l join items using (item_id)
    where l.so_id = so.so_id and quantity_picked < quantity_ordered group by sku) lacking)`;

/** Orders of which a pick of their wave came up short, the lines, and since when. */
const SHORT_PICKS = `(
  select b.so_id, array_agg(w.so_line_id) as lines, min(t.picked_at) as since
  from pick_batches p
  join pick_tasks t on t.batch_id = p.batch_id and t.status = 'SHORT'
  join wave_pick_breakdown w on w.pick_task_id = t.pick_task_id and w.short_quantity > 0
  join pick_batch_orders b on b.batch_id = p.batch_id and b.so_id = w.so_id and b.active
  where p.status in ('OPEN', 'IN_PROGRESS') and ${ours("p.warehouse_id")} group by b.so_id)`;

/** What is neither picked nor still to be picked of these lines. */
const LACKING = `(
  select string_agg(units || ' × ' || sku, ', ' order by sku) as missing from (
    select sku, sum(quantity_ordered - l.quantity_picked - open.units) as units
    from sales_order_lines l join items using (item_id)
    cross join lateral (
      select coalesce(sum(w.quantity), 0) as units from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
      where w.so_line_id = l.so_line_id and t.status = 'PENDING') open
    where l.so_line_id = any(short.lines) group by sku) units
  where units > 0)`;

const LAST_DAY_OVER = dayBegins("ship_by_date + 1", zoneOf("so.warehouse_id"));

/** A push that was refused, and after which none of the same record was accepted. */
const refusedPush = (resource: Resource) => `
  ${row({
    ...{ record_id: `'${resource}/' || inbound_id`, label: "external_id", name: "source_system" },
    ...{ reason: "error_kind", since: "received_at" },
  })}
  from (
    select distinct on (source_system, external_id) inbound_id, external_id, source_system, error_kind, received_at
    from inbound_refusals
    where resource = '${resource}' and status in ('rejected', 'lookup_miss') and received_at > now() - ${RECENT}
    order by source_system, external_id, received_at desc) r
  where :visible::int[] is null and not exists (
    select from inbound_${resource} a where a.source_system = r.source_system and a.external_id = r.external_id
      and a.received_at > r.received_at)`;

/** The value of a setting in days. */
const days = (setting: string, otherwise: number) =>
  `coalesce((select value from app_settings where key = '${setting}')::float8, ${otherwise})`;
const LATE_DAYS = days("parcel_late_days", 1);
const LOST_DAYS = days("parcel_lost_days", 7);
const UNDER_WAY = "t.status not in ('exception', 'returned')";
const SCANNED = "greatest(t.last_scan_at, p.shipped_at)";
/** From then on it is lost, unless it is scanned: days on which the warehouse is closed are not counted. */
const SCANNED_ON = dayAt(SCANNED, zoneOf("t.warehouse_id"));
const CLOSED_SINCE = `(${openDaysAfter(SCANNED_ON, `ceil(${LOST_DAYS})`, "t.warehouse_id")}
  - ${SCANNED_ON} - ceil(${LOST_DAYS})::int)`;
const LOST_AT = `${SCANNED} + (${LOST_DAYS} + ${CLOSED_SINCE}) * interval '1 day'`;
/** The carrier said something for so long after it was scanned, and nothing of a scan; 0 is never. */
const LOST = `(${LOST_DAYS} > 0 and t.heard_at > ${SCANNED} + ${LOST_DAYS} * interval '1 day'
  and t.heard_at > ${LOST_AT})`;
/** The day from which on it is late. */
const LATE_FROM = openDaysAfter("t.expected_day", `${LATE_DAYS}::int + 1`, "t.warehouse_id");

/** Shipped parcels whose carrier has not delivered them; the order, then the parcel, is what its record goes by. */
const parcels = (since: string, where: string, more: { reason: string; detail: string; due?: string }) => `
  ${row({
    ...{ record_id: "p.so_id || '/' || p.parcel_id", label: "so_number || ' / ' || p.parcel_number" },
    ...{ name: "concat_ws(' ', p.carrier, t.tracking_number)", warehouse_id: "t.warehouse_id", since },
    ...more,
  })}
  from parcel_trackings t
  join parcels p on p.parcel_id = t.parcel_id and p.tracking_number = t.tracking_number
  join sales_orders so on so.so_id = p.so_id
  where t.ended_at is null and p.status = 'SHIPPED' and ${ours("t.warehouse_id")} and ${where}`;

export const sources: Record<InboxKind, Source> = {
  late_order: {
    page: "sales-orders",
    rows: orders(LAST_DAY_OVER, `${UNFINISHED} and ${OPEN_WORK.late}`, {
      due: "ship_by_date",
      reason: "nullif(status, 'OPEN')",
    }),
  },
  short_pick: {
    page: "sales-orders",
    rows: `
      ${row({
        ...{ record_id: "so_id", label: "so_number", name: "customer_name", detail: "missing", since: "short.since" },
        warehouse_id: "so.warehouse_id",
      })}
      from ${SHORT_PICKS} short join sales_orders so using (so_id) cross join lateral ${LACKING} lacking
      where missing is not null`,
  },
  short_order: {
    page: "sales-orders",
    rows: orders("coalesce(picked_at, updated_at)", `so.${UNFINISHED} and ${OPEN_WORK.short}`, { detail: MISSING }),
  },
  held_order: {
    page: "sales-orders",
    rows: orders("created_at", "hold_reason is not null", { reason: "hold_reason" }),
  },
  order_in_review: { page: "fraud", rows: orders("created_at", "status = 'FRAUD_REVIEW'") },
  over_received: {
    page: "purchase-orders",
    rows: `
      ${row({
        ...{ record_id: "po_id", label: "po_number", name: "vendor_name", warehouse_id: "warehouse_id" },
        ...{ units: "over.units", since: "over.since" },
      })}
      from (select po_id, max(received_at) as since from item_receipts
            where po_id is not null and ${ours()} and received_at > now() - ${RECENT} group by po_id) received
      join purchase_orders using (po_id)
      cross join lateral (
        select sum(quantity_received - quantity_ordered) as units, received.since from purchase_order_lines l
        where l.po_id = received.po_id and quantity_received > quantity_ordered) over
      where over.units > 0`,
  },
  adjustment: {
    page: "adjustments",
    rows: `
      ${row({
        ...{ record_id: "adjustment_id", label: "sku", name: "bin_code", reason: "reason_code" },
        ...{ detail: "reason_detail", units: "quantity_change", since: "adjusted_at" },
        warehouse_id: "a.warehouse_id",
      })}
      from inventory_adjustments a join items using (item_id) join bins using (bin_id)
      where a.status = 'PENDING' and cycle_count_id is null and ${ours("a.warehouse_id")}`,
  },
  count_variance: {
    page: "count-approvals",
    rows: `
      ${row({
        ...{ record_id: "cycle_count_id", label: "bin_code", units: "sum(abs(quantity_change))" },
        ...{ since: "min(adjusted_at)", warehouse_id: "a.warehouse_id" },
      })}
      from inventory_adjustments a join bins using (bin_id)
      where a.status = 'PENDING' and cycle_count_id is not null and ${ours("a.warehouse_id")}
      group by cycle_count_id, bin_code, a.warehouse_id`,
  },
  transfer_approval: {
    page: "transfer-orders",
    rows: `
      ${row({
        ...{ record_id: "to_id", label: "to_number", name: "s.warehouse_name" },
        ...{ since: "waiting.since", warehouse_id: "destination_warehouse_id" },
      })}
      from transfer_orders t join warehouses s on s.warehouse_id = source_warehouse_id
      cross join lateral (
        select min(submitted_at) as since from transfer_order_approvals a
        where a.to_id = t.to_id and a.status = 'PENDING') waiting
      where ${TO_APPROVE} and ${ours("destination_warehouse_id")}`,
  },
  expiring_stock: {
    page: "inventory",
    rows: `
      ${row({
        ...{ record_id: "inventory_id", label: "sku", name: "bin_code", detail: "lot_number" },
        ...{ units: "quantity_on_hand", due: "expiry_date", warehouse_id: "v.warehouse_id" },
        since: dayBegins(`expiry_date - ${EXPIRES_WITHIN_DAYS}`, zoneOf("v.warehouse_id")),
      })}
      from inventory v join items using (item_id) join bins using (bin_id)
      where condition = 'AVAILABLE' and ${ours("v.warehouse_id")}
        and stock_expiry <= current_date + 1 + ${EXPIRES_WITHIN_DAYS}
        and stock_expiry <= ${todayAt("v.warehouse_id")} + ${EXPIRES_WITHIN_DAYS}`,
  },
  inspection: {
    page: "inventory",
    rows: `
      ${row({
        ...{ record_id: "n.inspection_id", label: "sku", name: "opened_by", detail: "reason", since: "opened_at" },
        ...{ units: OPEN_UNITS, warehouse_id: "n.warehouse_id" },
      })}
      from inspections n join items i on i.item_id = n.item_id left join lots l on l.lot_id = n.lot_id
      where closed_at is null and case
        when n.warehouse_id is null then :visible::int[] is null else ${ours("n.warehouse_id")} end`,
  },
  recall: {
    page: "ADMIN",
    rows: `
      ${row({ record_id: "recall_id", label: "reason", name: "opened_by", since: "opened_at" })}
      from recalls where closed_at is null`,
  },
  // Whoever an agent works for does not approve what it asks for.
  agent_approval: {
    page: ANY_PAGE,
    rows: `
      ${row({
        ...{ record_id: "approval_id", label: "operation", name: "agent", detail: "summary", since: "asked_at" },
        warehouse_id: "case when cardinality(warehouse_ids) = 1 then warehouse_ids[1] end",
      })}
      from agent_approvals a
      where a.status = 'WAITING' and a.expires_at > now() and a.user_id <> :userId::int
        and (pages is null or a.page_key is null or a.page_key = any(pages))
        and (:visible::int[] is null or a.warehouse_ids <@ :visible)
        and (:warehouses::int[] is null or a.warehouse_ids is null or a.warehouse_ids && :warehouses)`,
  },
  refused_push: { page: "inbound", rows: resources.map(refusedPush).join(" union all ") },
  refused_record: {
    page: "integrations",
    rows: `
      ${row({
        ...{ record_id: "refusal_id", label: "external_id", name: "connector_name", reason: "error_kind" },
        ...{ detail: "error_message", since: "first_refused_at", warehouse_id: "warehouse_id" },
      })}
      from connector_refusals where ${ours()}`,
  },
  failed_sync: {
    page: "integrations",
    rows: `
      ${row({
        ...{ record_id: "connector_name || '/' || warehouse_id || '/' || sync_type", label: "connector_name" },
        ...{ reason: "sync_type", detail: "last_error_message", units: "consecutive_errors" },
        ...{ since: "coalesce(last_success_at, last_error_at, now())", warehouse_id: "warehouse_id" },
      })}
      from sync_state where sync_status = 'error' and ${ours()}`,
  },
  failed_push: {
    page: "integrations",
    rows: `
      ${row({
        ...{ record_id: "push_id", label: "so_number", name: "connector_name", reason: "kind" },
        ...{ detail: "last_error", since: "p.completed_at", warehouse_id: "p.warehouse_id" },
      })}
      from fulfillment_pushes p join sales_orders using (so_id)
      where p.status = 'failed' and ${ours("p.warehouse_id")}`,
  },
  paused_webhook: {
    page: "webhooks",
    rows: `
      ${row({
        ...{ record_id: "subscription_id", label: "display_name", name: "connector_id" },
        ...{ reason: "pause_reason", since: "updated_at" },
      })}
      from webhook_subscriptions s where s.status = 'paused' and s.pause_reason <> 'manual' and ${within(WITHIN)}`,
  },
  dead_letters: {
    page: "webhooks",
    rows: `
      ${row({
        ...{ record_id: "subscription_id", label: "display_name", name: "connector_id" },
        ...{ units: "dead.letters", since: "dead.since" },
      })}
      from webhook_subscriptions s
      cross join lateral (
        select count(*) as letters, min(completed_at) as since from webhook_deliveries d
        where d.subscription_id = s.subscription_id and d.status = 'dlq') dead
      where s.status <> 'revoked' and dead.letters > 0 and ${within(WITHIN)}`,
  },
  paused_channel: {
    page: "channels",
    rows: `
      ${row({
        ...{ record_id: "channel_id", label: "display_name", reason: "pause_reason", detail: "last_error" },
        since: "updated_at",
      })}
      from channels c where c.status = 'paused' and c.pause_reason <> 'manual' and ${within(CHANNEL_WITHIN)}`,
  },
  label_failed: {
    page: "sales-orders",
    rows: `
      ${row({
        ...{ record_id: "so_id", label: "so_number", name: "l.carrier", reason: "refusal", detail: "last_error" },
        ...{ since: "completed_at", warehouse_id: "l.warehouse_id" },
      })}
      from label_purchases l join parcels p using (parcel_id) join sales_orders so using (so_id)
      where (l.status in ('failed', 'void_failed') or l.refund = 'rejected') and completed_at > now() - ${RECENT}
        and ${ours("l.warehouse_id")}
        and p.status in ('CLOSED', 'SHIPPED', 'VOIDED')
        and not exists (select from label_purchases later
                        where later.parcel_id = l.parcel_id and later.purchase_id > l.purchase_id)`,
  },
  parcel_exception: {
    page: "sales-orders",
    rows: parcels("t.status_at", "t.status in ('exception', 'returned')", {
      ...{ reason: "t.status", detail: "concat_ws(', ', t.message, t.place)" },
    }),
  },
  parcel_late: {
    page: "sales-orders",
    rows: parcels(
      dayBegins(LATE_FROM, zoneOf("t.warehouse_id")),
      `${UNDER_WAY} and not coalesce(${LOST}, false) and ${LATE_DAYS} > 0
        and t.expected_day + ${LATE_DAYS}::int < ${todayAt("t.warehouse_id")}
        and ${LATE_FROM} <= ${todayAt("t.warehouse_id")}`,
      { reason: "t.status", detail: "t.place", due: "t.expected_day" },
    ),
  },
  parcel_lost: {
    page: "sales-orders",
    rows: parcels(LOST_AT, `${UNDER_WAY} and ${LOST}`, {
      ...{ reason: "t.status", detail: "t.place" },
    }),
  },
  not_collected: {
    page: "sales-orders",
    rows: `
      ${row({
        record_id: "so_id",
        label: "so_number || ' / ' || string_agg(p.parcel_number::text, ', ' order by p.parcel_number)",
        name: "l.carrier",
        detail: "string_agg(l.tracking_number, ', ')",
        ...{ since: "min(left_behind_at)", warehouse_id: "l.warehouse_id" },
      })}
      from label_purchases l join parcels p using (parcel_id) join sales_orders so using (so_id)
      join carrier_collections c using (collection_id)
      where l.left_behind_at is not null and l.status = 'bought' and c.collected_at is null
        and ${ours("l.warehouse_id")}
      group by so_id, so_number, l.carrier, l.warehouse_id`,
  },
  print_failed: {
    page: "picking-tickets",
    rows: `
      ${row({
        ...{ record_id: "job_id", label: "title", name: "printer_name", reason: "document", detail: "last_error" },
        ...{ since: "completed_at", warehouse_id: "j.warehouse_id" },
      })}
      from print_jobs j join printers using (printer_id)
      where status = 'failed' and completed_at > now() - ${RECENT} and ${ours("j.warehouse_id")}`,
  },
};
