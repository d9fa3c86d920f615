import type { NewToken, TokenRecord } from "./shapes.js";

/** An integration token, as requests are authorised with it (spec 2.4). Empty lists give access to nothing. */
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
