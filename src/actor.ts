import { WarehouseDenied } from "./problem.js";

/** Who does a thing, on whose request, under which command id. Plain data: it travels through workflows. */
export interface Actor {
  userId: number;
  username: string;
  /** The user's external id, as events name it. */
  externalId: string;
  role: "ADMIN" | "USER";
  /** Warehouses a USER may touch; an ADMIN may touch all. */
  warehouseIds: number[];
  /** UUID; `source_txn_id` of every event of the request (reference 01 §1). */
  requestId: string;
  /** Names this command once and for all: the same id again gets the first answer (design rule 3). */
  commandId: string;
  /** Of a request with an `Idempotency-Key`, which is then the command id. */
  keyed?: Keyed;
}

/** What a key stands for, and which of the requests under it this one is. */
export interface Keyed {
  requestHash: string;
  /** Fresh for each request: tells its own repeats, such as a step that the engine runs again, from the caller's. */
  attemptId: string;
}

export function mayUseWarehouse(
  by: Pick<Actor, "role" | "warehouseIds">,
  warehouseId: number,
): boolean {
  return by.role === "ADMIN" || by.warehouseIds.includes(warehouseId);
}

/** Throws 403 unless the actor may touch the warehouse; for records that were loaded by id ("checked", reference 02). */
export function checkWarehouse(
  by: Pick<Actor, "role" | "warehouseIds">,
  warehouseId: number,
): void {
  if (!mayUseWarehouse(by, warehouseId)) throw WarehouseDenied();
}

/**
 * The warehouses to filter a query by ("scoped", reference 02): null means all.
 * Used as `($1::int[] is null or warehouse_id = any($1))`.
 */
export function scopeOf(
  by: Pick<Actor, "role" | "warehouseIds">,
): number[] | null {
  return by.role === "ADMIN" ? null : by.warehouseIds;
}
