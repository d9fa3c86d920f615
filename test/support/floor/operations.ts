import { goods } from "./goods.js";
import { hasPicks, isActive, isClosed, isDivided, isFilled, isWhollyPacked, restOf, waitingParcels } from "./model.js";
import { orders } from "./orders.js";
import { parcels } from "./parcels.js";
import type { Parcel, SalesOrder, Site, View } from "./site.js";
import type { Ask, Asked, Step } from "./step.js";
import { waves } from "./waves.js";

const operations = { ...goods, ...orders, ...parcels, ...waves };
type Name = keyof typeof operations;

/** All that can be done. */
export const operationNames = Object.keys(operations) as Name[];

/** `goOn` is whatever brings goods nearer to the carrier: without it, hardly a sequence would get there. */
export type Operation = Name | "goOn";

function nextOf({ tasks, batches, orders }: View, n: number): Name {
  if (batches.some((batch) => isActive(batch) && batch.user_id === null)) return "nextBatch";
  if (tasks.some((task) => task.status === "PENDING")) return "confirm";
  if (batches.some(isActive)) return "complete";
  const packed = orders.filter((order) => order.status === "PACKED");
  if (packed.length > 0) return packed.some((order) => waitingParcels(order) < 2) ? "ship" : "shipParcel";
  const picked = orders.filter((order) => order.status === "PICKED" && hasPicks(order));
  if (picked.length === 0) return "wave";
  if (picked.some((order) => isWhollyPacked(order) && isClosed(order))) return "pack";
  const isOpen = (order: SalesOrder, fits: (parcel: Parcel) => boolean) =>
    order.parcels.some((parcel) => parcel.status === "OPEN" && fits(parcel));
  if (picked.some((order) => isOpen(order, isFilled))) return "closeParcel";
  if (picked.some((order) => isOpen(order, () => true) && restOf(order) > 0)) return "scanParcel";
  const divided = picked.filter(isDivided);
  if (divided.length > 0) return n % 2 === 0 && divided.some(waitingParcels) ? "shipParcel" : "packRest";
  return n % 2 === 0 ? "openParcel" : "verify";
}

/** Makes a step concrete, where the rows say what they say. */
export async function ask(
  site: Site,
  view: View,
  does: Operation,
  step: Step,
  userId: number,
): Promise<Asked & { does: Name }> {
  const { a, b, c } = step;
  // To go on, numbers choose what fits, and all of it.
  const fitting = { ...step, a: a * 8 + 1, b: b * 8 + 2, c: c * 6 + 1 };
  const [name, numbers] = does === "goOn" ? [nextOf(view, a), fitting] : [does, step];
  const operation: Ask = operations[name];
  return { does: name, ...(await operation(site, view, numbers, userId)) };
}
