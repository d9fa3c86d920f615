import { int } from "../../platform/db/columns.js";
import { db } from "../../platform/db/db.js";
import { lotOf } from "../queries.js";
import { type Trace, type TraceKind, type TraceQuery, TraceStep, traceKinds } from "./shapes.js";

/** The columns of a step; where a kind does not name one, it is null. */
const NOTHING: Record<string, string> = {
  ...{ at: "null::timestamptz", warehouse_id: "null::int", warehouse_code: "null", bin_code: "null" },
  ...{ to_bin_code: "null", to_warehouse_code: "null", po_number: "null", vendor_name: "null" },
  ...{ so_id: "null::int", so_number: "null", customer_name: "null", customer_address: "null", batch_id: "null::int" },
  ...{ shipped_at: "null::timestamptz", carrier: "null", tracking_number: "null", username: "null" },
};

const ORDER = {
  ...{ so_id: "so.so_id", so_number: "so.so_number", customer_name: "so.customer_name" },
  customer_address: "coalesce(so.ship_address, so.customer_address)",
};

/** SQL of a kind: the columns of its steps, and its rows in order; a position is two numbers that only grow. */
interface Kind {
  columns: Record<string, string>;
  /** After the position (:after, :next), at most :limit; of a lot by :item_id and :lot_number, in :warehouses. */
  rows: string;
}

const visible = (warehouse: string) => `(:warehouses::int[] is null or ${warehouse} = any(:warehouses))`;

/** The keys are found first, in the order of an index, and then what is said of them. */
const kinds: Record<TraceKind, Kind> = {
  receipt: {
    columns: {
      ...{ kind: "case when r.po_id is null then 'return' else 'receipt' end", id: "k.id", next: "0" },
      ...{ at: "r.received_at", quantity: "r.quantity_received", warehouse_id: "r.warehouse_id" },
      ...{ warehouse_code: "w.warehouse_code", bin_code: "b.bin_code", po_number: "po.po_number" },
      ...{ vendor_name: "po.vendor_name", username: "r.received_by", ...ORDER },
    },
    rows: `
      (select receipt_id as id, 0 as next from item_receipts
       where item_id = :item_id and lot_number = :lot_number and receipt_id > :after and ${visible("warehouse_id")}
       order by receipt_id limit :limit) k
      join item_receipts r on r.receipt_id = k.id join bins b using (bin_id)
      join warehouses w on w.warehouse_id = r.warehouse_id
      left join purchase_orders po on po.po_id = r.po_id left join sales_orders so on so.so_id = r.so_id`,
  },
  place: {
    columns: {
      ...{ kind: "'place'", id: "k.id", next: "0", at: "v.updated_at", quantity: "v.quantity_on_hand" },
      ...{ warehouse_id: "v.warehouse_id", warehouse_code: "w.warehouse_code", bin_code: "b.bin_code" },
    },
    rows: `
      (select inventory_id as id, 0 as next from inventory
       where item_id = :item_id and lot_number = :lot_number and quantity_on_hand > 0 and inventory_id > :after
         and ${visible("warehouse_id")}
       order by inventory_id limit :limit) k
      join inventory v on v.inventory_id = k.id join bins b on b.bin_id = v.bin_id
      join warehouses w on w.warehouse_id = v.warehouse_id`,
  },
  move: {
    columns: {
      ...{ kind: "'move'", id: "k.id", next: "0", at: "m.transferred_at", quantity: "m.quantity" },
      ...{ warehouse_id: "m.warehouse_id", warehouse_code: "w.warehouse_code", bin_code: "b.bin_code" },
      ...{ to_bin_code: "t.bin_code", to_warehouse_code: "o.warehouse_code", username: "m.transferred_by" },
    },
    rows: `
      (select transfer_id as id, 0 as next from bin_transfers
       where item_id = :item_id and lot_number = :lot_number and transfer_id > :after and ${visible("warehouse_id")}
       order by transfer_id limit :limit) k
      join bin_transfers m on m.transfer_id = k.id join bins b on b.bin_id = m.from_bin_id
      join bins t on t.bin_id = m.to_bin_id join warehouses w on w.warehouse_id = m.warehouse_id
      join warehouses o on o.warehouse_id = t.warehouse_id`,
  },
  pick: {
    columns: {
      ...{ kind: "'pick'", id: "k.id", next: "k.next", at: "p.picked_at", quantity: "k.quantity" },
      ...{ warehouse_id: "so.warehouse_id", warehouse_code: "w.warehouse_code", bin_code: "b.bin_code" },
      ...{ batch_id: "p.batch_id", username: "p.picked_by", ...ORDER },
      ...{ shipped_at: "f.shipped_at", carrier: "f.carrier", tracking_number: "f.tracking_number" },
    },
    rows: `
      (select t.pick_task_id as id, t.so_line_id as next, t.so_id, t.quantity
       from inventory v cross join lateral (
         select p.pick_task_id, s.so_line_id, s.so_id, s.quantity_picked as quantity
         from pick_tasks p join wave_pick_breakdown s using (pick_task_id)
         where p.inventory_id = v.inventory_id and p.quantity_picked > 0 and p.pick_task_id >= :after
           and (p.pick_task_id, s.so_line_id) > (:after, :next) and p.status in ('PICKED', 'SHORT')
           and s.quantity_picked > 0
         order by p.pick_task_id, s.so_line_id limit :limit) t
       where v.item_id = :item_id and v.lot_number = :lot_number and ${visible("v.warehouse_id")}
       order by id, next limit :limit) k
      join pick_tasks p on p.pick_task_id = k.id join bins b on b.bin_id = p.bin_id
      join sales_orders so on so.so_id = k.so_id join warehouses w on w.warehouse_id = so.warehouse_id
      left join lateral (
        select shipped_at, carrier, tracking_number from item_fulfillments f
        where f.so_id = so.so_id and f.status = 'SHIPPED' order by fulfillment_id desc limit 1) f on true`,
  },
  sale: {
    columns: {
      ...{ kind: "'sale'", id: "k.id", next: "k.next", at: "so.created_at", quantity: "u.quantity" },
      ...{ warehouse_id: "so.warehouse_id", warehouse_code: "w.warehouse_code", bin_code: "u.bin_code" },
      ...{ username: "so.created_by", shipped_at: "so.shipped_at", ...ORDER },
    },
    rows: `
      (select so_id as id, place as next from counter_sale_units join sales_orders using (so_id)
       where item_id = :item_id and lot_number = :lot_number and (so_id, place) > (:after, :next)
         and ${visible("warehouse_id")}
       order by so_id, place limit :limit) k
      join counter_sale_units u on u.so_id = k.id and u.place = k.next
      join sales_orders so on so.so_id = k.id join warehouses w on w.warehouse_id = so.warehouse_id`,
  },
};

const SQL = Object.fromEntries(
  traceKinds.map((kind) => {
    const { columns, rows } = kinds[kind];
    const all = Object.entries({ ...NOTHING, ...columns }).map(([name, sql]) => `${sql} as ${name}`);
    return [kind, `select ${all.join(", ")} from ${rows} order by k.id, k.next`];
  }),
) as Record<TraceKind, string>;

const Row = TraceStep.extend({ next: int });

interface Position {
  kind: TraceKind;
  after: number;
  next: number;
}

/** A part of a lot's trace, as a user of these warehouses sees it; undefined where the lot is not known there. */
export async function traceOf(
  lotId: number,
  { kind, limit, cursor }: TraceQuery,
  warehouses: number[] | null,
): Promise<Trace | undefined> {
  const lot = await lotOf(db, lotId, warehouses);
  if (!lot) return undefined;
  const [first, after, next] = cursor?.split("-") ?? [];
  let position: Position | undefined = first
    ? { kind: first as TraceKind, after: Number(after), next: Number(next) }
    : { kind: kind ?? traceKinds[0], after: 0, next: 0 };
  const steps: TraceStep[] = [];
  while (position && steps.length < limit) {
    const wanted: number = limit - steps.length;
    const rows: (TraceStep & { next: number })[] = await db.rows(Row, SQL[position.kind], {
      ...{ item_id: lot.item_id, lot_number: lot.lot_number, warehouses },
      ...{ after: position.after, next: position.next, limit: wanted },
    });
    const last = rows.at(-1);
    steps.push(...rows.map(({ next: _, ...step }) => step));
    if (last && rows.length === wanted) position = { kind: position.kind, after: last.id, next: last.next };
    else position = kind ? undefined : kindAfter(position.kind);
  }
  return { lot, steps, next_cursor: position ? `${position.kind}-${position.after}-${position.next}` : null };
}

function kindAfter(kind: TraceKind): Position | undefined {
  const next = traceKinds[traceKinds.indexOf(kind) + 1];
  return next && { kind: next, after: 0, next: 0 };
}
