import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { TooManyRequests } from "../../src/auth/problems.js";

/** Counts a request of a caller; throws 429 when the limit is reached. */
export type Limit = (caller: string | number) => Promise<void>;

/** Limits the requests a minute of each caller; 0 = no limit. */
export function limiter(perMinute: number): Limit {
  if (perMinute === 0) return async () => {};
  const counter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (caller) => {
    await counter.consume(caller).catch(({ msBeforeNext }: RateLimiterRes) => {
      throw TooManyRequests().after(msBeforeNext / 1000);
    });
  };
}

/** Creates each further limit once, by its number; all are off where `usual`, the limit of all requests, is 0. */
export function limitsBesides(usual: number): (perMinute: number) => Limit {
  const limits = new Map<number, Limit>();
  return (perMinute) => {
    const limit = limits.get(perMinute) ?? limiter(usual && perMinute);
    limits.set(perMinute, limit);
    return limit;
  };
}
