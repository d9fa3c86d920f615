import { WarehouseDenied } from "./problem.js";

/** Who runs a command, for which request and under which command id. Plain data: it is passed through workflows. */
export interface Actor {
  userId: number;
  username: string;
  /** The user's external id, as events name it. */
  externalId: string;
  role: "ADMIN" | "USER";
  /** Warehouses a USER may touch; an ADMIN may touch all. */
  warehouseIds: number[];
  /** UUID; `source_txn_id` of every event of the request (docs/interface.md, Answers and errors). */
  requestId: string;
  /** Identifies the command: the same id again gets the first answer (docs/house.md). */
  commandId: string;
  /** Of a request with an `Idempotency-Key`, which is then the command id. */
  keyed?: Keyed;
}

/** The request that a key is used for, and the attempt at it. */
export interface Keyed {
  requestHash: string;
  /** New for each request. Retries by Temporal have the same one, repeats by the caller do not. */
  attemptId: string;
  /** How long the key stays this request's, a time or `infinity`; by default 24 hours. */
  validUntil?: string;
  /** Set by a command in this process: another request with the same key was done before, and its answer was given. */
  repeated?: boolean;
}

export function mayUseWarehouse(by: Pick<Actor, "role" | "warehouseIds">, warehouseId: number): boolean {
  return by.role === "ADMIN" || by.warehouseIds.includes(warehouseId);
}

/**
 * Throws 403 unless the actor may touch the warehouse; for records that were loaded by id ("checked",
 * docs/interface.md, Answers and errors).
 */
export function checkWarehouse(by: Pick<Actor, "role" | "warehouseIds">, warehouseId: number): void {
  if (!mayUseWarehouse(by, warehouseId)) throw WarehouseDenied();
}

/**
 * The warehouses to filter a query by (docs/interface.md, Answers and errors): null means all.
 * Used as `($1::int[] is null or warehouse_id = any($1))`.
 */
export function visibleWarehouses(by: Pick<Actor, "role" | "warehouseIds">): number[] | null {
  return by.role === "ADMIN" ? null : by.warehouseIds;
}

/** What a refusal calls a bin: by its code, but by what was sent to somebody who may not work in its warehouse. */
export const binFor = (
  by: Pick<Actor, "role" | "warehouseIds">,
  bin: { warehouse_id: number; bin_code: string },
  binId: number,
): string | number => (mayUseWarehouse(by, bin.warehouse_id) ? bin.bin_code : binId);
