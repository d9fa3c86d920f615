import type { Resource } from "../../src/auth/tokens/scope.js";
import type { Token } from "../../src/auth/tokens/token.js";
import type { SourceFulfilment } from "../../src/connectors/connector.js";
import { columns } from "../../src/inbound/columns.js";
import type { StoredState } from "../../src/inbound/queries.js";
import type { Push, PushKey } from "../../src/inbound/shapes.js";
import type { DomainError } from "../../src/platform/problem.js";
import type { Tx } from "../command.js";

/** Who sends records: an integration token, or a connector, which has none. */
export interface RecordSender {
  token_id: number | null;
  source_system: string;
  /** Where its records may be. */
  warehouse_ids: number[];
  mapping_override: boolean;
  mapping_overrides: Record<string, unknown>;
}

/** The token as the sender; tokens of inbound routes have a source system. */
export const senderOfToken = (token: Token): RecordSender => ({
  ...token,
  source_system: token.source_system as string,
});

/** What a connector knows of a record beside its columns. */
export interface FromShop {
  /** Fulfilments that stand in the shop, where it tells them: its lines are then what is open beside them. */
  fulfilled?: SourceFulfilment[] | undefined;
  /** Whether the shop does not want the order shipped for now; undefined where it does not say. */
  held?: boolean | undefined;
  /** The shop says that nothing is left to ship. */
  nothingLeft?: boolean | undefined;
  /** Whether the shop assigned to this warehouse what it sends of the order. */
  assigned?: boolean | undefined;
  /** Called in the same transaction where the order differs from what the shop wants. */
  differs?: (tx: Tx, why: DomainError) => Promise<void>;
}

/** What is remembered of a version of a shop's order, to tell from it what the shop changes with the next one. */
export interface Remembered {
  /** Units by item: what was shipped here, as the shop knows it, and what it still wants. */
  wanted?: Record<string, number>;
  held?: boolean;
  nothing_left?: boolean;
}

/** What came of a write: the record's warehouse, null for one without, and what is kept with the version. */
export interface Merged<Warehouse = number | null> {
  warehouseId: Warehouse;
  remembered?: Remembered;
}

/** A push while it is written: what was sent, by whom, and what is stored of the record so far. */
export interface Incoming {
  resource: Resource;
  push: Push;
  sender: RecordSender;
  pushKey: PushKey;
  stored: StoredState;
  /** The record's id in the service, a new one for a new record. */
  canonicalId: string;
  /** All that was sent, by column. */
  said: Record<string, unknown>;
  /** Of a connector, whose records are merged: only what it changed since the version before is written. */
  shop?: FromShop | undefined;
  /** What a connector's version before said. */
  last?: Record<string, unknown> | undefined;
}

/** The token's overrides for columns of this resource: a token for several resources may have others too. */
export function overridesOf({ resource, sender }: Pick<Incoming, "resource" | "sender">): Record<string, unknown> {
  if (!sender.mapping_override) return {};
  return Object.fromEntries(
    Object.entries(sender.mapping_overrides).filter(([column]) => Object.hasOwn(columns[resource], column)),
  );
}
