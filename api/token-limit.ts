import type { Response } from "express";
import { takeRequests } from "../activities/token-use.js";
import type { Problem } from "../src/problem.js";

/** What this process took of a token's running minute; one that got nothing knows that there is nothing left. */
interface Share {
  taken: number;
  left: number;
  endsAt: number;
}

/**
 * So many requests of a kind a minute for each token, over all API processes together; 0 = no limit. A process takes a twentieth of them
 * at a time from Postgres, so most requests ask nobody. Never more than the limit are let through in a minute of the clock; at
 * its end, up to a twentieth for each other process may be left, taken and not used.
 */
export function tokenLimiter(
  counted: string,
  perMinute: number,
  refusal: Problem,
) {
  const atATime = Math.ceil(perMinute / 20);
  const shares = new Map<number, Promise<Share>>();

  async function take(tokenId: number): Promise<Share> {
    const now = performance.now();
    const { requests, lasts_ms } = await takeRequests(
      tokenId,
      counted,
      atATime,
      perMinute,
    );
    return { taken: requests, left: requests, endsAt: now + lasts_ms };
  }

  return async (tokenId: number, res: Response): Promise<void> => {
    if (perMinute === 0) return;
    for (;;) {
      const known = shares.get(tokenId);
      const share = await known;
      const over = share && share.endsAt <= performance.now();
      if (!share || over || (share.left === 0 && share.taken > 0)) {
        // Of the requests that find it used up at once, the first one takes the next.
        if (shares.get(tokenId) !== known) continue;
        const next = take(tokenId);
        next.catch(() => shares.delete(tokenId));
        shares.set(tokenId, next);
      } else if (share.left > 0) {
        share.left--;
        return;
      } else {
        const seconds = Math.ceil((share.endsAt - performance.now()) / 1000);
        res.setHeader("Retry-After", String(Math.max(1, seconds)));
        throw refusal();
      }
    }
  };
}
