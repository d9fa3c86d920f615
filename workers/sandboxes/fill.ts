import { createItem } from "../../activities/master-data/items.js";
import { noteFilled } from "../../activities/sandboxes/notes.js";
import { adjustDirectly } from "../../activities/stock/adjustments.js";
import { layOut } from "../../demo/load.js";
import * as demo from "../../demo/stock.js";
import { NewItem } from "../../src/master-data/items/shapes.js";
import { db } from "../../src/platform/db/db.js";
import { sandboxActor } from "../../src/sandboxes/actor.js";
import { sandboxState } from "../../src/sandboxes/queries.js";
import type { SandboxState } from "../../src/sandboxes/workflow.js";

/** What a sandbox has of the demo: a few shelves, a dock, and the items of two groups with their stock. */
const ZONES = demo.zones.filter(([code]) => ["PICK", "RCV"].includes(code));
const BINS = demo.bins.filter(([code]) => /^(A|RECV)-/.test(code));
const ITEMS = [...(demo.items.Mugs ?? []), ...(demo.items.Bowls ?? [])];

/**
 * Makes bins, items and stock of a sandbox, through the same activities as any other data. Each has its own command
 * id: after a crash, the next attempt goes on where the last one stopped.
 */
export async function fillSandbox(sandboxId: number): Promise<SandboxState> {
  const { warehouse_id, warehouse_code, is_filled, ...state } = await sandboxState(db, sandboxId);
  if (is_filled) return { ...state, warehouse_id, warehouse_code, is_filled };
  const as = (what: string) => sandboxActor(warehouse_id, `sandbox:${sandboxId}:${what}`);
  const bins = await layOut({ warehouse_id }, ZONES, BINS, as);
  const itemIds: number[] = [];
  for (const { sku, name, weight, bin, units } of ITEMS) {
    const item = NewItem.parse({
      ...{ sku: `${warehouse_code}-${sku}`, item_name: name, category: "Sandbox", weight_lbs: weight, upc: null },
      ...{ barcode_aliases: [], default_bin_id: bins(bin) },
    });
    const { item_id } = await createItem(item, as(`item ${sku}`));
    itemIds.push(item_id);
    const stock = { item_id, bin_id: bins(bin), warehouse_id, quantity: units };
    await adjustDirectly({ ...stock, adjustment_type: "ADD", reason: "Opening stock" }, as(`stock ${sku}`));
  }
  return noteFilled(sandboxId, itemIds, as("filled"));
}
