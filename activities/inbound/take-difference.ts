import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import { emitPickConfirmed } from "../picking/confirm-picked.js";
import { cancelLocked } from "../sales-orders/cancel.js";
import { auditChange } from "../sales-orders/changes.js";
import { unitsOf as unitsOfLines } from "../sales-orders/create.js";
import { removeFromEndedTasks } from "../sales-orders/lines.js";
import { type AddedUnits, openSupplement } from "../sales-orders/open-supplement.js";
import { expectFewer, expectLacking, type StockIncrease } from "../stock/backorders.js";
import { releaseUnits, reserveLines } from "../stock/reservations.js";
import { lockItems } from "../stock/stock.js";
import type { OrderLine } from "./lines.js";
import { refuseInactive } from "./order-lines.js";
import { add, isLive, isOpen, type OrderPart, type PartLine, type Units } from "./order-parts.js";

/** The reason for which an order of a shop is cancelled here although the shop did not cancel it. */
export const shopReasons = ["removed_in_shop", "fulfilled_in_shop"] as const;
type ShopReason = (typeof shopReasons)[number];

/** A line that is reduced, or removed. */
interface Cut {
  part: OrderPart;
  line: PartLine;
  quantity: number;
}

/** What the source wants for an order and its parts. */
interface Wish {
  /** How many units more, or fewer, of each item. */
  wanted: Units;
  /** Its lines, which show which units are meant; none where the source does not say. */
  lines: OrderLine[];
  reason: ShopReason;
}

/**
 * Brings an order and its parts to what their source wants, as far as nobody has begun to work on them. Units are
 * removed first from parts that wait for stock, then from open ones, the youngest part first; also those that were left
 * over from a part that was shipped. Units are added to an open part, and where there is none, to a supplement order.
 * @returns What could not be done.
 */
export async function takeDifference(
  tx: Tx,
  increase: StockIncrease,
  parts: OrderPart[],
  { wanted, lines, reason }: Wish,
  by: Actor,
): Promise<Units> {
  const left: Units = new Map();
  if (wanted.size === 0) return left;
  if (!parts.some(isLive)) return wanted;
  await lockItems(tx, (parts[0] as OrderPart).warehouse_id, [
    ...new Set([...wanted.keys(), ...parts.flatMap(({ lines }) => lines.map((line) => line.item_id))]),
  ]);
  const cuts = [...wanted].flatMap(([itemId, units]) =>
    units < 0 ? cutsOf(parts, lines, [itemId, -units], left) : [],
  );
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
  const more = [...wanted].flatMap(([itemId, units]) => addedOf(parts, lines, [itemId, units]));
  const open = parts.find((part) => isOpen(part) && part.status !== "WAITING_STOCK" && !gone.includes(part));
  if (more.length === 0) return left;
  await refuseInactive(
    tx,
    (parts[0] as OrderPart).warehouse_id,
    more.map(({ item_id }) => item_id),
  );
  if (open) await addUnits(tx, open, more);
  else await openSupplement(tx, parts[0] as OrderPart, more, by);
  return left;
}

/** How many units of a line of the source are open here, by its number. */
const openOf = (parts: OrderPart[], { item_id, line_number }: Pick<OrderLine, "item_id" | "line_number">) =>
  parts
    .filter(isLive)
    .flatMap((part) => part.lines)
    .filter((line) => line.item_id === item_id && line.line_number === line_number)
    .reduce((sum, line) => sum + line.quantity_ordered - line.quantity_shipped, 0);

/** Which units of an item the source added: first those of lines of which it wants more than there are here. */
function addedOf(parts: OrderPart[], lines: OrderLine[], [itemId, units]: [number, number]): AddedUnits[] {
  let left = units;
  const known = lines
    .filter((line) => line.item_id === itemId)
    .map((line): AddedUnits => {
      const more = Math.min(Math.max(0, left), Math.max(0, line.quantity_ordered - openOf(parts, line)));
      left -= more;
      return { item_id: itemId, units: more, line_number: line.line_number, properties: line.properties ?? null };
    });
  return [...known, { item_id: itemId, units: left, line_number: null, properties: null }].filter(
    (added) => added.units > 0,
  );
}

/**
 * From which lines units of an item are removed: first from those of which the source wants fewer. What no line can
 * give is left over.
 */
function cutsOf(parts: OrderPart[], lines: OrderLine[], [itemId, units]: [number, number], left: Units): Cut[] {
  let missing = units;
  const take = (most: number) => {
    const taken = Math.min(missing, Math.max(0, most));
    missing -= taken;
    return taken;
  };
  const linesOf = (part: OrderPart) => part.lines.filter((line) => line.item_id === itemId).toReversed();
  const waiting = ({ status }: OrderPart) => Number(status === "WAITING_STOCK");
  const open = parts
    .filter(isOpen)
    .sort((a, b) => waiting(b) - waiting(a) || b.so_id - a.so_id)
    .flatMap((part) => linesOf(part).map((line) => ({ part, line, quantity: line.quantity_ordered })));
  const excess = new Map(open.map(({ line }) => [line.line_number, openOf(parts, line)]));
  for (const line of lines.filter((one) => one.item_id === itemId))
    excess.set(line.line_number, (excess.get(line.line_number) ?? 0) - line.quantity_ordered);
  for (const cut of lines.length > 0 ? open : []) {
    const { line_number, quantity_picked } = cut.line;
    const taken = take(Math.min(excess.get(line_number) ?? 0, cut.quantity - quantity_picked));
    cut.quantity -= taken;
    excess.set(line_number, (excess.get(line_number) ?? 0) - taken);
  }
  for (const cut of open) cut.quantity -= take(cut.quantity - cut.line.quantity_picked);
  const cuts = open.filter(({ line, quantity }) => quantity < line.quantity_ordered);
  for (const part of parts.filter(({ status }) => status === "SHIPPED"))
    for (const line of linesOf(part)) take(line.quantity_ordered - line.quantity_shipped);
  add(left, itemId, -missing);
  return cuts;
}

/** Whether these cuts leave nothing of an order. */
const isEmptied = (part: OrderPart, cuts: Cut[]): boolean =>
  isOpen(part) &&
  part.lines.length > 0 &&
  part.lines.every((line) => cuts.some((cut) => cut.line === line && cut.quantity === 0));

async function cutLines(tx: Tx, increase: StockIncrease, part: OrderPart, cuts: Cut[], by: Actor): Promise<void> {
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

/** Units are added to the line of their number, else to the last line of their item with the same customer's wishes. */
async function addUnits(tx: Tx, part: OrderPart, more: AddedUnits[]): Promise<void> {
  const lines = await tx.rows(
    { so_line_id: int, item_id: int, quantity: int, sku: text, before: int },
    `with more as (
       select m.*, (select so_line_id from sales_order_lines o
                    where so_id = $1 and o.item_id = m.item_id
                      and (m.properties is null or o.properties = m.properties or o.line_number = m.line_number)
                    order by o.line_number is distinct from m.line_number, so_line_id desc limit 1) as so_line_id
       from jsonb_to_recordset($2::jsonb) as m(item_id int, units int, line_number int, properties jsonb)
     ), there as (
       update sales_order_lines l set quantity_ordered = quantity_ordered + m.units, status = 'PENDING'
       from (select so_line_id, sum(units) as units from more group by so_line_id) m
       where l.so_line_id = m.so_line_id
       returning l.so_line_id, l.item_id, m.units, quantity_ordered - m.units as before
     ), new as (
       insert into sales_order_lines (so_id, item_id, quantity_ordered, line_number, properties)
       select $1, item_id, units,
              coalesce(line_number, row_number() over (order by item_id)
                + (select coalesce(max(line_number), 0) from sales_order_lines where so_id = $1)),
              coalesce(properties, '[]')
       from more where so_line_id is null
       returning so_line_id, item_id, quantity_ordered as units
     )
     select so_line_id, item_id, units as quantity, before, sku
     from (select * from there union all select *, 0 from new) added join items using (item_id) order by so_line_id`,
    [part.so_id, JSON.stringify(more)],
  );
  if ((await reserveLines(tx, part, lines)) < unitsOfLines(lines)) expectLacking(tx, [part.so_id]);
  await noteChange(tx, part);
  for (const { so_line_id, item_id, sku, quantity, before } of lines)
    auditChange(tx, part, "UPDATE", {
      ...{ field: before === 0 ? `line[${sku}]` : `line[${sku}].quantity_ordered` },
      ...{ old_value: before === 0 ? null : `${before}`, new_value: `${before + quantity}`, so_line_id, item_id },
    });
}

const noteChange = (tx: Tx, { so_id }: OrderPart) =>
  tx.run("update sales_orders set updated_at = clock_timestamp() where so_id = $1", [so_id]);
