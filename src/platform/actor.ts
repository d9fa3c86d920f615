import { randomUUID } from "node:crypto";
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
  /** The warehouses that are no sandboxes, whose rows an ADMIN sees where none is named; absent where there is none. */
  shownWarehouseIds?: number[];
  /** UUID; `source_txn_id` of every event of the request (docs/interface.md, Answers and errors). */
  requestId: string;
  /** Identifies the command: the same id again gets the first answer (docs/house.md). */
  commandId: string;
  /** Of a partner (docs/partners.md): its connector. Of webhooks and the like it sees and changes those alone. */
  connectorId?: string;
  /** The personal key that the user's program came with, as the audit log names it. */
  key?: string;
  /** With a key that opens some pages alone: those of the user that it opens. */
  pageKeys?: string[];
  /** Set for a request with an `Idempotency-Key`, which is then the command id. */
  keyed?: Keyed;
  /** Set where a program asked for the user: audit rows have it in their details. */
  through?: Through;
}

/** The program that a user works through (docs/agents.md), and what a person approved of it. */
export interface Through {
  /** Its name and version, as it gives them. */
  agent: string;
  approval_id?: number;
  approved_by?: string;
}

/** The request that a key is used for, and the attempt at it. */
export interface Keyed {
  requestHash: string;
  /** New for each request. Retries by Temporal have the same value, repeats by the caller have another. */
  attemptId: string;
  /** How long the key belongs to this request, a time or `infinity`; by default 24 hours. */
  validUntil?: string;
  /** Set by a command in this process: an earlier request with the same key was done, and its answer was returned. */
  repeated?: boolean;
}

/** The same caller, for a part of a request that is a command of its own. */
export const partOf = (by: Actor, part: string): Actor => ({
  ...by,
  commandId: `${part}/${by.commandId}`,
  ...(by.keyed && { keyed: { ...by.keyed, attemptId: randomUUID() } }),
});

export function mayUseWarehouse(by: Pick<Actor, "role" | "warehouseIds">, warehouseId: number): boolean {
  return by.role === "ADMIN" || by.warehouseIds.includes(warehouseId);
}

/**
 * Throws 403 unless the actor may use the warehouse; for records that are loaded by id (docs/interface.md, Answers and
 * errors).
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

/**
 * The warehouses whose rows a list, a report or a search has: those that the caller may see, but of an ADMIN no
 * sandbox (docs/sandbox.md), unless that one is named.
 * @param named The warehouse that the request names.
 */
export const shownWarehouses = (
  by: Pick<Actor, "role" | "warehouseIds" | "shownWarehouseIds">,
  named?: number | null,
): number[] | null => (by.role === "ADMIN" && !named ? (by.shownWarehouseIds ?? null) : visibleWarehouses(by));

/** The name of a bin in a refusal: its code, or its id for a caller who may not use its warehouse. */
export const binFor = (
  by: Pick<Actor, "role" | "warehouseIds">,
  bin: { warehouse_id: number; bin_code: string },
  binId: number,
): string | number => (mayUseWarehouse(by, bin.warehouse_id) ? bin.bin_code : binId);
