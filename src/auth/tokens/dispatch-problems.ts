import { dispatchProblem } from "../../platform/dispatch-problem.js";

/** Refusals of tokens on station and POS routes (docs/interface.md, Tokens). */

export const WrongTokenDirection = dispatchProblem(
  "wrong_token_direction",
  403,
  "This token was issued for another direction",
);
export const PosCrossDirection = dispatchProblem(
  "cross_direction_scope_violation",
  403,
  "This token was issued for another direction than the till",
);
export const DispatchEndpointNotAllowed = dispatchProblem(
  "endpoint_scope_violation",
  403,
  "This token was not issued for this endpoint",
);
export const DispatchRateLimited = dispatchProblem(
  "rate_limited",
  429,
  "This token has used up its requests of the running minute",
);
export const DispatchBodyTooLarge = dispatchProblem("body_too_large", 413, "The body is larger than {max_body_kb} KB");
