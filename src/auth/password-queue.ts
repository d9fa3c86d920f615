import { TooManyRequests } from "./problems.js";

/**
 * Requests with a password in them, which hash in turn: so many at most are taken on, and so many of one address or
 * user.
 */
const MOST = 64;
const MOST_OF_ONE = 16;

let pending = 0;
const pendingOf = new Map<string, number>();

/**
 * Does something that hashes a password. Hashing takes a processor's time that the caller does not pay: when too many
 * wait already, or too many of the same one, the next is sent away at once, so that others are still served.
 * @param who The address or the user that it is done for.
 */
export async function queued<T>(who: string, work: () => Promise<T>): Promise<T> {
  const own = pendingOf.get(who) ?? 0;
  if (pending >= MOST || own >= MOST_OF_ONE) throw TooManyRequests().after(1);
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
