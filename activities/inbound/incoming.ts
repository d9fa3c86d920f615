import type { Token } from "../../src/auth/tokens/token.js";
import type { Resource } from "../../src/inbound/columns.js";
import type { Known, Triple } from "../../src/inbound/queries.js";

/** A record as its source has it (spec 2.1). */
export interface Push {
  external_id: string;
  external_version: string;
  source_payload: Record<string, unknown>;
}

/** A push on its way: what was sent, by whom, and what is here of it. */
export interface Incoming {
  resource: Resource;
  push: Push;
  token: Token;
  triple: Triple;
  known: Known;
  /** The row that it is or becomes here. */
  canonicalId: string;
}
