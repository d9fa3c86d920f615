import type { Sql } from "../../src/platform/db/db.js";
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
     values (:so_id, :is_refund, :warehouse_id, :cashier_id, :terminal_id, :token, :method, :total_cents, :tenders)`,
    {
      ...{ so_id, is_refund, warehouse_id, cashier_id, terminal_id, token, method, total_cents },
      tenders: JSON.stringify(tenders.map(({ type, amount_cents }) => ({ type, amount_cents }))),
    },
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
     select :soId, place, item_id, warehouse_code, bin_code, bin_id, lot_number, expiry_date, quantity
     from unnest(:item_ids::int[], :warehouse_codes::text[], :bin_codes::text[], :bin_ids::int[], :lots::text[],
                 :expiries::date[], :quantities::int[]) with ordinality
       as u(item_id, warehouse_code, bin_code, bin_id, lot_number, expiry_date, quantity, place)`,
    {
      soId,
      item_ids: taken.map(({ line }) => itemIds[line]),
      warehouse_codes: taken.map(({ line }) => lines[line]?.warehouse_id ?? ""),
      bin_codes: taken.map(({ line }) => lines[line]?.bin_id ?? ""),
      bin_ids: taken.map(({ row }) => row.bin_id),
      lots: taken.map(({ row }) => row.lot_number),
      expiries: taken.map(({ row }) => row.expiry_date),
      quantities: taken.map(({ units }) => units),
    },
  );
}

/** How long a command of a till waits for a lock: a customer is waiting. */
export interface PosTimeouts {
  posLockTimeoutMs: number;
  posStatementTimeoutMs: number;
}

/** To be the first statement of the transaction. */
export const limitWaits = (tx: Sql, { posLockTimeoutMs, posStatementTimeoutMs }: PosTimeouts) =>
  tx.run("select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)", [
    `${posLockTimeoutMs}ms`,
    `${posStatementTimeoutMs}ms`,
  ]);
