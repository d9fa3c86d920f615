import { RateLimiterMemory } from "rate-limiter-flexible";
import { TooManyRequests } from "../src/auth/problems.js";

/** Counts a request of this caller; 429 when there were too many within the minute. */
export type Limit = (caller: string | number) => Promise<void>;

/** So many requests a minute for each caller; 0 = no limit. */
export function limiter(perMinute: number): Limit {
  if (perMinute === 0) return async () => {};
  const counter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (caller) => {
    await counter.consume(caller).catch(() => {
      throw TooManyRequests();
    });
  };
}
