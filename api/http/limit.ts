import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { TooManyRequests } from "../../src/auth/problems.js";

/** Counts a request of this caller; 429 when there were too many within the minute. */
export type Limit = (caller: string | number) => Promise<void>;

/** So many requests a minute for each caller; 0 = no limit. */
export function limiter(perMinute: number): Limit {
  if (perMinute === 0) return async () => {};
  const counter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (caller) => {
    await counter.consume(caller).catch(({ msBeforeNext }: RateLimiterRes) => {
      throw TooManyRequests().after(msBeforeNext / 1000);
    });
  };
}

/** Limits by their number, each made once; without effect where `usual`, the limit of all requests, is off (0). */
export function limitsBesides(usual: number): (perMinute: number) => Limit {
  const limits = new Map<number, Limit>();
  return (perMinute) => {
    const limit = limits.get(perMinute) ?? limiter(usual && perMinute);
    limits.set(perMinute, limit);
    return limit;
  };
}
