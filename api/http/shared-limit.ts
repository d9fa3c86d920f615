import { LRUCache } from "lru-cache";
import { takeRequests } from "../../activities/auth/request-counts.js";
import { databaseUnavailable } from "../../src/db/db.js";
import type { Problem } from "../../src/problem.js";

/** What this process took of a caller's running minute; where it got nothing, the caller has nothing left. */
interface Share {
  taken: number;
  left: number;
  endsAt: number;
}

/** A rate limit that all API processes share. Callers are told apart by a text. */
export interface SharedLimit {
  /** Counts a request; throws the refusal when there is nothing left. */
  take(caller: string): Promise<void>;
  /** Counts nothing and reads nothing; throws the refusal when this process knows that there is nothing left. */
  check(caller: string): void;
}

/** As many callers are remembered. One that is forgotten costs a query: Postgres forgets none. */
const MAX_CALLERS = 10_000;

const unlimited: SharedLimit = { take: async () => {}, check: () => {} };

/**
 * So many requests a minute for each caller, over all API processes together; 0 = no limit. A process takes a twentieth
 * of them at a time from Postgres, so most requests cost no query. Never more than the limit are let through in a
 * minute of the clock; at its end, up to a twentieth for each other process may be left, taken and not used. While
 * Postgres is away, each process counts for itself.
 */
export function sharedLimit(counted: string, perMinute: number, refusal: Problem): SharedLimit {
  if (perMinute === 0) return unlimited;
  const atATime = Math.ceil(perMinute / 20);
  const shares = new LRUCache<string, Share>({
    max: MAX_CALLERS,
    // A caller whose entry is evicted while its share is read still gets that share.
    ignoreFetchAbort: true,
    async fetchMethod(caller, _, { options }) {
      const now = performance.now();
      const { requests, lasts_ms } = await takeRequests(`${counted} ${caller}`, atATime, perMinute).catch((error) => {
        if (!databaseUnavailable(error)) throw error;
        return { requests: perMinute, lasts_ms: 60_000 };
      });
      const endsAt = now + lasts_ms;
      // A ttl of 0 would be none.
      options.ttl = Math.max(1, endsAt - performance.now());
      return { taken: requests, left: requests, endsAt };
    },
  });
  const refused = ({ endsAt }: Share) => refusal().after((endsAt - performance.now()) / 1000);
  return {
    async take(caller) {
      for (;;) {
        const share = await shares.forceFetch(caller);
        if (share.taken === 0) throw refused(share);
        if (share.left > 0) return void share.left--;
        // Of the requests that find it used up at once, the first one has the next share taken.
        if (shares.peek(caller) === share) shares.delete(caller);
      }
    },
    check(caller) {
      const share = shares.get(caller);
      if (share?.taken === 0) throw refused(share);
    },
  };
}
