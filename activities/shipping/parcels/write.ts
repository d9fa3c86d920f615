import type { Actor } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import type { Effects } from "../../../src/platform/db/db.js";
import { BoxNotFound } from "../../../src/shipping/boxes/problems.js";
import { parcelById } from "../../../src/shipping/parcels/queries.js";
import type { Parcel } from "../../../src/shipping/parcels/shapes.js";
import type { Tx } from "../../command.js";
import { unpackNamedSerials } from "../../serials/pack.js";
import { unpackLines } from "../../stock/line-counters.js";
import type { Order, OrderWithContent } from "../contents.js";
import type { PackedUnits } from "../pack-units.js";

/** The rows of parcels; the order that a parcel belongs to is locked. */

/** Opens the next parcel of an order; 404 `box_not_found` where its box is unknown or out of use. */
export async function insertParcel(tx: Tx, { so_id }: Order, boxId: number | null): Promise<number> {
  const made = await tx.row(
    { parcel_id: int },
    `insert into parcels (so_id, warehouse_id, parcel_number, box_id)
     select so_id, warehouse_id, (select coalesce(max(parcel_number), 0) + 1 from parcels p where p.so_id = so.so_id),
            $2::int
     from sales_orders so
     where so_id = $1 and ($2::int is null or exists (select from boxes where box_id = $2 and is_active))
     returning parcel_id`,
    [so_id, boxId],
  );
  if (!made) throw BoxNotFound();
  return made.parcel_id;
}

/** Puts units into a parcel; those of one line and lot are one row, and each serial is one. */
export async function putIn(tx: Effects, parcelId: number, units: PackedUnits[]): Promise<void> {
  await tx.run(
    `with units as (
       select * from unnest(:so_line_ids::int[], :item_ids::int[], :lots::text[], :serials::text[], :quantities::int[])
         as u(so_line_id, item_id, lot_number, serial_number, quantity)
     ), more as (
       update parcel_lines l set quantity = l.quantity + u.quantity
       from units u
       where l.parcel_id = :parcel_id and l.so_line_id = u.so_line_id and l.lot_number is not distinct from u.lot_number
         and l.serial_number is null and u.serial_number is null
       returning l.so_line_id, l.lot_number, l.serial_number
     ), touched as (
       update parcels set updated_at = now() where parcel_id = :parcel_id
     )
     insert into parcel_lines (parcel_id, so_line_id, item_id, lot_number, serial_number, quantity)
     select :parcel_id, so_line_id, item_id, lot_number, serial_number, quantity from units u
     where not exists (
       select from more m
       where (m.so_line_id, m.lot_number, m.serial_number)
         is not distinct from (u.so_line_id, u.lot_number, u.serial_number))`,
    {
      parcel_id: parcelId,
      so_line_ids: units.map((one) => one.so_line_id),
      item_ids: units.map((one) => one.item_id),
      lots: units.map((one) => one.lot_number),
      serials: units.map((one) => one.serial_number),
      quantities: units.map((one) => one.quantity),
    },
  );
}

interface UnpackedUnits {
  so_line_id: number;
  serial_number: string | null;
  quantity: number;
}

/** Counts units that were taken out of a parcel as packed no more; their serials are in stock again. */
export async function unpack(tx: Effects, order: Order, units: UnpackedUnits[], by: Actor): Promise<void> {
  await unpackLines(
    tx,
    units.map(({ so_line_id, quantity }) => ({ so_line_id, units: quantity })),
  );
  const named = units.flatMap(({ so_line_id, serial_number }) =>
    serial_number === null ? [] : [{ so_line_id, serial_number }],
  );
  if (named.length > 0) await unpackNamedSerials(tx, order, named, by);
}

/** Voids the parcels of an order, as all that was packed is unpacked by the caller. */
export const voidParcels = (tx: Effects, soId: number, reason: string, by: Pick<Actor, "username">): Promise<unknown> =>
  tx.run(`${VOID} where so_id = $3 and status <> 'VOIDED'`, [by.username, reason, soId]);

/** Voids these parcels of an order, in which nothing is any more. */
export const voidThese = (tx: Effects, ids: number[], reason: string | null, by: Actor): Promise<unknown> =>
  tx.run(`${VOID} where parcel_id = any($3)`, [by.username, reason, ids]);

/** The parcels of an order whose shipments are all undone are closed, as they were before. */
export const unshipParcels = (tx: Effects, soId: number): Promise<unknown> =>
  tx.run(
    `update parcels set status = 'CLOSED', fulfillment_id = null, shipped_at = null, updated_at = now()
     where so_id = $1 and status = 'SHIPPED'`,
    [soId],
  );

const VOID = `
  update parcels
  set status = 'VOIDED', voided_at = now(), voided_by = $1, void_reason = $2, fulfillment_id = null, shipped_at = null,
      updated_at = now()`;

/** Voids what was opened and never filled, when the order goes on. */
export function voidEmpty(tx: Tx, { parcels }: OrderWithContent, by: Actor): void {
  const empty = parcels.filter(({ status, lines }) => status === "OPEN" && lines.length === 0);
  if (empty.length > 0)
    void voidThese(
      tx.later,
      empty.map(({ parcel_id }) => parcel_id),
      "Nothing was in it",
      by,
    );
}

/** An order is being packed again, because one of its parcels is. */
export function packAgain(tx: Tx, { so_id, so_number, warehouse_id, status }: Order): void {
  if (status !== "PACKED") return;
  tx.later.run(
    `update sales_orders set status = 'PICKED', packed_at = null, updated_at = clock_timestamp() where so_id = $1`,
    [so_id],
  );
  tx.audit({
    action: "SO_STATUS_REVERTED",
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: { so_number, from_status: "PACKED", to_status: "PICKED" },
  });
}

/** Notes in the audit log what was done with a parcel. */
export function auditParcel(
  tx: Tx,
  action: "PARCEL_OPEN" | "PARCEL_CLOSE" | "PARCEL_REOPEN" | "PARCEL_TAKE_OUT" | "PARCEL_VOID",
  { so_id, so_number, warehouse_id }: Order,
  details: { parcel_number: number } & Record<string, unknown>,
): void {
  tx.audit({ action, entity: "SO", entityId: so_id, warehouseId: warehouse_id, details: { so_number, ...details } });
}

/** A parcel as it is after what the command did. */
export const parcelNow = async (tx: Tx, parcelId: number): Promise<Parcel> =>
  (await parcelById(tx, parcelId)) as Parcel;
