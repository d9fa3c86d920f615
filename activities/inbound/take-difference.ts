import type { Actor } from "../../src/actor.js";
import type { Tx } from "../command.js";
import { emitPickConfirmed } from "../picking/confirm-picked.js";
import { cancelLocked } from "../sales-orders/cancel.js";
import { auditChange } from "../sales-orders/changes.js";
import { unitsOf as unitsOfLines } from "../sales-orders/create.js";
import { removeFromEndedTasks } from "../sales-orders/lines.js";
import { openSupplement } from "../sales-orders/open-supplement.js";
import { expectFewer, expectLacking, type StockIncrease } from "../stock/backorders.js";
import { releaseUnits, reserveLines } from "../stock/reservations.js";
import { lockItems } from "../stock/stock.js";
import { refuseInactive } from "./order-lines.js";
import { add, isLive, isOpen, type Part, type PartLine, type Units } from "./order-parts.js";

/** Why an order of a shop is cancelled here although the shop did not cancel it. */
export const shopReasons = ["removed_in_shop", "fulfilled_in_shop"] as const;
type ShopReason = (typeof shopReasons)[number];

/** A line that is to be of fewer units, or of none. */
interface Cut {
  part: Part;
  line: PartLine;
  quantity: number;
}

/**
 * Brings an order and its parts to what their source wants of them, as far as nobody has begun: units are taken off
 * what waits for stock first, then off what is open, the youngest part first; units that were never shipped of a part
 * that was, are nobody's any more. More units go to an open part, and where there is none, into a supplement order.
 * @returns What could not be taken.
 */
export async function takeDifference(
  tx: Tx,
  increase: StockIncrease,
  parts: Part[],
  { wanted, reason }: { wanted: Units; reason: ShopReason },
  by: Actor,
): Promise<Units> {
  const left: Units = new Map();
  if (wanted.size === 0) return left;
  if (!parts.some(isLive)) return wanted;
  await lockItems(tx, (parts[0] as Part).warehouse_id, [
    ...new Set([...wanted.keys(), ...parts.flatMap(({ lines }) => lines.map((line) => line.item_id))]),
  ]);
  const cuts = [...wanted].flatMap(([itemId, units]) => (units < 0 ? cutsOf(parts, itemId, -units, left) : []));
  const gone = parts.filter((part) => isEmptied(part, cuts));
  await cancelLocked(tx, increase, gone, () => ({ reason }), by);
  for (const part of parts.filter((one) => !gone.includes(one)))
    await cutLines(
      tx,
      increase,
      part,
      cuts.filter((cut) => cut.part === part),
      by,
    );
  const more = [...wanted].filter(([, units]) => units > 0);
  const open = parts.find((part) => isOpen(part) && part.status !== "WAITING_STOCK" && !gone.includes(part));
  if (more.length === 0) return left;
  await refuseInactive(
    tx,
    (parts[0] as Part).warehouse_id,
    more.map(([itemId]) => itemId),
  );
  if (open) await addUnits(tx, open, more);
  else await openSupplement(tx, parts[0] as Part, more, by);
  return left;
}

/** From which lines units of an item are taken; what no line can give is left. */
function cutsOf(parts: Part[], itemId: number, units: number, left: Units): Cut[] {
  let missing = units;
  const take = (most: number) => {
    const taken = Math.min(missing, Math.max(0, most));
    missing -= taken;
    return taken;
  };
  const linesOf = (part: Part) => part.lines.filter((line) => line.item_id === itemId).toReversed();
  const waiting = ({ status }: Part) => Number(status === "WAITING_STOCK");
  const cuts = parts
    .filter(isOpen)
    .sort((a, b) => waiting(b) - waiting(a) || b.so_id - a.so_id)
    .flatMap((part) =>
      linesOf(part).map((line) => {
        const taken = take(line.quantity_ordered - line.quantity_picked);
        return { part, line, quantity: line.quantity_ordered - taken };
      }),
    )
    .filter(({ line, quantity }) => quantity < line.quantity_ordered);
  for (const part of parts.filter(({ status }) => status === "SHIPPED"))
    for (const line of linesOf(part)) take(line.quantity_ordered - line.quantity_shipped);
  add(left, itemId, -missing);
  return cuts;
}

/** Whether nothing is left of an order. */
const isEmptied = (part: Part, cuts: Cut[]): boolean =>
  isOpen(part) &&
  part.lines.length > 0 &&
  part.lines.every((line) => cuts.some((cut) => cut.line === line && cut.quantity === 0));

async function cutLines(tx: Tx, increase: StockIncrease, part: Part, cuts: Cut[], by: Actor): Promise<void> {
  if (cuts.length === 0) return;
  expectFewer(tx, part);
  for (const { line, quantity } of cuts) {
    const { so_line_id, item_id, sku, quantity_ordered } = line;
    await releaseUnits(tx, increase, so_line_id, Math.max(0, line.quantity_allocated - quantity));
    if (quantity === 0) await removeFromEndedTasks(tx, [so_line_id]);
    await tx.run(
      quantity === 0
        ? "delete from sales_order_lines where so_line_id = $1 and $2 = 0"
        : `update sales_order_lines
           set quantity_ordered = $2,
               status = case when status = 'PENDING' and quantity_picked >= $2 then 'PICKED' else status end
           where so_line_id = $1`,
      [so_line_id, quantity],
    );
    const gone = quantity === 0;
    auditChange(tx, part, "UPDATE", {
      ...{ field: gone ? `line[${sku}]` : `line[${sku}].quantity_ordered`, old_value: `${quantity_ordered}` },
      ...{ new_value: gone ? null : `${quantity}`, so_line_id, item_id },
    });
  }
  await noteChange(tx, part);
  const after = part.lines.map((line) => ({ ...line, ...cuts.find((cut) => cut.line === line) }));
  const picked = after.every((line) => line.quantity_picked >= (line.quantity ?? line.quantity_ordered));
  if (part.status !== "OPEN" || !picked) return;
  await tx.run(
    "update sales_orders set status = 'PICKED', picked_at = now(), updated_at = clock_timestamp() where so_id = $1",
    [part.so_id],
  );
  await emitPickConfirmed(tx, [part], by);
}

async function addUnits(tx: Tx, part: Part, more: [itemId: number, units: number][]): Promise<void> {
  const lines = await tx.rows<{ so_line_id: number; item_id: number; quantity: number; sku: string; before: number }>(
    `with more as (
       select * from unnest($2::int[], $3::int[]) with ordinality as m(item_id, units, place)
     ), there as (
       update sales_order_lines l set quantity_ordered = quantity_ordered + units, status = 'PENDING'
       from more where l.so_line_id = (select max(so_line_id) from sales_order_lines o
                                       where o.so_id = $1 and o.item_id = more.item_id)
       returning l.so_line_id, l.item_id, units, quantity_ordered - units as before
     ), new as (
       insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number)
       select $1, item_id, units, place + (select coalesce(max(line_number), 0) from sales_order_lines where so_id = $1)
       from more where item_id not in (select item_id from sales_order_lines where so_id = $1)
       returning so_line_id, item_id, quantity_ordered as units
     )
     select so_line_id, item_id, units as quantity, before, sku
     from (select * from there union all select *, 0 from new) added join items using (item_id) order by so_line_id`,
    [part.so_id, more.map(([itemId]) => itemId), more.map(([, units]) => units)],
  );
  if ((await reserveLines(tx, part.warehouse_id, lines)) < unitsOfLines(lines)) expectLacking(tx, [part.so_id]);
  await noteChange(tx, part);
  for (const { so_line_id, item_id, sku, quantity, before } of lines)
    auditChange(tx, part, "UPDATE", {
      ...{ field: before === 0 ? `line[${sku}]` : `line[${sku}].quantity_ordered` },
      ...{ old_value: before === 0 ? null : `${before}`, new_value: `${before + quantity}`, so_line_id, item_id },
    });
}

const noteChange = (tx: Tx, { so_id }: Part) =>
  tx.run("update sales_orders set updated_at = clock_timestamp() where so_id = $1", [so_id]);
