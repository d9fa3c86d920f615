import type { Token } from "../../src/auth/tokens/token.js";
import type { Resource } from "../../src/inbound/columns.js";
import type { StoredState } from "../../src/inbound/queries.js";
import type { Push, PushKey } from "../../src/inbound/shapes.js";

/** A push while it is written: what was sent, with which token, and what is stored of the record so far. */
export interface Incoming {
  resource: Resource;
  push: Push;
  token: Token;
  pushKey: PushKey;
  stored: StoredState;
  /** The record's id in the service, a new one for a new record. */
  canonicalId: string;
}
