import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { checkScans } from "../../src/platform/barcodes/match.js";
import { int, text } from "../../src/platform/db/columns.js";
import { SerialElsewhere, SerialNotOfOrder, SerialRecalled, SerialUnknown } from "../../src/serials/problems.js";
import { recalledSerial } from "../../src/serials/queries.js";
import type { Tx } from "../command.js";
import { labelsOf, refuseItemCodes, serialsOf } from "./named.js";
import { lockSerialItems, namelessUnits } from "./nameless.js";
import { returnSerials } from "./return.js";
import { stepBy, withStep } from "./steps.js";

/** Units that go over a counter. */
interface SoldUnits {
  so_line_id: number;
  item_id: number;
  sku: string;
  quantity: number;
  warehouse_id: number;
  serial_numbers?: string[] | null | undefined;
}

interface OfSale {
  so_id: number;
  so_number: string;
}

/**
 * Notes which units a till sells: as many as are sold where the item asks for serials, each in stock, or of units that
 * nobody named. The stock rows are locked.
 */
export async function sellSerials(tx: Tx, lines: SoldUnits[], sale: OfSale, by: Actor): Promise<void> {
  if (lines.length === 0) return;
  const ids = lines.map(({ item_id }) => item_id);
  const [items, nameless] = await tx.inOrder([lockSerialItems(tx, ids), namelessUnits(tx, ids)]);
  for (const units of lines) {
    const { item_id, sku, so_line_id, warehouse_id } = units;
    const policy = items.find((item) => item.item_id === item_id)?.serial_policy ?? "none";
    const serials = serialsOf(units, { sku, serial_policy: policy }, ["at_receipt", "at_shipping"]);
    if (serials.length === 0) continue;
    await checkScans(tx, labelsOf(units));
    await refuseItemCodes(
      tx,
      serials.map((serial) => ({ item_id, serial })),
    );
    const [known, recalled] = await tx.inOrder([
      tx.rows(
        Known,
        `select serial_number, state from serials where item_id = $1 and serial_number = any($2)
         order by serial_number for update`,
        [item_id, serials],
      ),
      recalledSerial(tx, item_id, serials),
    ]);
    const elsewhere = known.find(({ state }) => state !== "IN_STOCK");
    if (elsewhere) throw SerialElsewhere({ serial: elsewhere.serial_number, sku, state: elsewhere.state });
    if (recalled) throw SerialRecalled(recalled);
    const unknown = serials.filter((serial) => known.every(({ serial_number }) => serial_number !== serial));
    const left = (nameless.get(item_id) ?? 0) - unknown.length;
    if (policy === "at_receipt" && left < 0) throw SerialUnknown({ serial: unknown.at(-1) as string, sku });
    nameless.set(item_id, left);
    const sold = { item_id, serials, warehouse_id, so_id: sale.so_id, so_line_id, ...stepBy(sale.so_number, by) };
    const kept = await tx.run(withStep(SELL, "SHIPPED"), sold);
    // Another order took one that nobody knew meanwhile.
    if (kept !== serials.length) throw SerialElsewhere({ serial: unknown.at(-1) as string, sku, state: "PACKED" });
  }
}

const Known = z.strictObject({ serial_number: text, state: text });

const SELL = `
  insert into serials (item_id, serial_number, state, warehouse_id, so_id, so_line_id)
  select :item_id, serial, 'SHIPPED', :warehouse_id, :so_id, :so_line_id
  from unnest(:serials::text[]) as u(serial) order by serial
  on conflict (item_id, serial_number) do update
    set state = 'SHIPPED', warehouse_id = excluded.warehouse_id, so_id = excluded.so_id,
        so_line_id = excluded.so_line_id, updated_at = now()
    where serials.state = 'IN_STOCK'`;

/** Units of an item that a till takes back. */
interface RefundedUnits {
  item_id: number;
  sku: string;
  quantity: number;
  warehouse_id: number;
  lot: string | null;
  serial_numbers: string[];
}

/**
 * Takes back the serials of a locked sale: those that are named, each of which it sold, or all that are left of it
 * where as many units come back. `memo` is the credit memo.
 */
export async function refundSerials(
  tx: Tx,
  units: RefundedUnits[],
  sale: OfSale,
  memo: OfSale,
  by: Actor,
): Promise<void> {
  const sold = await tx.rows(
    { item_id: int, serial_number: text },
    "select item_id, serial_number from serials where so_id = $1 and state = 'SHIPPED' order by serial_id for update",
    [sale.so_id],
  );
  for (const { item_id, sku, quantity, serial_numbers, ...place } of units) {
    const left = sold.filter((serial) => serial.item_id === item_id).map(({ serial_number }) => serial_number);
    if (left.length === 0 && serial_numbers.length === 0) continue;
    const isAll = serial_numbers.length === 0 && quantity === left.length;
    const named = { quantity, serial_numbers: isAll ? left : serial_numbers };
    await checkScans(tx, labelsOf({ item_id, ...named }));
    const back = serialsOf(named, { sku, serial_policy: "at_shipping" }, ["at_shipping"]);
    const stranger = back.find((serial) => !left.includes(serial));
    if (stranger !== undefined) throw SerialNotOfOrder({ serial: stranger, sku, so_number: sale.so_number });
    await returnSerials(tx, item_id, back, { ...memo, parent_so_id: sale.so_id }, { receipt_id: null, ...place }, by);
  }
}
