import { problem } from "../../platform/problem.js";

// Problems of polling and snapshots (docs/interface.md, Polling).
/** `field` is the field of the request that is outside the token's scope. */
export const ScopeViolation = problem("scope_violation", 403, "scope_violation");
export const GroupScopeViolation = problem("consumer_group_scope_violation", 403, "consumer_group_scope_violation");
export const SubscriptionInvalid = problem("subscription_invalid", 409, "subscription_invalid");
export const TwoStarts = problem(
  "two_starts",
  400,
  "A poll starts after an event or where a consumer group stands: send after or consumer_group, not both",
);
export const CursorBeyondHorizon = problem("cursor_beyond_horizon", 400, "cursor_beyond_horizon");
export const StreamEpochChanged = problem("stream_epoch_changed", 409, "stream_epoch_changed");
export const AckScopeViolation = problem("ack_scope_violation", 403, "ack_scope_violation");
export const UnknownEventSchema = problem("unknown_event_type_or_version", 404, "unknown_event_type_or_version");
