import assert from "node:assert/strict";
import { db } from "../db.js";
import { item } from "../fixtures.js";
import type { Scanner } from "../scanner.js";
import { openFloor } from "../shift.js";
import type { Stack } from "../stack.js";
import { unique } from "../unique.js";
import type { Work } from "./kills.js";

/** A programme makes at most 500 counts a day, and each walk takes one. */
const WALKS_OF_A_HOUSE = 400;

interface House {
  warehouse_id: number;
  zone_id: number;
  path: string;
  walks: number;
}

/** Bins that a count programme has counted, each as soon as there is something in it; one is left open. */
export async function programmesOf(stack: Pick<Stack, "admin">): Promise<Work> {
  const { scanners } = await openFloor(stack, 2);
  const { item_id } = await item();
  const [first] = scanners as [Scanner];
  const houses = new Map<Scanner, House>();
  const all: number[] = [];

  async function open(scanner: Scanner): Promise<House> {
    const code = unique();
    const { warehouse_id } = await scanner.post("/api/admin/warehouses", {
      ...{ warehouse_code: code, warehouse_name: code },
    });
    all.push(warehouse_id);
    const { zone_id } = await scanner.post("/api/admin/zones", {
      ...{ warehouse_id, zone_code: code, zone_name: code, zone_type: "STORAGE" },
    });
    const programmes = "/api/admin/count-programmes";
    const { programme_id } = await scanner.post(programmes, { warehouse_id, per_day: 500, start_time: "03:00" });
    const house = { warehouse_id, zone_id, path: `${programmes}/${programme_id}/run`, walks: 0 };
    houses.set(scanner, house);
    return house;
  }

  /** The count of a new bin with three units. */
  async function begin(scanner: Scanner): Promise<number> {
    const last = houses.get(scanner);
    const house = last && last.walks < WALKS_OF_A_HOUSE ? last : await open(scanner);
    house.walks++;
    const { warehouse_id, zone_id, path } = house;
    const bin_code = unique();
    const { bin_id } = await scanner.post("/api/admin/bins", {
      ...{ warehouse_id, zone_id, bin_code, bin_barcode: bin_code, bin_type: "Pickable" },
    });
    await scanner.post("/api/admin/adjustments/direct", {
      ...{ item_id, warehouse_id, bin_id, adjustment_type: "ADD", quantity: 3, reason: "found" },
    });
    const { counts } = await scanner.post(path, {});
    assert.deepEqual([counts.length, counts[0]?.bin_id], [1, bin_id]);
    return counts[0].count_id;
  }
  async function count(scanner: Scanner, count_id: number) {
    const { lines } = await scanner.get(`/api/inventory/cycle-count/${count_id}`);
    const counted = [{ count_line_id: lines[0].count_line_id, counted_quantity: 3 }];
    await scanner.post("/api/inventory/cycle-count/submit", { count_id, lines: counted });
  }

  return {
    scanners,
    walk: async (scanner) => count(scanner, await begin(scanner)),
    leaveOpen: async () => {
      const count_id = await begin(first);
      return { waiting: 1, end: () => count(first, count_id) };
    },
    /** Each bin was counted once, and nobody was told what should be there. */
    done: async () => {
      const done = await db.row<Record<string, number>>(
        `select count(*)::int as counts, count(distinct bin_id)::int as bins,
                count(*) filter (where status = 'COMPLETED')::int as completed,
                count(*) filter (where is_blind)::int as blind,
                (select count(*)::int from audit_log
                 where entity_type = 'CYCLE_COUNT' and action_type = 'CREATE' and warehouse_id = any($1)) as audited
         from cycle_counts where warehouse_id = any($1)`,
        [all],
      );
      const runs = scanners.flatMap((one) => one.accepted).filter(({ path }) => /count-programmes.*run/.test(path));
      const made = runs.length;
      assert.ok(made > 0);
      assert.deepEqual(done, { counts: made, bins: made, completed: made, blind: made, audited: made });
      return done as object;
    },
  };
}
