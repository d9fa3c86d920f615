import type { Resource } from "../../src/auth/tokens/scope.js";
import type { Mapped } from "../../src/inbound/apply.js";
import { columns } from "../../src/inbound/columns.js";
import { fitInto } from "../../src/inbound/fit.js";
import { constraintViolation } from "../../src/inbound/problems.js";
import { canonicalTables, type StoredState, warehouseOf } from "../../src/inbound/queries.js";
import type { PushKey } from "../../src/inbound/shapes.js";
import { bool, int, text } from "../../src/platform/db/columns.js";
import type { Column } from "../../src/platform/pushed-columns.js";
import type { Tx } from "../command.js";
import { checkSenderWarehouse, overridesOf, type RecordSender } from "./incoming.js";
import { auditLink, insertLinks, linkOf } from "./links.js";

/** How an existing record is found for one that its source sends for the first time. */
export interface Adoption {
  /** The column whose value is the same in both. */
  by: string;
  /** For an item of a shop: its other name here, where the shop's name for it belongs to another item. */
  own?: string;
}

/** How a mapping document says that records are adopted, if it does. */
export const adoptionIn = ({ adopt_by }: { adopt_by?: string | undefined }): Adoption | undefined =>
  adopt_by === undefined ? undefined : { by: adopt_by };

export interface Unknown {
  resource: Resource;
  sender: RecordSender;
  pushKey: PushKey;
  stored: StoredState;
  mapped: Mapped;
}

const AdoptRow = { canonical_id: text, warehouse_id: int.nullable(), is_anothers: bool };

/**
 * Links the id of a source to the existing record with the same key, if there is one; the caller holds the lock of the
 * id. The key is locked too, so that of two first pushes with the same key the later one finds the record of the
 * earlier one.
 */
export async function adopt(
  tx: Tx,
  { resource, sender, pushKey, stored, mapped }: Unknown,
  { by }: Adoption,
): Promise<boolean> {
  const value = keyIn(resource, by, { ...mapped.values, ...overridesOf({ resource, sender }) });
  if (value === undefined) return false;
  const { table, key } = canonicalTables[resource];
  const [, records] = await tx.inOrder([
    lockKey(tx, resource, by, value),
    tx.rows(
      AdoptRow,
      `select ${key} as canonical_id, ${warehouseOf(resource)}, ${isAnothers(resource)} as is_anothers
       from ${table} where ${by} = $1 and $2::text is not null limit 2`,
      [value, sender.source_system],
    ),
  ]);
  const [record, another] = records;
  if (!record) return false;
  if (another)
    throw constraintViolation(`${by}: several records have ${value}, and the push cannot say which it is of`);
  if (record.is_anothers) throw constraintViolation(`${by}: ${value} is not a sale, or it is of another source system`);
  if (record.warehouse_id !== null) checkSenderWarehouse(sender, record.warehouse_id);
  const link = linkOf(resource, pushKey, record.canonical_id);
  // The record that the id named before was deleted.
  if (stored.canonical_id !== null)
    await tx.run("delete from cross_system_mappings where source_system = $1 and source_type = $2 and source_id = $3", [
      link.source_system,
      link.source_type,
      link.source_id,
    ]);
  const [inserted] = await insertLinks(tx, [link]);
  if (!inserted)
    throw constraintViolation(
      `${by}: the record with ${value} is linked to another id of ${link.source_system} already`,
    );
  auditLink(tx, "LINK", inserted, record.warehouse_id, { adopted_by: by });
  return true;
}

/**
 * SQL: whether source $2 may not adopt a record. Returns, credit memos and backorders are made here, and an order of
 * another source is not this source's.
 */
const isAnothers = (resource: Resource): string =>
  resource === "sales_orders" ? "(order_type <> 'sale' or source_system <> $2) is true" : "false";

/** Nobody else links or creates a record with this key until the end of the command. */
export const lockKey = (tx: Tx, resource: Resource, by: string, value: string): Promise<unknown> =>
  tx.run("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    JSON.stringify([canonicalTables[resource].table, by, value]),
  ]);

/** The key as its column stores it; undefined for none, also for one that does not fit, which is refused later. */
export function keyIn(resource: Resource, by: string, values: Record<string, unknown>): string | undefined {
  const { values: fitted } = fitInto({ [by]: columns[resource][by] as Column }, { [by]: values[by] });
  return (fitted[by] as string | null | undefined) || undefined;
}
