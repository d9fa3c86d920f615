import { LRUCache } from "lru-cache";
import { takeRequests } from "../../activities/auth/request-counts.js";
import { databaseUnavailable } from "../../src/platform/db/db.js";
import type { Problem } from "../../src/platform/problem.js";

/**
 * The requests that this process reserved for a caller; if it could reserve none, the caller has used up the minute.
 */
interface Quota {
  taken: number;
  left: number;
  endsAt: number;
}

/** Counts a request, or throws the refusal; the returned function takes the request out of the count again. */
export type CountRequest = () => Promise<() => void>;

/** A rate limit that all API processes share. A caller is identified by a text. */
export interface SharedLimit {
  /** Counts a request, as `CountRequest` does. */
  take(caller: string): Promise<() => void>;
  /** Throws the refusal when this process knows that the limit is reached; neither counts nor queries. */
  check(caller: string): void;
}

/** The callers in memory. One that was evicted costs a query, but is still limited, as Postgres has the counts. */
const MAX_CALLERS = 10_000;

const unlimited: SharedLimit = { take: async () => () => {}, check: () => {} };

/**
 * Limits the requests a minute of each caller, over all API processes together; 0 = no limit. A process reserves a
 * twentieth of them at a time in Postgres, so most requests cost no query. Callers never get more than the limit in a
 * clock minute, but they may get less: up to a twentieth for each other process that reserved requests and did not use
 * them. While Postgres is unavailable, each process counts on its own.
 */
export function sharedLimit(counted: string, perMinute: number, refusal: Problem): SharedLimit {
  if (perMinute === 0) return unlimited;
  const quotaSize = Math.ceil(perMinute / 20);
  const quotas = new LRUCache<string, Quota>({
    max: MAX_CALLERS,
    // A caller whose entry is evicted while its quota is read still gets that quota.
    ignoreFetchAbort: true,
    async fetchMethod(caller, _, { options }) {
      const now = performance.now();
      const { requests, lasts_ms } = await takeRequests(`${counted} ${caller}`, quotaSize, perMinute).catch((error) => {
        if (!databaseUnavailable(error)) throw error;
        return { requests: perMinute, lasts_ms: 60_000 };
      });
      const endsAt = now + lasts_ms;
      // The cache takes a ttl of 0 as no limit.
      options.ttl = Math.max(1, endsAt - performance.now());
      return { taken: requests, left: requests, endsAt };
    },
  });
  const refused = ({ endsAt }: Quota) => refusal().after((endsAt - performance.now()) / 1000);
  return {
    async take(caller) {
      for (;;) {
        const quota = await quotas.forceFetch(caller);
        if (quota.taken === 0) throw refused(quota);
        if (quota.left > 0) {
          quota.left--;
          return () => void quota.left++;
        }
        // Of several requests that find the quota used up, only the first fetches a new one.
        if (quotas.peek(caller) === quota) quotas.delete(caller);
      }
    },
    check(caller) {
      const quota = quotas.get(caller);
      if (quota?.taken === 0) throw refused(quota);
    },
  };
}
