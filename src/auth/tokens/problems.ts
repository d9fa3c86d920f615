import { inboundProblem, problem, WarehouseDenied } from "../../platform/problem.js";

// For requests with a token (docs/interface.md, Tokens).
export const InvalidToken = problem("invalid_token", 401, "invalid_token");
export const CrossDirection = inboundProblem(
  "cross_direction_scope_violation",
  403,
  "This token was not issued for inbound writes",
);
export const ResourceNotAllowed = inboundProblem(
  "inbound_resource_scope_violation",
  403,
  "This token was not issued for this resource",
);
export const RateLimited = inboundProblem(
  "rate_limited",
  429,
  "This token has used up its requests of the running minute",
);
/** The token of a shipping station. */
export const InboundWrongDirection = inboundProblem(
  "wrong_token_direction",
  403,
  "This token was issued for a shipping station",
);
export const OutboundWrongDirection = problem("wrong_token_direction", 403, "wrong_token_direction");
export const InboundBodyTooLarge = inboundProblem("body_too_large", 413, "The body is larger than {max_body_kb} KB");
export const OutboundCrossDirection = problem(
  "cross_direction_scope_violation",
  403,
  "cross_direction_scope_violation",
);
export const EndpointNotAllowed = problem("endpoint_scope_violation", 403, "endpoint_scope_violation");
export const OutboundRateLimited = problem("rate_limited", 429, "rate_limited");

// For users who manage tokens (docs/interface.md, Tokens).
export const TokenNotFound = problem("token_not_found", 404, "Token not found");
export const TokenRevoked = problem("token_revoked", 400, "Token is revoked");
export const TokenWithoutScope = problem(
  "token_reaches_nothing",
  400,
  "A token needs endpoints, or a source_system with inbound_resources",
);
export const IncompleteInboundScope = problem(
  "incomplete_inbound_scope",
  400,
  "source_system and inbound_resources must be set together",
);
export const UnknownWarehouseIds = problem("unknown_warehouse_ids", 400, "unknown_warehouse_ids");
export const UnknownEventTypes = problem("unknown_event_types", 400, "unknown_event_types");
export const UnknownEndpointSlugs = problem("unknown_endpoint_slugs", 400, "unknown_endpoint_slugs");
export const UnknownSourceSystem = problem("unknown_source_system", 400, "unknown_source_system");
export const UnknownConnectorId = problem("unknown_connector_id", 400, "unknown_connector_id");
export const UnknownOverrideKeys = problem("unknown_mapping_overrides_keys", 422, "unknown_mapping_overrides_keys");
/** Its `missing` lists the parts of the token's scope that the issuer has no access to. */
export const TokenExceedsIssuer = problem("token_exceeds_issuer", 403, "token_exceeds_issuer");
export const OverrideElsewhere = problem(
  "mapping_overrides_warehouse_outside_token",
  422,
  "mapping_overrides_warehouse_outside_token",
);

/** Event types that do not exist, or not for the caller. */
export const unknownSelection = [UnknownWarehouseIds, UnknownEventTypes, WarehouseDenied];
