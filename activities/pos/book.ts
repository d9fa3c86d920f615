import type { Tender } from "../../src/pos/shapes.js";
import type { Tx } from "../command.js";
import type { TakenLot } from "./sale-units.js";

interface Booking {
  so_id: number;
  is_refund: boolean;
  warehouse_id: number;
  cashier_id: string;
  terminal_id: string | null | undefined;
  /** The user name of the till's key. */
  token: string;
  method: string;
  total_cents: number;
  tenders: Pick<Tender, "type" | "amount_cents">[];
}

/** Records in `counter_bookings` what a till was paid, or paid back. */
export function bookAtTill(tx: Tx, booking: Booking): void {
  const { so_id, is_refund, warehouse_id, cashier_id, terminal_id, token, method, total_cents, tenders } = booking;
  tx.later.run(
    `insert into counter_bookings
       (so_id, is_refund, warehouse_id, cashier_id, terminal_id, token, payment_method, total_cents, tenders)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[so_id, is_refund, warehouse_id, cashier_id, terminal_id ?? null, token, method, total_cents],
      JSON.stringify(tenders.map(({ type, amount_cents }) => ({ type, amount_cents }))),
    ],
  );
}

/** Stores the bins and lots that the units of a sale came from: returned units go back there. */
export function keepUnits(
  tx: Tx,
  soId: number,
  lines: { warehouse_id?: string | null | undefined; bin_id?: string | null | undefined }[],
  itemIds: number[],
  taken: TakenLot[],
): void {
  if (taken.length === 0) return;
  tx.later.run(
    `insert into counter_sale_units
       (so_id, place, item_id, warehouse_code, bin_code, bin_id, lot_number, expiry_date, quantity)
     select $1, place, item_id, warehouse_code, bin_code, bin_id, lot_number, expiry_date, quantity
     from unnest($2::int[], $3::text[], $4::text[], $5::int[], $6::text[], $7::date[], $8::int[]) with ordinality
       as u(item_id, warehouse_code, bin_code, bin_id, lot_number, expiry_date, quantity, place)`,
    [
      soId,
      taken.map(({ line }) => itemIds[line]),
      taken.map(({ line }) => lines[line]?.warehouse_id ?? ""),
      taken.map(({ line }) => lines[line]?.bin_id ?? ""),
      taken.map(({ row }) => row.bin_id),
      taken.map(({ row }) => row.lot_number),
      taken.map(({ row }) => row.expiry_date),
      taken.map(({ units }) => units),
    ],
  );
}
