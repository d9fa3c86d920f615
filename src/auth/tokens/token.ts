import type { NewToken, TokenRecord } from "./shapes.js";

/**
 * An integration token, as requests are authorised with it (docs/interface.md, Tokens). Empty lists give access to
 * nothing.
 */
export type Token = Pick<
  TokenRecord,
  | "token_id"
  | "token_name"
  | "source_system"
  | "inbound_resources"
  | "event_types"
  | "endpoints"
  | "warehouse_ids"
  | "connector_id"
  | "mapping_override"
  | "expires_at"
> &
  Pick<NewToken, "mapping_overrides">;

/** Whether a token is that of a shipping station and nothing else (docs/interface.md, Shipping station). */
export const isOfStation = (token: Pick<Token, "endpoints" | "event_types" | "source_system">): boolean =>
  token.endpoints.length > 0 &&
  token.endpoints.every((slug) => slug === "station.dispatch") &&
  token.event_types.length === 0 &&
  token.source_system === null;
