import assert from "node:assert/strict";
import { db } from "../db.js";
import { assertCauses } from "../floor/causes.js";
import type { Scanner } from "../scanner.js";
import { type Floor, openFloor, pickAll, startWave, walk } from "../shift.js";
import type { Stack } from "../stack.js";
import type { Work } from "./kills.js";
import { ledgerOf } from "./ledger.js";

/** Deliveries, waves and shipments; of what is left open, one is a count. */
export async function wavesOf(stack: Pick<Stack, "admin">, people: number): Promise<Work & { floor: Floor }> {
  const floor = await openFloor(stack, people);
  const { scanners, warehouse_id, bins } = floor;
  const [first] = scanners as [Scanner];
  return {
    floor,
    scanners,
    walk: (scanner) => walk(floor, scanner),
    leaveOpen: async () => {
      const waves = await Promise.all(scanners.map((scanner) => startWave(floor, scanner)));
      const { counts } = await first.post("/api/inventory/cycle-count/create", { warehouse_id, bin_ids: [bins[0]] });
      const [{ count_id }] = counts;
      const end = async () => {
        const lines = await db.rows(
          `select count_line_id, expected_quantity as counted_quantity, false as unexpected
           from cycle_count_lines where count_id = $1`,
          [count_id],
        );
        await first.post("/api/inventory/cycle-count/submit", { count_id, lines });
        await Promise.all(
          scanners.map(async (scanner, i) => {
            const wave = waves[i] ?? assert.fail();
            await pickAll(scanner, wave);
            await scanner.post("/api/picking/complete-batch", wave);
          }),
        );
      };
      return { waiting: waves.length + 1, end };
    },
    done: async () => {
      const ledger = await ledgerOf(floor);
      const { accepted, lost, doubled } = ledger;
      assert.deepEqual({ lost, doubled }, { lost: 0, doubled: 0 }, `of ${accepted} requests`);
      await assertCauses(warehouse_id);
      return ledger;
    },
  };
}
