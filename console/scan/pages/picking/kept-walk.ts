import { newKey, type PickLease } from "../../../../client/src/index.js";
import { type Kept, keptFor, keptOnDevice } from "../../../shared/kept.js";
import type { Confirmation, ShortBody } from "./progress.js";

/** A wave as the device has it, and which of its tasks are done, sent or not. */
export interface KeptWalk extends PickLease {
  done: number[];
}

/** What this device keeps of a picker's walk: it outlives the page, and belongs to that person. */
export const keptWalk = (user: string): Kept<KeptWalk | null> => keptFor<KeptWalk | null>(user, "walk", null);

/** A scan of a task that is kept without the net. */
export interface KeptPick<B = Confirmation | ShortBody> {
  body: B;
  sku: string;
  bin_code: string;
  /** How many the picker has in hand. */
  units: number;
}

/** What the device calls itself, so that a lead can find it. */
export function deviceName(): string {
  const kept = keptOnDevice<string | null>("device", null);
  const name = kept.get() ?? newKey().slice(0, 6).toUpperCase();
  kept.set(name);
  return name;
}
