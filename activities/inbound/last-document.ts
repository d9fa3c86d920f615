import { isDeepStrictEqual } from "node:util";
import type { Resource } from "../../src/auth/tokens/scope.js";
import type { StoredState } from "../../src/inbound/queries.js";
import { object } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import type { Values } from "./records.js";

const LastDocumentRow = { canonical_payload: object.nullable() };

/** The newest version of a record as it was mapped; undefined where none is stored. */
export async function lastDocument(tx: Tx, resource: Resource, stored: StoredState): Promise<Values | undefined> {
  if (!stored.exists || stored.current_id === null) return undefined;
  const row = await tx.row(LastDocumentRow, `select canonical_payload from inbound_${resource} where inbound_id = $1`, [
    stored.current_id,
  ]);
  return row?.canonical_payload ?? undefined;
}

/** The columns in which a source's version differs from its previous one: only these did the source change. */
export const changedSince = (last: Values | undefined, values: Values): Values =>
  last
    ? Object.fromEntries(Object.entries(values).filter(([column, value]) => !isDeepStrictEqual(last[column], value)))
    : values;

/**
 * The current values of a record in its source: those that a version leaves out are as in the version before, except a
 * status, which does not last.
 */
export function saidByNow({ status: _, ...last }: Values = {}, said: Values): Values {
  return { ...last, ...said };
}
