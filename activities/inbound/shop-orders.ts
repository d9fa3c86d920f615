import { constraintViolation } from "../../src/inbound/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { mayBecome, salesOrderStates } from "../../src/platform/states.js";
import type { Tx } from "../command.js";
import { cancelLocked } from "../sales-orders/cancel.js";
import { auditChange } from "../sales-orders/changes.js";
import { expectIncreaseFrom, type StockIncrease } from "../stock/backorders.js";
import { releaseReservations } from "../stock/reservations.js";
import { unitsToldOf } from "./fulfilled-units.js";
import type { Incoming, Merged, Remembered } from "./incoming.js";
import { checkSenderWarehouse } from "./incoming.js";
import { type OrderLine, sameLines, sorted } from "./lines.js";
import { updateParts } from "./order-headers.js";
import { holdParts, openDifference } from "./order-holds.js";
import { replaceLines, takeProperties } from "./order-lines.js";
import {
  add,
  difference,
  fromJson,
  isLive,
  isOpen,
  lockParts,
  type OrderPart,
  type Units,
  unitsOf,
} from "./order-parts.js";
import type { Values } from "./records.js";
import { shopReasons, takeDifference } from "./take-difference.js";

/**
 * Writes what a shop changed of its order since its last version: columns, units, cancellation, hold. What people
 * changed here stays. Changed units are distributed over the order and its parts as long as nobody works on them; what
 * cannot be distributed puts the order on hold until a person decides.
 * @param lines The units that the shop still wants; undefined where it does not say.
 */
export async function changeShopOrder(
  tx: Tx,
  incoming: Incoming,
  { status, ...header }: Values,
  lines: OrderLine[] | undefined,
  by: Actor,
): Promise<Merged<number>> {
  const { last, shop } = incoming;
  const parts = await lockParts(tx, incoming.canonicalId);
  const order = parts[0] as OrderPart;
  checkSenderWarehouse(incoming.sender, order.warehouse_id);
  const increase = await expectIncreaseFrom(
    tx,
    parts.map((part) => part.so_id),
  );
  const isCancelled = incoming.said.status === "CANCELLED";
  const before = (last ?? {}) as Remembered;
  let open = await openDifference(tx, order);
  let wanted = before.wanted ? fromJson(before.wanted) : undefined;
  if (status === "CANCELLED") {
    await cancelParts(tx, increase, parts, by);
    [wanted, open] = [unitsOf(parts, "quantity_shipped"), new Map()];
  } else if (!isCancelled && lines && isReopened(incoming, parts, lines)) {
    await reopen(tx, order, lines);
    wanted = unitsOfLines(lines);
  } else if (!isCancelled && (lines || (shop?.nothingLeft && !before.nothing_left))) {
    const now = shop?.nothingLeft
      ? unitsOf(parts, "quantity_shipped")
      : plus(unitsOfLines(lines ?? []), await unitsToldOf(tx, incoming, shop?.fulfilled ?? []));
    const here = unitsOf(parts, "quantity_ordered");
    const base = wanted ?? here;
    const asSent = difference(here, base).size === 0 && open.size === 0;
    if (lines && asSent && isUntouched(parts) && lines.length > 0) {
      if (!sameLines(sorted(storedLines(order)), lines)) {
        await releaseReservations(
          tx,
          increase,
          order.lines.map((line) => line.so_line_id),
        );
        await replaceLines(tx, order, lines);
      }
    } else {
      for (const [itemId, units] of difference(now, base)) add(open, itemId, units);
      const isFulfilled = shop?.nothingLeft || (shop?.fulfilled ?? []).length > 0;
      const reason = isFulfilled ? "fulfilled_in_shop" : "removed_in_shop";
      open = await takeDifference(tx, increase, parts, { wanted: open, lines: lines ?? [], reason }, by);
    }
    wanted = now;
  }
  await updateParts(tx, incoming, order.so_id, header);
  await takeProperties(tx, order, lines ?? []);
  await holdParts(tx, incoming, { open, heldBefore: before.held === true });
  return {
    warehouseId: order.warehouse_id,
    remembered: {
      ...(wanted && { wanted: Object.fromEntries(wanted) }),
      ...(shop?.held !== undefined && { held: shop.held }),
      ...{ nothing_left: shop?.nothingLeft === true },
    },
  };
}

export function unitsOfLines(lines: OrderLine[]): Units {
  const units: Units = new Map();
  for (const { item_id, quantity_ordered } of lines) add(units, item_id, quantity_ordered);
  return units;
}

function plus(some: Units, others: Units): Units {
  for (const [itemId, units] of others) add(some, itemId, units);
  return some;
}

/**
 * Cancels everything that was not shipped of a locked order; refused where everything was shipped and nothing was
 * cancelled before, and where parcels of an order have left and others have not.
 */
export async function cancelParts(tx: Tx, increase: StockIncrease, parts: OrderPart[], by: Actor): Promise<void> {
  const open = parts.filter(({ status }) => mayBecome(salesOrderStates, status, "CANCELLED"));
  const { so_number, status } = parts[0] as OrderPart;
  const partly = open.find(({ lines }) => lines.some(({ quantity_shipped }) => quantity_shipped > 0));
  if (partly)
    throw constraintViolation(
      `status: Parcels of sales order ${partly.so_number} were shipped: it cannot be cancelled`,
    );
  if (open.length === 0 && parts.every((part) => part.status !== "CANCELLED"))
    throw constraintViolation(`status: Sales order ${so_number} is ${status}: it cannot be cancelled`);
  await cancelLocked(tx, increase, open, (one) => ({ reason: one === parts[0] ? null : "parent_cancelled" }), by);
}

/** Whether the shop reverts its cancellation, removal or own fulfilment, and nothing was shipped. */
function isReopened({ last }: Incoming, parts: OrderPart[], lines: OrderLine[]): boolean {
  const [order] = parts;
  if (order?.status !== "CANCELLED" || lines.length === 0 || parts.some(isLive)) return false;
  return last?.status === "CANCELLED" || shopReasons.some((reason) => reason === order.cancellation_reason);
}

/** Makes the order as it was when it first came: with the lines of its shop, and stock reserved for them. */
async function reopen(tx: Tx, order: OrderPart, lines: OrderLine[]): Promise<void> {
  await tx.run(
    `update sales_orders set status = 'OPEN', cancellation_reason = null, picked_at = null, packed_at = null,
            updated_at = clock_timestamp() where so_id = $1`,
    [order.so_id],
  );
  await replaceLines(tx, { ...order, status: "OPEN" }, lines);
  auditChange(tx, order, "SO_STATUS_CHANGED", { field: "status", old_value: "CANCELLED", new_value: "OPEN" });
}

/** Whether an order was neither split nor worked on: then its lines may be replaced as a whole. */
const isUntouched = (parts: OrderPart[]): boolean => {
  const [order, ...others] = parts.filter(isLive);
  return (
    order !== undefined &&
    order === parts[0] &&
    others.length === 0 &&
    isOpen(order) &&
    order.lines.every((line) => line.quantity_picked === 0)
  );
};

const storedLines = ({ lines }: OrderPart): OrderLine[] =>
  lines.map(({ item_id, quantity_ordered, line_number }) => ({ item_id, quantity_ordered, line_number }));
