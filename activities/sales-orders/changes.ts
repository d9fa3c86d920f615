import type { Change } from "../../src/platform/events/catalog.js";
import type { Tx } from "../command.js";
import type { ActionOrder } from "./orders-with-picks.js";

/** Fields as a request sends them: a missing field stays as it is, null and "" clear it. */
type Sent<F extends string> = Partial<Record<F, string | number | null | undefined>>;

/** The fields after the edit: all values are text, or null. */
export function applyEdit<F extends string>(before: Record<F, string | null>, sent: Sent<F>): Record<F, string | null> {
  const after = { ...before };
  for (const field of Object.keys(before) as F[]) {
    if (sent[field] !== undefined) after[field] = String(sent[field] ?? "") || null;
  }
  return after;
}

export function changesOf<F extends string>(
  before: Record<F, string | null>,
  after: Record<F, string | null>,
): Change[] {
  return (Object.keys(before) as F[])
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, old_value: before[field], new_value: after[field] }));
}

/** The changed fields with their new values, as `jsonb_populate_record` takes them. */
export function newValues(changes: Change[]): string {
  return JSON.stringify(Object.fromEntries(changes.map((c) => [c.field, c.new_value])));
}

/** The audit row of a change. */
export function auditChange(
  tx: Tx,
  { so_id, so_number, warehouse_id }: Pick<ActionOrder, "so_id" | "so_number" | "warehouse_id">,
  action: string,
  change: Change & { so_line_id?: number; item_id?: number },
): void {
  tx.audit({ action, entity: "SO", entityId: so_id, warehouseId: warehouse_id, details: { so_number, ...change } });
}
