import type { z } from "zod";
import { LockHeld } from "../../src/inbound/problems.js";
import { canonicalTables } from "../../src/inbound/queries.js";
import type { RowOf } from "../../src/platform/db/shape.js";
import type { Tx } from "../command.js";
import type { Incoming } from "./incoming.js";

/** Values by column, for `jsonb_populate_record`. */
export type Values = Record<string, unknown>;

/**
 * Inserts the record's row, and returns these columns of it. `computed` has columns whose value is an SQL expression.
 */
export async function insertRow<S extends Readonly<Record<string, z.ZodType>>>(
  tx: Tx,
  { resource, stored, canonicalId }: Incoming,
  values: Values,
  shape: S,
  computed: Record<string, string> = {},
): Promise<RowOf<S>> {
  const { table, key } = canonicalTables[resource];
  const columns = { ...expressions(values), ...computed };
  const row = await tx.row(
    shape,
    `insert into ${table} (${[key, "latest_inbound_id", ...Object.keys(columns)]})
     select ${["$1", "$2", ...Object.values(columns)]} from jsonb_populate_record(null::${table}, $3) as pushed
       returning ${Object.keys(shape)}`,
    [canonicalId, stored.inbound_id, JSON.stringify(values)],
  );
  return row as RowOf<S>;
}

/** Updates the record's row. */
export async function updateRow(
  tx: Tx,
  { resource, stored, canonicalId }: Incoming,
  values: Values,
  computed: Record<string, string> = {},
): Promise<void> {
  const { table, key } = canonicalTables[resource];
  const columns = { ...expressions(values), ...computed };
  const updated = await tx.run(
    `update ${table} set (${["latest_inbound_id", ...Object.keys(columns)]}) =
       (select ${["$2::bigint", ...Object.values(columns)]} from jsonb_populate_record(null::${table}, $3))
     where ${key} = $1`,
    [canonicalId, stored.inbound_id, JSON.stringify(values)],
  );
  // Deleted since it was read; when the sender tries again it is inserted again.
  if (updated === 0) throw LockHeld();
}

/** Sorted, so that the same columns give the same prepared statement. */
const expressions = (values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.keys(values)
      .sort()
      .map((column) => [column, column]),
  );
