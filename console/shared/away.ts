import { Refusal, Unreachable } from "../../client/src/index.js";

/** What a proxy says whose service is gone, and a service that starts, stops or has too much to do. */
export const AWAY_STATUSES = [429, 502, 503, 504];

/** There is no net, or no service behind it. */
export const isAway = (error: unknown) =>
  error instanceof Unreachable || (error instanceof Refusal && AWAY_STATUSES.includes(error.status));
