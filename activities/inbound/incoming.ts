import type { Token } from "../../src/auth/tokens/token.js";
import { columns, type Resource } from "../../src/inbound/columns.js";
import type { StoredState } from "../../src/inbound/queries.js";
import type { Push, PushKey } from "../../src/inbound/shapes.js";

/** Who sends records: an integration token, or a connector, which has none. */
export interface Sender {
  token_id: number | null;
  source_system: string;
  /** Where its records may be. */
  warehouse_ids: number[];
  mapping_override: boolean;
  mapping_overrides: Record<string, unknown>;
}

/** The token as the sender; tokens of inbound routes have a source system. */
export const senderOf = (token: Token): Sender => ({ ...token, source_system: token.source_system as string });

/** A push while it is written: what was sent, by whom, and what is stored of the record so far. */
export interface Incoming {
  resource: Resource;
  push: Push;
  sender: Sender;
  pushKey: PushKey;
  stored: StoredState;
  /** The record's id in the service, a new one for a new record. */
  canonicalId: string;
}

/** The token's overrides for columns of this resource: a token for several resources may have others too. */
export function overridesOf({ resource, sender }: Pick<Incoming, "resource" | "sender">): Record<string, unknown> {
  if (!sender.mapping_override) return {};
  return Object.fromEntries(
    Object.entries(sender.mapping_overrides).filter(([column]) => Object.hasOwn(columns[resource], column)),
  );
}
