import { LockHeld } from "../../src/inbound/problems.js";
import { canonicalTables } from "../../src/inbound/queries.js";
import type { Tx } from "../command.js";
import type { Incoming } from "./incoming.js";

/** Columns with their values, as `jsonb_populate_record` takes them. */
export type Values = Record<string, unknown>;

/** Makes the record's row. `made` says by SQL what is not simply mapped; gives what `returning` names. */
export async function insertRow<T>(
  tx: Tx,
  { resource, known, canonicalId }: Incoming,
  values: Values,
  made: Record<string, string> = {},
  returning = "null",
): Promise<T> {
  const { table, key } = canonicalTables[resource];
  const columns = { ...expressions(values), ...made };
  const row = await tx.row<T>(
    `insert into ${table} (${[key, "latest_inbound_id", ...Object.keys(columns)]})
     select ${["$1", "$2", ...Object.values(columns)]} from jsonb_populate_record(null::${table}, $3)
       returning ${returning}`,
    [canonicalId, known.inbound_id, JSON.stringify(values)],
  );
  return row as T;
}

/** Writes the mapped columns of the record's row. */
export async function updateRow(
  tx: Tx,
  { resource, known, canonicalId }: Incoming,
  values: Values,
  made: Record<string, string> = {},
): Promise<void> {
  const { table, key } = canonicalTables[resource];
  const columns = { ...expressions(values), ...made };
  const updated = await tx.run(
    `update ${table} set (${["latest_inbound_id", ...Object.keys(columns)]}) =
       (select ${["$2::bigint", ...Object.values(columns)]} from jsonb_populate_record(null::${table}, $3))
     where ${key} = $1`,
    [canonicalId, known.inbound_id, JSON.stringify(values)],
  );
  // Somebody deleted it a moment ago; the next try makes it anew.
  if (updated === 0) throw LockHeld();
}

/** In one order, so that the same columns are the same statement. */
const expressions = (values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.keys(values)
      .sort()
      .map((column) => [column, column]),
  );
