import type { Resource } from "../../src/auth/tokens/scope.js";
import type { Token } from "../../src/auth/tokens/token.js";
import type { SourceFulfilment } from "../../src/connectors/connector.js";
import { columns } from "../../src/inbound/columns.js";
import { forbidden, WarehouseNotAllowed } from "../../src/inbound/problems.js";
import type { StoredState } from "../../src/inbound/queries.js";
import type { Push, PushKey } from "../../src/inbound/shapes.js";
import { int } from "../../src/platform/db/columns.js";
import type { DomainError } from "../../src/platform/problem.js";
import type { Tx } from "../command.js";

/** Who sends records: an integration token, or a connector, which has none. */
export interface RecordSender {
  token_id: number | null;
  source_system: string;
  /** The warehouses that its records may be in. */
  warehouse_ids: number[];
  mapping_override: boolean;
  mapping_overrides: Record<string, unknown>;
}

/** The token as the sender; tokens of inbound routes always have a source system. */
export const senderOfToken = (token: Token): RecordSender => ({
  ...token,
  source_system: token.source_system as string,
});

/** What a connector knows of a record besides its columns. */
export interface FromShop {
  /** Fulfilments in the shop, where it reports them: the lines are then what is open besides them. */
  fulfilled?: SourceFulfilment[] | undefined;
  /** Whether the shop has put the order on hold; undefined where it does not say. */
  held?: boolean | undefined;
  /** The shop says that nothing is left to ship. */
  nothingLeft?: boolean | undefined;
  /** Whether the shop assigned to this warehouse the part of the order that it sends. */
  assigned?: boolean | undefined;
  /** Called in the same transaction where the order differs from what the shop wants. */
  differs?: (tx: Tx, why: DomainError) => Promise<void>;
}

/** What is stored of a version of a shop's order, so that the next version shows what the shop changed. */
export interface Remembered {
  /** Units by item: what was shipped here, as the shop knows it, and what it still wants. */
  wanted?: Record<string, number>;
  held?: boolean;
  nothing_left?: boolean;
}

/** The result of a write: the record's warehouse, null for one without, and what is stored with the version. */
export interface Merged<Warehouse = number | null> {
  warehouseId: Warehouse;
  remembered?: Remembered;
}

/** A push that is being written: what was sent, by whom, and what is stored of the record so far. */
export interface Incoming {
  resource: Resource;
  push: Push;
  sender: RecordSender;
  pushKey: PushKey;
  stored: StoredState;
  /** The record's id in this service; a new one for a new record. */
  canonicalId: string;
  /** Everything that was sent, by column. */
  said: Record<string, unknown>;
  /** For a connector, whose records are merged: only what the source changed since its previous version is written. */
  shop?: FromShop | undefined;
  /** What the connector's previous version said. */
  last?: Record<string, unknown> | undefined;
}

/**
 * The token's overrides for columns of this resource: a token for several resources may have overrides of others too.
 */
export function overridesOf({ resource, sender }: Pick<Incoming, "resource" | "sender">): Record<string, unknown> {
  if (!sender.mapping_override) return {};
  return Object.fromEntries(
    Object.entries(sender.mapping_overrides).filter(([column]) => Object.hasOwn(columns[resource], column)),
  );
}

/** Refuses a warehouse that the sender has no access to: the record's own, or the one that the push moves it to. */
export function checkSenderWarehouse(
  { warehouse_ids }: Pick<RecordSender, "warehouse_ids">,
  warehouseId: unknown,
): void {
  if (!warehouse_ids.includes(warehouseId as number)) throw forbidden(WarehouseNotAllowed);
}

/** The same for the warehouse of a bin; a bin that does not exist is refused by its foreign key. */
export async function checkSenderBin(
  tx: Tx,
  sender: Pick<RecordSender, "warehouse_ids">,
  binId: unknown,
): Promise<void> {
  const bin = await tx.row({ warehouse_id: int }, "select warehouse_id from bins where bin_id = $1", [binId]);
  if (bin) checkSenderWarehouse(sender, bin.warehouse_id);
}
