import { TooManyRequests } from "./problems.js";

/** The most requests that may wait for hashing, in total and for one address or user. */
const MAX_PENDING = 64;
const MAX_PENDING_OF_ONE = 16;

let pending = 0;
const pendingOf = new Map<string, number>();

/**
 * Runs work that hashes a password. Hashing is expensive, so it is refused at once when too many requests wait for it,
 * or too many of the same address or user: otherwise one caller could occupy the processor.
 * @param who The address or the user.
 */
export async function queued<T>(who: string, work: () => Promise<T>): Promise<T> {
  const own = pendingOf.get(who) ?? 0;
  if (pending >= MAX_PENDING || own >= MAX_PENDING_OF_ONE) throw TooManyRequests().after(1);
  pending++;
  pendingOf.set(who, own + 1);
  try {
    return await work();
  } finally {
    pending--;
    const left = (pendingOf.get(who) ?? 1) - 1;
    if (left > 0) pendingOf.set(who, left);
    else pendingOf.delete(who);
  }
}
