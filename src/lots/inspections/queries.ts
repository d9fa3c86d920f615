import { int } from "../../platform/db/columns.js";
import { db, type Sql } from "../../platform/db/db.js";
import { builder, containing } from "../../platform/db/list.js";
import { listPage } from "../../platform/db/listing.js";
import { holdsOfInspection } from "../../stock/holds/queries.js";
import {
  Inspection,
  InspectionDecision,
  type InspectionDetail,
  type InspectionFilters,
  inspectionList,
} from "./shapes.js";

/** SQL: the units of an inspection `n`, of a lot `l` or of holds, that are still to be decided about. */
export const OPEN_UNITS = `case
    when n.closed_at is not null then 0
    when n.lot_id is not null then (
      select coalesce(sum(quantity_on_hand), 0) from inventory v
      where v.item_id = l.item_id and v.lot_number = l.lot_number)
    else (
      select coalesce(sum(quantity_held), 0) from stock_holds h
      where h.inspection_id = n.inspection_id and h.condition = 'QUARANTINE')
  end`;

/** SQL: the lot of an inspection `n`, or that of all its units. */
export const ITS_LOT = `coalesce(l.lot_number, (
    select case when count(distinct coalesce(lot_number, '')) = 1 then min(lot_number) end
    from stock_holds h join inventory v using (inventory_id) where h.inspection_id = n.inspection_id))`;

const COLUMNS = `
  n.inspection_id, n.external_id, n.item_id, i.external_id as item_external_id, sku, item_name, n.warehouse_id,
  warehouse_code, n.lot_id, ${ITS_LOT} as lot_number, n.reason,
  case when n.closed_at is null then 'OPEN' else 'CLOSED' end as status, n.quantity, ${OPEN_UNITS} as quantity_open,
  opened_by, opened_at, reminded_at, due_at, (n.closed_at is null and coalesce(due_at <= now(), false)) as is_overdue,
  closed_at`;

const JOINS = `
  inspections n join items i on i.item_id = n.item_id left join warehouses w on w.warehouse_id = n.warehouse_id
  left join lots l on l.lot_id = n.lot_id`;

/** SQL: whether it is in one of the caller's warehouses; that of a lot is, where units of it are or were. */
const isKnownIn = (warehouses: string) => `(
  ${warehouses}::int[] is null or n.warehouse_id = any(${warehouses}) or exists (
    select from inventory v
    where v.item_id = l.item_id and v.lot_number = l.lot_number and v.warehouse_id = any(${warehouses})))`;

/** Inspections, the newest first; `q` looks in SKU, name and the number of a lot that is inspected as a whole. */
export function inspections(filters: InspectionFilters, warehouseIds: number[] | null) {
  const { warehouse_id, item_id, lot_id, status, q } = filters;
  const query = builder("inspections as n")
    .join("items as i", "i.item_id", "n.item_id")
    .leftJoin("warehouses as w", "w.warehouse_id", "n.warehouse_id")
    .leftJoin("lots as l", "l.lot_id", "n.lot_id")
    .select(builder.raw(COLUMNS))
    .orderBy([
      { column: "opened_at", order: "desc" },
      { column: "inspection_id", order: "desc" },
    ]);
  if (warehouseIds) query.whereRaw(isKnownIn(":warehouses"), { warehouses: warehouseIds } as never);
  if (warehouse_id) query.whereRaw(isKnownIn(":looked"), { looked: [warehouse_id] } as never);
  if (item_id) query.where("n.item_id", item_id);
  if (lot_id) query.where("n.lot_id", lot_id);
  if (status === "OPEN") query.whereNull("n.closed_at");
  if (status === "CLOSED") query.whereNotNull("n.closed_at");
  if (q)
    query.where((either) => {
      for (const column of ["sku", "item_name", "l.lot_number"]) either.orWhereILike(column, containing(q));
    });
  return listPage(Inspection, "inspections", query, filters, inspectionList);
}

/** An inspection as a user of these warehouses sees it. */
export const inspectionOf = (sql: Sql, id: number, warehouses: number[] | null): Promise<Inspection | undefined> =>
  sql.row(Inspection, `select ${COLUMNS} from ${JOINS} where n.inspection_id = $1 and ${isKnownIn("$2")}`, [
    ...[id, warehouses],
  ]);

/** The same with its units and its decisions. */
export async function inspection(id: number, warehouses: number[] | null): Promise<InspectionDetail | undefined> {
  const [found, holds, decisions] = await Promise.all([
    inspectionOf(db, id, warehouses),
    holdsOfInspection(db, id, warehouses),
    db.rows(
      InspectionDecision,
      `select decision, quantity, reason, decided_by, decided_at from inspection_decisions
       where inspection_id = $1 order by decision_id`,
      [id],
    ),
  ]);
  return found && { ...found, holds, decisions };
}

/** Whose share of the workers the workflow of an inspection takes; null for that of a lot. */
export interface OfInspection {
  id: number;
  warehouse_id: number | null;
}

const OpenInspection = { id: int, warehouse_id: int.nullable() };

/** For the job `reconcile`. */
export const openInspections = (): Promise<OfInspection[]> =>
  db.rows(
    OpenInspection,
    "select inspection_id as id, warehouse_id from inspections where closed_at is null order by inspection_id",
    [],
  );

/** An open inspection, by its id; undefined where it has closed. */
export const openInspection = (id: number): Promise<OfInspection | undefined> =>
  db.row(
    OpenInspection,
    "select inspection_id as id, warehouse_id from inspections where inspection_id = $1 and closed_at is null",
    [id],
  );

/** The inspection of a lot that is open, or has just closed: its workflow is to learn of it. */
export const inspectionToTell = (lotId: number): Promise<OfInspection | undefined> =>
  db.row(
    OpenInspection,
    `select inspection_id as id, warehouse_id from inspections
     where lot_id = $1 and (closed_at is null or closed_at > now() - interval '1 minute')
     order by inspection_id desc limit 1`,
    [lotId],
  );
