import { int, text } from "../platform/db/columns.js";
import { db, type Sql } from "../platform/db/db.js";
import { builder, containing } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { CUSTOMER_ADDRESS } from "../sales-orders/addresses.js";
import {
  Recall,
  type RecallDetail,
  RecalledLot,
  RecalledSerial,
  type RecallFilters,
  RecallOrder,
  type RecallOrderFilters,
  RecallPlace,
  recallList,
  recallOrderList,
} from "./shapes.js";
import { binsOfSerials, ordersOf, placesOf, statesOfSerials, sumOf, unitsOfLots, unitsOfSerials } from "./units.js";
import { openUnits } from "./workflow.js";

const COLUMNS = `
  r.recall_id, r.external_id, r.reason, case when r.closed_at is null then 'OPEN' else 'CLOSED' end as status,
  (select count(*) from recall_lots rl where rl.recall_id = r.recall_id) as lot_count,
  (select count(*) from recall_serials rs where rs.recall_id = r.recall_id) as serial_count, r.opened_by, r.opened_at,
  r.closed_by, r.closed_at, r.close_reason`;

/** Recalls, the newest first; `q` looks in the reason, and in number and SKU of lots and serials. */
export function recalls(filters: RecallFilters) {
  const { status, lot_id, q } = filters;
  const query = builder("recalls as r")
    .select(builder.raw(COLUMNS))
    .orderBy([
      { column: "r.opened_at", order: "desc" },
      { column: "r.recall_id", order: "desc" },
    ]);
  if (status === "OPEN") query.whereNull("r.closed_at");
  if (status === "CLOSED") query.whereNotNull("r.closed_at");
  if (lot_id) query.whereRaw("r.recall_id in (select recall_id from recall_lots where lot_id = ?)", [lot_id]);
  if (q)
    query.whereRaw(
      `(r.reason ilike :like or exists (
         select from recall_lots rl join lots l using (lot_id) join items i using (item_id)
         where rl.recall_id = r.recall_id and (l.lot_number ilike :like or i.sku ilike :like))
       or exists (
         select from recall_serials rs join serials s using (serial_id) join items i using (item_id)
         where rs.recall_id = r.recall_id and (s.serial_number ilike :like or i.sku ilike :like)))`,
      { like: containing(q) },
    );
  return listPage(Recall, "recalls", query, filters, recallList);
}

const PLACES = `
  select p.inventory_id, p.lot_id, l.lot_number, sku, p.warehouse_id, warehouse_code, p.bin_id, bin_code,
    p.on_hand as quantity_on_hand, p.found, p.returned, p.to_count,
    (select max(count_id) from cycle_counts c join recalls r on r.recall_id = $1
     where c.bin_id = p.bin_id and c.created_at >= r.opened_at) as count_id
  from (${placesOf("$1")}) p join lots l using (lot_id) join items i on i.item_id = p.item_id
  join bins b on b.bin_id = p.bin_id join warehouses w on w.warehouse_id = p.warehouse_id
  order by p.to_count = 0, warehouse_code, bin_code, p.inventory_id limit 2000`;

const SERIALS = `
  select s.serial_id, s.item_id, sku, item_name, serial_number, s.lot_number, s.warehouse_id, warehouse_code,
    unit_state, s.so_id, so_number, customer_name,
    (select coalesce(json_agg(json_build_object('bin_id', bin_id, 'bin_code', bin_code) order by bin_code), '[]')
     from (select distinct bin_id, bin_code from (${binsOfSerials("$1")}) b join bins using (bin_id)
           where b.serial_id = s.serial_id) holding) as bins
  from (${statesOfSerials("$1")}) st join serials s using (serial_id) join items using (item_id)
  join warehouses w on w.warehouse_id = s.warehouse_id left join sales_orders so on so.so_id = s.so_id
  order by unit_state not in ('to_count', 'picked', 'to_tell'), sku, serial_number`;

/** A recall with where its units are; undefined when there is none. */
export async function recall(recallId: number): Promise<RecallDetail | undefined> {
  const [found, lots, places, units, serials, ofSerials] = await Promise.all([
    db.row(Recall, `select ${COLUMNS} from recalls r where recall_id = $1`, [recallId]),
    db.rows(
      RecalledLot,
      `select lot_id, lot_number, item_id, sku, item_name, l.condition
       from recall_lots join lots l using (lot_id) join items using (item_id) where recall_id = $1 order by lot_id`,
      [recallId],
    ),
    db.rows(RecallPlace, PLACES, [recallId]),
    unitsOfLots(db, recallId),
    db.rows(RecalledSerial, SERIALS, [recallId]),
    unitsOfSerials(db, recallId),
  ]);
  if (!found) return undefined;
  const all = sumOf([...units.values(), ofSerials]);
  return {
    ...found,
    units: all,
    units_open: openUnits(all),
    lots: lots.map((lot) => ({ ...lot, units: units.get(lot.lot_id) ?? sumOf([]) })),
    places,
    serials,
  };
}

/** Orders that have had units of a recall, those with the most urgent state first. */
export function recallOrders(recallId: number, filters: RecallOrderFilters) {
  const orders = `(
    select so_id, so_number, so.status, so.warehouse_id, warehouse_code, customer_name, customer_email,
      customer_phone, ${CUSTOMER_ADDRESS} as customer_address, lot_numbers, serial_numbers, picked,
      case when told_at is null then away else 0 end as to_tell,
      case when told_at is not null then away else 0 end as told, returned, told_at, told_by, note
    from (
      select so_id,
        coalesce(array_agg(l.lot_number order by l.lot_number) filter (where lot_id is not null), '{}') as lot_numbers,
        coalesce(array_agg(serial_number order by serial_number) filter (where serial_id is not null), '{}')
          as serial_numbers, sum(picked)::bigint as picked,
        sum(returned)::bigint as returned, sum(away)::bigint as away, min(told_at) as told_at, min(told_by) as told_by,
        min(note) as note
      from (${ordersOf(":recall")}) one left join lots l using (lot_id)
      left join (select serial_id, serial_number from serials) s using (serial_id) group by so_id) grouped
    join sales_orders so using (so_id) join warehouses using (warehouse_id)) as o`;
  const query = builder
    .from(builder.raw(orders, { recall: recallId }))
    .select("o.*")
    .orderBy("o.so_id");
  const { state } = filters;
  if (state === "open") query.whereRaw("(o.picked > 0 or o.to_tell > 0)");
  else if (state) query.where(`o.${state}`, ">", 0);
  return listPage(RecallOrder, "orders", query, filters, recallOrderList);
}

export const recallExists = async (recallId: number): Promise<boolean> =>
  (await db.row({ recall_id: int }, "select recall_id from recalls where recall_id = $1", [recallId])) !== undefined;

/** Reserves the id of a recall: its workflow starts before its row exists. */
export async function takeRecallId(): Promise<number> {
  const next = await db.row({ id: int }, "select nextval(pg_get_serial_sequence('recalls', 'recall_id')) as id", []);
  return next?.id as number;
}

/** Null, as it is of all warehouses, for a recall that is open; undefined for another. */
export async function openRecall(recallId: number): Promise<null | undefined> {
  const sql = "select recall_id from recalls where recall_id = $1 and closed_at is null";
  return (await db.row({ recall_id: int }, sql, [recallId])) ? null : undefined;
}

/** For the job `reconcile`. */
export async function openRecalls(): Promise<{ id: number; warehouse_id: null }[]> {
  const open = await db.rows(
    { id: int },
    "select recall_id as id from recalls where closed_at is null order by recall_id",
    [],
  );
  return open.map(({ id }) => ({ id, warehouse_id: null }));
}

const OpenRecallOfLot = { recall_id: int, lot_number: text };

/** The open recall that a lot is on. */
export const openRecallOfLot = (sql: Sql, lotId: number) =>
  sql.row(
    OpenRecallOfLot,
    `select recall_id, lot_number from recalls r join recall_lots using (recall_id) join lots using (lot_id)
     where closed_at is null and lot_id = $1`,
    [lotId],
  );

/** What is on an open recall of what an order has picked: units of a lot, or one that is packed by its serial. */
export const recalledInOrder = (sql: Sql, soId: number) =>
  sql.row(
    { recall_id: int, units: text },
    `select r.recall_id, 'units of lot ' || l.lot_number as units from recalls r
     join recall_lots using (recall_id) join lots l using (lot_id)
     where r.closed_at is null and exists (
       select from wave_pick_breakdown w join pick_tasks t using (pick_task_id) join inventory v using (inventory_id)
       where w.so_id = $1 and w.quantity_picked > 0 and t.status in ('PICKED', 'SHORT')
         and v.item_id = l.item_id and v.lot_number = l.lot_number)
     union all
     select recall_id, 'a unit of serial ' || serial_number from recalls join recall_serials using (recall_id)
     join serials s using (serial_id) where closed_at is null and s.so_id = $1
     order by 1, 2 limit 1`,
    [soId],
  );

/** The same of what is in parcels of an order; of units whose lot nobody knows, of any lot that was picked for them. */
export const recalledInParcels = (sql: Sql, parcelIds: number[]) =>
  sql.row(
    { recall_id: int, units: text },
    `select r.recall_id, 'units of lot ' || l.lot_number as units from recalls r
     join recall_lots using (recall_id) join lots l using (lot_id)
     where r.closed_at is null and exists (
       select from parcel_lines p
       where p.parcel_id = any($1) and p.item_id = l.item_id and (p.lot_number = l.lot_number
         or p.lot_number is null and exists (
           select from wave_pick_breakdown w join pick_tasks t using (pick_task_id)
             join inventory v using (inventory_id)
           where w.so_line_id = p.so_line_id and w.quantity_picked > 0 and t.status in ('PICKED', 'SHORT')
             and v.lot_number = l.lot_number)))
     union all
     select recall_id, 'a unit of serial ' || s.serial_number from recalls join recall_serials using (recall_id)
     join serials s using (serial_id)
     join parcel_lines p on p.so_line_id = s.so_line_id and p.serial_number = s.serial_number
     where closed_at is null and p.parcel_id = any($1)
     order by 1, 2 limit 1`,
    [parcelIds],
  );
