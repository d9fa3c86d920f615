import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { liveReturnsOf } from "../../src/returns/queries.js";
import {
  ActionOrderNotFound,
  HasReturns,
  PickedQtyRemaining,
  ShippedWithoutPicks,
} from "../../src/sales-orders/action-problems.js";
import type { Reversion, Reverted } from "../../src/sales-orders/action-shapes.js";
import {
  checkReversion,
  type FulfilmentStatus,
  isBefore,
  portionsToRelease,
} from "../../src/sales-orders/reversion.js";
import { PartlyShipped, UnitsInParcels } from "../../src/shipping/parcels/problems.js";
import { UNITS_IN_PARCELS } from "../../src/shipping/parcels/rest.js";
import { command, type Tx } from "../command.js";
import { unpackSerials, unshipSerials } from "../serials/pack.js";
import { unshipParcels, voidParcels } from "../shipping/parcels/write.js";
import { pushVoids } from "../shipping/push-voids.js";
import { expectIncreaseFrom, expectLacking, type StockIncrease } from "../stock/backorders.js";
import { revertLines } from "../stock/line-counters.js";
import { addStock } from "../stock/stock.js";
import {
  type ActionOrder,
  endTasks,
  findPermitted,
  lockWithPicks,
  type Portion,
  portionsOf,
} from "./orders-with-picks.js";
import { pickAgain } from "./pick-again.js";

/**
 * Reverts an order to an earlier status, in one transaction (docs/interface.md, Sales orders): the counters of lines
 * that are no longer shipped or packed are reset, and the named picks return to the bins that they came from, with
 * their lots. An order that is OPEN again has no picks left, short picks included, and free units are reserved for it.
 */
export function revertStatus(input: Reversion & { so_id: number }, by: Actor): Promise<Reverted> {
  return command("sales-orders.revertStatus", by, input, async (tx) => {
    const { so_id } = input;
    const orders = await lockWithPicks(tx, async () => [so_id]);
    const order = findPermitted(orders, so_id, by, ActionOrderNotFound);
    const increase = await expectIncreaseFrom(tx, [so_id]);
    const [from, target] = checkReversion(order, input.new_status);
    await refuseWithReturns(tx, order);
    const reopened = target === "OPEN" && from !== "OPEN";
    const [lines, portions] = await Promise.all([linesOf(tx, so_id), portionsOf(tx, so_id)]);
    if (from !== "SHIPPED" && sum(lines, "quantity_shipped") > 0) throw PartlyShipped({ so_number: order.so_number });
    if (from === "SHIPPED") refuseWithoutPicks(order, lines, portions);
    const released = portionsToRelease(portions, input.release_pick_task_ids, reopened);
    const remaining = sum(lines, "quantity_picked") - sum(released, "quantity_picked");
    if (reopened && remaining > 0)
      throw PickedQtyRemaining({ remaining, target }, { remaining_picked: remaining, target_status: target });
    const packsAgain = from !== target && isBefore(target, "PACKED");
    const undone = {
      unshipped: from === "SHIPPED",
      unpacked: packsAgain && (from === "PACKED" || sum(lines, "quantity_packed") > 0),
    };
    if (!packsAgain && released.length > 0 && sum(lines, "in_parcels") > 0)
      throw UnitsInParcels({ so_number: order.so_number });

    const ended = [...new Set(released.map((portion) => portion.pick_task_id))];
    await endTasks(tx, so_id, ended);
    await returnToBins(tx, increase, order, released);
    await revertLines(tx, so_id, { target, released, ...undone });
    if (undone.unshipped) unshipSerials(tx.later, order, by);
    unpackSerials(tx.later, order, by);
    if (packsAgain) await voidParcels(tx.later, so_id, `Reverted to ${target}`, by);
    else if (undone.unshipped) await unshipParcels(tx.later, so_id);
    await pickAgain(tx, so_id, released);
    await saveOrder(tx, order, target, undone, by);
    if (target === "OPEN") expectLacking(tx, [so_id]);
    if (undone.unshipped) await pushVoids(tx, so_id);

    const result = {
      so_id,
      so_number: order.so_number,
      from_status: from,
      to_status: target,
      released_pick_tasks: released
        .filter((portion) => portion.quantity_picked > 0)
        .map((portion) => ({
          pick_task_id: portion.pick_task_id,
          so_line_id: portion.so_line_id,
          item_id: portion.item_id,
          bin_id: portion.bin_id,
          quantity: portion.quantity_picked,
        })),
      ...undone,
    };
    audit(tx, order, result);
    return {
      message:
        from === target
          ? `${order.so_number} stays ${target}, ${sum(released, "quantity_picked")} unit(s) are put back`
          : `${order.so_number} is ${target} again`,
      ...result,
    };
  });
}

/** Throws 409 where returns or refunds name goods of a locked order. */
async function refuseWithReturns(tx: Tx, { so_id, so_number }: ActionOrder): Promise<void> {
  const returns = await liveReturnsOf(tx, so_id);
  if (returns.length > 0) throw HasReturns({ so_number, returns: returns.join(", ") }, { returns });
}

/**
 * Throws 409 where a locked order shipped units that no pick task took: they were never on the books, or a till took
 * them. As picked units they would become stock a second time when the order is cancelled.
 */
function refuseWithoutPicks({ so_number }: ActionOrder, lines: Line[], portions: Portion[]): void {
  const picked = portions.filter(({ status }) => status === "PICKED" || status === "SHORT");
  if (sum(lines, "quantity_picked") > sum(picked, "quantity_picked")) throw ShippedWithoutPicks({ so_number });
}

const Line = z.strictObject({ quantity_picked: int, quantity_packed: int, quantity_shipped: int, in_parcels: int });
type Line = z.infer<typeof Line>;

const linesOf = (tx: Tx, soId: number) =>
  tx.rows(
    Line,
    `select quantity_picked, quantity_packed, quantity_shipped, ${UNITS_IN_PARCELS} as in_parcels
     from sales_order_lines l where so_id = $1`,
    [soId],
  );

const sum = <K extends string>(things: Record<K, number>[], field: K) =>
  things.reduce((total, thing) => total + thing[field], 0);

async function returnToBins(
  tx: Tx,
  increase: StockIncrease,
  { warehouse_id }: ActionOrder,
  released: Portion[],
): Promise<void> {
  const picked = released.filter((portion) => portion.quantity_picked > 0);
  if (picked.length === 0) return;
  await addStock(
    tx,
    increase,
    picked.map((portion) => ({
      itemId: portion.item_id,
      binId: portion.bin_id,
      warehouseId: warehouse_id,
      lot: portion.lot_number,
      expiry: portion.expiry_date,
      quantity: portion.quantity_picked,
    })),
  );
}

interface Undone {
  unpacked: boolean;
  unshipped: boolean;
}

/** Writes the header. The shipment's fields are cleared, and its fulfilment is kept as VOIDED. */
async function saveOrder(
  tx: Tx,
  { so_id, status }: ActionOrder,
  target: FulfilmentStatus,
  { unshipped }: Undone,
  by: Actor,
): Promise<void> {
  if (status === target) return;
  await tx.run(
    `with voided as (
       update item_fulfillments
       set status = 'VOIDED', voided_at = now(), voided_by = $4, void_reason = 'Reverted to ' || $2
       where $3 and so_id = $1 and status = 'SHIPPED'
     )
     update sales_orders
     set status = $2,
         updated_at = clock_timestamp(),
         picked_at = case when $2 = 'OPEN' then null else picked_at end,
         packed_at = case when $2 = 'PACKED' then packed_at end,
         shipped_at = case when $3 then null else shipped_at end,
         carrier = case when $3 then null else carrier end,
         tracking_number = case when $3 then null else tracking_number end
     where so_id = $1`,
    [so_id, target, unshipped, by.username],
  );
}

function audit(
  tx: Tx,
  { so_id, so_number, warehouse_id }: ActionOrder,
  { released_pick_tasks: released, from_status, to_status, ...undone }: Omit<Reverted, "message">,
): void {
  const auditRow = (action: string, details: object) =>
    tx.audit({ action, entity: "SO", entityId: so_id, warehouseId: warehouse_id, details: { so_number, ...details } });
  if (undone.unshipped) auditRow("SO_UNSHIPPED", { to_status });
  if (undone.unpacked) auditRow("SO_UNPACKED", { to_status });
  if (released.length > 0) auditRow("SO_PICK_RELEASED", { quantity: sum(released, "quantity"), released });
  if (from_status !== to_status) auditRow("SO_STATUS_REVERTED", { from_status, to_status });
}
