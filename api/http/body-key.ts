import { randomUUID } from "node:crypto";
import type { Response } from "express";
import { recordedUnderKey } from "../../activities/same-key.js";
import type { Actor } from "../../src/platform/actor.js";
import { recorded } from "../../src/platform/db/command-log.js";
import { DomainError, KeyReuse } from "../../src/platform/problem.js";
import { digestOf } from "./idempotency.js";
import type { CountRequest } from "./shared-limit.js";

/** The `idempotency_key` that stations and tills send in the body (docs/interface.md, Shipping station). */

/** A call under a key, and how it is refused where another request used the key before. */
export interface KeyedCall {
  by: Actor;
  res: Response;
  countRequest: CountRequest;
  refuseReuse: (firstAnswer: unknown) => DomainError | Promise<DomainError>;
  /** Throws where this caller may not have another caller's answer. */
  checkRepeat?: (firstAnswer: unknown) => Promise<void>;
}

/**
 * The actor under a key, which is also the `source_txn_id` of the events. Two requests are the same when operation,
 * target and validated bodies are.
 * @param keyOf The key, and the prefix of its command id, which says whose key it is.
 */
export function underBodyKey(
  by: Actor,
  keyOf: { prefix: string; key: string; validUntil: string },
  request: { operation: string; body: { idempotency_key: string } } & Record<string, unknown>,
): Actor {
  const { idempotency_key: _, ...body } = request.body;
  const requestHash = digestOf({ ...request, body });
  const key = keyOf.key.toLowerCase();
  return {
    ...by,
    requestId: key,
    commandId: `${keyOf.prefix}:${key}`,
    keyed: { requestHash, attemptId: randomUUID(), validUntil: keyOf.validUntil },
  };
}

/**
 * Runs a command under its key. A repeat gets the recorded answer, is marked (`X-Idempotent-Replay`), and does not
 * count against the caller's limit. Most requests are no repeats, so only the command itself looks for an earlier
 * answer.
 */
export async function runUnderBodyKey<T>(call: KeyedCall, run: () => Promise<T>): Promise<T> {
  const { by, countRequest } = call;
  let giveBack: () => void;
  try {
    giveBack = await countRequest();
  } catch (limited) {
    const first = await recordedUnderKey(by);
    if (!first) throw limited;
    if (first.request_hash !== by.keyed?.requestHash) throw await call.refuseReuse(first.answer);
    return repeated(call, first.answer as T);
  }
  const answer = await run().catch(async (error: unknown) => {
    const other = error instanceof DomainError && error.kind === KeyReuse.kind ? await recorded(by) : undefined;
    if (!other) throw error;
    giveBack();
    throw await call.refuseReuse(other.answer);
  });
  if (!by.keyed?.repeated) return answer;
  giveBack();
  return repeated(call, answer);
}

async function repeated<T>({ res, checkRepeat }: KeyedCall, answer: T): Promise<T> {
  await checkRepeat?.(answer);
  res.setHeader("X-Idempotent-Replay", "true");
  return answer;
}
