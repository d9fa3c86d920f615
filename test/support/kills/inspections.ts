import assert from "node:assert/strict";
import { db } from "../db.js";
import { item, stock } from "../fixtures.js";
import type { Scanner } from "../scanner.js";
import { openFloor } from "../shift.js";
import type { Stack } from "../stack.js";
import type { Work } from "./kills.js";

/** Goods that come into quarantine and are decided about, each person's in a row of its own; one is left open. */
export async function inspectionsOf(stack: Pick<Stack, "admin">): Promise<Work> {
  const { scanners, warehouse_id, bins } = await openFloor(stack, 2);
  const { item_id } = await item();
  const rows: number[] = [];
  for (const [i] of scanners.entries()) rows.push(await stock(warehouse_id, bins[i] as number, item_id, 0));
  const [first] = scanners as [Scanner];

  const open = async (scanner: Scanner): Promise<number> => {
    const i = scanners.indexOf(scanner);
    await scanner.post("/api/admin/adjustments/direct", {
      ...{ item_id, warehouse_id, bin_id: bins[i], adjustment_type: "ADD", quantity: 3, reason: "found" },
    });
    const hold = { quantity: 3, condition: "QUARANTINE", reason: "complaint" };
    return (await scanner.post(`/api/admin/inventory/${rows[i]}/hold`, hold)).inspection_id;
  };
  const decide = (scanner: Scanner, id: number, decision: string) =>
    scanner.post(`/api/admin/inspections/${id}/decide`, { decision, quantity: 1, reason: "looked at" });
  const decideAll = async (scanner: Scanner, id: number) => {
    for (const decision of ["release", "damage", "return_to_supplier"]) await decide(scanner, id, decision);
  };

  return {
    scanners,
    walk: async (scanner) => decideAll(scanner, await open(scanner)),
    leaveOpen: async () => {
      const id = await open(first);
      return { waiting: 1, end: () => decideAll(first, id) };
    },
    /** What lies there and is damaged, and what was decided and told. */
    done: async () => {
      const done = await db.row<Record<string, number>>(
        `select (select sum(quantity_on_hand)::int from inventory where item_id = $1) as stored,
                (select sum(quantity_held)::int from stock_holds where inventory_id = any($2)) as damaged,
                (select count(*)::int from inspections where item_id = $1) as inspections,
                (select count(*)::int from inspection_decisions join inspections using (inspection_id)
                 where item_id = $1) as decisions,
                (select count(*)::int from integration_events where event_type in ('stock.held', 'stock.released')
                   and warehouse_id = $3) as events,
                (select count(*)::int from audit_log where action_type = 'INSPECTION_DECIDE' and warehouse_id = $3)
                  as audited`,
        [item_id, rows, warehouse_id],
      );
      const accepted = scanners.flatMap((one) => one.accepted).filter(({ path }) => /decide/.test(path)).length;
      assert.ok(accepted > 0 && done);
      const made = accepted / 3;
      const { stored, damaged, inspections, decisions, events, audited } = done;
      assert.deepEqual(
        [stored, damaged, inspections, decisions, events, audited],
        [2 * made, made, made, accepted, 3 * made, accepted],
      );
      return done;
    },
  };
}
