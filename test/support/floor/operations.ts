import { goods } from "./goods.js";
import { hasPicks, isActive, isWhollyPacked } from "./model.js";
import { orders } from "./orders.js";
import type { Site, View } from "./site.js";
import type { Ask, Asked, Step } from "./step.js";
import { waves } from "./waves.js";

const operations = { ...goods, ...orders, ...waves };
type Name = keyof typeof operations;

/** All that can be done. */
export const operationNames = Object.keys(operations) as Name[];

/** `goOn` is whatever brings goods nearer to the carrier: without it, hardly a sequence would get there. */
export type Operation = Name | "goOn";

function nextOf({ tasks, batches, orders }: View): Name {
  if (batches.some((batch) => isActive(batch) && batch.user_id === null)) return "nextBatch";
  if (tasks.some((task) => task.status === "PENDING")) return "confirm";
  if (batches.some(isActive)) return "complete";
  if (orders.some((order) => order.status === "PACKED")) return "ship";
  const picked = orders.filter((order) => order.status === "PICKED" && hasPicks(order));
  if (picked.length === 0) return "wave";
  return picked.some(isWhollyPacked) ? "pack" : "verify";
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
  const [name, numbers] = does === "goOn" ? [nextOf(view), fitting] : [does, step];
  const operation: Ask = operations[name];
  return { does: name, ...(await operation(site, view, numbers, userId)) };
}
