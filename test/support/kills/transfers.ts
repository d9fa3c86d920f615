import assert from "node:assert/strict";
import { db } from "../db.js";
import type { Scanner } from "../scanner.js";
import { openFloor, pickAll } from "../shift.js";
import type { Stack } from "../stack.js";
import { finishTransfer, newTransfer, statusOf, type TwoHouses, twoHouses, walkTransfer } from "../transfer-walks.js";
import { TRANSFERS } from "../transfers.js";
import type { Work } from "./kills.js";

/** Transfer orders; one is left as it was created, one while it is picked, and one while it waits for its approval. */
export async function transfersOf(stack: Pick<Stack, "admin">, units: number): Promise<Work & { houses: TwoHouses }> {
  const houses = await twoHouses(3, units);
  const { scanners } = await openFloor(stack, 3);
  const [first, second, third] = scanners as [Scanner, Scanner, Scanner];
  const pick = async (scanner: Scanner, batch_id: number) => {
    await pickAll(scanner, { batch_id });
    await scanner.post("/api/picking/complete-batch", { batch_id });
  };
  return {
    houses,
    scanners,
    walk: async (scanner, i) => {
      await walkTransfer(scanner, scanners[(i + 1) % scanners.length] as Scanner, houses);
    },
    leaveOpen: async () => {
      const created = await first.post(TRANSFERS, newTransfer(houses));
      const picked = await second.post(TRANSFERS, newTransfer(houses));
      const { batch_id } = await second.post(`${TRANSFERS}/${picked.to_id}/start-picking`, {});
      const submitted = await third.post(TRANSFERS, newTransfer(houses));
      await pick(third, (await third.post(`${TRANSFERS}/${submitted.to_id}/start-picking`, {})).batch_id);
      const end = async () => {
        await first.post(`${TRANSFERS}/${created.to_id}/cancel`, {});
        await pick(second, batch_id);
        await finishTransfer(second, first, picked.to_id);
        await finishTransfer(third, first, submitted.to_id);
        assert.equal(await statusOf(picked.to_id), "CLOSED");
        assert.equal(await statusOf(submitted.to_id), "CLOSED");
      };
      // Three transfer orders, and the batch that is being picked.
      return { waiting: 4, end };
    },
    done: async () => {
      const done = await db.row<{ moved: number; arrived: number }>(
        `select (select count(*) from transfer_orders) as made,
                (select count(*) from pick_batches where warehouse_id = $1) as batches,
                (select count(*) from transfer_order_approvals) as approvals,
                (select sum(approved_qty) from transfer_order_lines join transfer_orders using (to_id)
                 where source_warehouse_id = $1) as moved,
                (select sum(quantity_on_hand) from inventory where warehouse_id = $2) as arrived,
                (select count(*) from audit_log where entity_type like 'TO%') as audited,
                (select count(*) from integration_events where warehouse_id in ($1, $2)) as events`,
        [houses.source, houses.destination],
      );
      assert.ok(done && done.moved > 0);
      assert.equal(done.arrived, done.moved);
      return done;
    },
  };
}
