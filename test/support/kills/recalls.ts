import assert from "node:assert/strict";
import { db } from "../db.js";
import { item } from "../fixtures.js";
import type { Scanner } from "../scanner.js";
import { openFloor } from "../shift.js";
import type { Stack } from "../stack.js";
import { unique } from "../unique.js";
import { until } from "../until.js";
import { HEALED_WITHIN_MS, type Work } from "./kills.js";

const RECALLS = "/api/admin/recalls";

/** A recall of three units, of which one is with a customer. */
interface Recalled {
  path: string;
  so_id: number;
}

/** Lots that are called back, each person's of an item of its own; one is left open. */
export async function recallsOf(stack: Pick<Stack, "admin">): Promise<Work> {
  const { scanners, warehouse_id, bins } = await openFloor(stack, 2);
  const items: { item_id: number }[] = [];
  for (const _ of scanners) items.push(await item());
  const [first] = scanners as [Scanner];

  /** Units of a new lot come, and one of them is sold. */
  async function sold(scanner: Scanner) {
    const i = scanners.indexOf(scanner);
    const [item_id, bin_id] = [items[i]?.item_id as number, bins[i] as number];
    const lot_number = `L-${unique()}`;
    await scanner.post("/api/admin/adjustments/direct", {
      ...{ item_id, warehouse_id, bin_id, lot_number, adjustment_type: "ADD", quantity: 3, reason: "found" },
    });
    const order = { so_number: `R-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered: 1 }] };
    const { so_id } = (await scanner.post("/api/admin/sales-orders", order)).sales_order;
    const path = `/api/admin/sales-orders/${so_id}`;
    const { so_line_id } = (await scanner.get(path)).lines[0];
    await scanner.post(`${path}/admin-pick`, { lines: [{ so_line_id, bin_id, quantity: 1 }] });
    await scanner.post(`${path}/admin-ship`, {});
    const { lots } = await scanner.get(`/api/admin/lots?item_id=${item_id}&q=${lot_number}`);
    return { so_id: so_id as number, lot_id: lots[0].lot_id as number };
  }
  /** Calls it back; then it is held, and its bin is to be counted. */
  async function open(scanner: Scanner): Promise<Recalled> {
    const { so_id, lot_id } = await sold(scanner);
    const { recall_id } = await scanner.post(RECALLS, { lot_ids: [lot_id], reason: "glass" });
    const path = `${RECALLS}/${recall_id}`;
    await until(async () => (await scanner.get(path)).places[0].count_id !== null, HEALED_WITHIN_MS);
    assert.equal((await scanner.get(path)).lots[0].condition, "HOLD");
    return { path, so_id };
  }
  async function account(scanner: Scanner, { path, so_id }: Recalled) {
    const { count_id, inventory_id } = (await scanner.get(path)).places[0];
    const { lines } = await scanner.get(`/api/inventory/cycle-count/${count_id}`);
    const counted = lines.map(({ count_line_id, expected_quantity }: Record<string, number>) => ({
      ...{ count_line_id, counted_quantity: expected_quantity },
    }));
    await scanner.post("/api/inventory/cycle-count/submit", { count_id, lines: counted });
    await scanner.post(`${path}/told`, { so_ids: [so_id] });
    await scanner.post(`${path}/destroy`, { inventory_id, reason: "burnt" });
    await scanner.post(`${path}/close`, { reason: "all accounted for" });
  }

  return {
    scanners,
    walk: async (scanner) => account(scanner, await open(scanner)),
    leaveOpen: async () => {
      const recalled = await open(first);
      // Its count is a process, too.
      return { waiting: 2, end: () => account(first, recalled) };
    },
    /** What was called back, held, counted, told of and destroyed, each once. */
    done: async () => {
      const ofItems = items.map(({ item_id }) => item_id);
      const done = await db.row<Record<string, number>>(
        `select (select count(*)::int from recalls where closed_at is not null) as closed,
                (select count(*)::int from recall_lots where known_quantity = 3) as known,
                (select sum(quantity_on_hand)::int from inventory where item_id = any($1)) as stored,
                (select count(*)::int from lots where item_id = any($1) and condition = 'HOLD') as held,
                (select count(*)::int from recall_orders) as told,
                (select sum(quantity)::int from recall_destructions) as destroyed,
                (select count(*)::int from cycle_counts where warehouse_id = $2) as counts,
                (select count(*)::int from integration_events where event_type = 'recall.opened') as opened_events,
                (select count(*)::int from integration_events where event_type = 'recall.closed') as closed_events,
                (select count(*)::int from integration_events where event_type = 'lot.held') as held_events,
                (select count(*)::int from audit_log where action_type like 'RECALL_%') as audited`,
        [ofItems, warehouse_id],
      );
      const made = scanners.flatMap((one) => one.accepted).filter(({ path }) => path === RECALLS).length;
      assert.ok(made > 0);
      assert.deepEqual(done, {
        ...{ closed: made, known: made, stored: 0, held: made, told: made, destroyed: 2 * made, counts: made },
        ...{ opened_events: made, closed_events: made, held_events: made, audited: 4 * made },
      });
      return done as object;
    },
  };
}
