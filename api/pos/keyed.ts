import type { Response } from "express";
import type { Actor } from "../../src/platform/actor.js";
import { databaseBusy } from "../../src/platform/db/db.js";
import { KeyReused } from "../../src/platform/dispatch-problem.js";
import { LockContention } from "../../src/pos/problems.js";
import { mayKnowOrder } from "../../src/pos/queries.js";
import { runUnderBodyKey, underBodyKey } from "../http/body-key.js";
import type { CountRequest } from "../http/shared-limit.js";

/** Sales and refunds under the till's key (docs/interface.md, Tills). */

interface KeyedRequest {
  operation: "pos.checkout" | "pos.refund";
  body: { idempotency_key: string };
  by: Actor;
  res: Response;
  countRequest: CountRequest;
}

/**
 * Runs a sale or a refund under its key. Keys never expire, and all tokens and both operations use the same ones. A
 * repeated request gets the first answer; with another token, only where the order is in one of that token's
 * warehouses. Throws 409 where the key belongs to another request, and 503 where the rows were locked for too long.
 */
export async function runKeyed<T extends object>(
  { operation, body, by, res, countRequest }: KeyedRequest,
  run: (by: Actor) => Promise<T>,
): Promise<T> {
  const { idempotency_key: key } = body;
  const keyed = underBodyKey(by, { prefix: "pos", key, validUntil: "infinity" }, { operation, body });
  const existing = operation === "pos.refund" ? "existing_refund_so_id" : "existing_so_id";
  const refuseReuse = async (answer: unknown) => {
    const number = numberIn(answer);
    const told = await mayKnowOrder(number, by.warehouseIds, by.username);
    return KeyReused({}, told ? { [existing]: number } : {});
  };
  const checkRepeat = async (answer: unknown) => {
    if (!(await mayKnowOrder(numberIn(answer), by.warehouseIds, by.username))) throw KeyReused();
  };
  try {
    return await runUnderBodyKey({ by: keyed, res, countRequest, refuseReuse, checkRepeat }, () => run(keyed));
  } catch (error) {
    throw databaseBusy(error) ? LockContention().after(1) : error;
  }
}

/** The number of the order that a sale or a refund made. */
const numberIn = (answer: unknown): string => {
  const { so_number, refund_so_id } = answer as { so_number?: string; refund_so_id?: string };
  return (so_number ?? refund_so_id) as string;
};
