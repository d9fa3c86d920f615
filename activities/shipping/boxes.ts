import type { Actor } from "../../src/platform/actor.js";
import { BoxCost, BoxExists, BoxInUse, BoxNotFound } from "../../src/shipping/boxes/problems.js";
import { BOX } from "../../src/shipping/boxes/queries.js";
import { Box, type BoxChanges, type NewBox } from "../../src/shipping/boxes/shapes.js";
import { command, type Tx } from "../command.js";
import { auditEdit, refusingDuplicate, withChanges } from "../edit.js";

/** Adds a box to the catalogue (docs/parcels.md). */
export function createBox(input: NewBox, by: Actor): Promise<Box> {
  return command("boxes.create", by, input, async (tx) => {
    refuseHalfCost(input);
    const box = await refusingDuplicate(
      tx.row(
        Box,
        `insert into boxes as b (box_code, box_name, length_in, width_in, height_in, tare_lbs, max_weight_lbs,
           cost_minor, cost_currency)
         values (:box_code, :box_name, :length_in, :width_in, :height_in, :tare_lbs, :max_weight_lbs, :cost_minor,
           :cost_currency)
         returning ${BOX}`,
        input,
      ),
      BoxExists({ box_code: input.box_code }),
    );
    tx.audit({ action: "CREATE", ...entityOf(box as Box), details: input });
    return box as Box;
  });
}

/** Changes the sent fields of a box. Parcels that are closed stay as they are. */
export function updateBox(box_id: number, changes: BoxChanges, by: Actor): Promise<Box> {
  return command("boxes.update", by, { box_id, ...changes }, async (tx) => {
    const before = await lockBox(tx, box_id);
    const after = withChanges(before, changes);
    refuseHalfCost(after);
    const written = await refusingDuplicate(
      tx.row(
        Box,
        `update boxes as b
         set box_code = :box_code, box_name = :box_name, length_in = :length_in, width_in = :width_in,
             height_in = :height_in, tare_lbs = :tare_lbs, max_weight_lbs = :max_weight_lbs, cost_minor = :cost_minor,
             cost_currency = :cost_currency, is_active = :is_active, updated_at = now()
         where box_id = :box_id returning ${BOX}`,
        after,
      ),
      BoxExists({ box_code: after.box_code }),
    );
    auditEdit(tx, entityOf(before), before, after);
    return written as Box;
  });
}

/** Deletes a box that nothing was packed in. */
export function deleteBox(box_id: number, by: Actor): Promise<{ message: string }> {
  return command("boxes.delete", by, { box_id }, async (tx) => {
    const box = await lockBox(tx, box_id);
    const { box_code } = box;
    if (await tx.row({}, "select from parcels where box_id = $1 limit 1", [box_id])) throw BoxInUse({ box_code });
    await tx.run("delete from boxes where box_id = $1", [box_id]);
    tx.audit({ action: "DELETE", ...entityOf(box), details: { box_code } });
    return { message: `Box ${box_code} deleted` };
  });
}

const entityOf = ({ box_id }: Box) => ({ entity: "BOX", entityId: box_id, warehouseId: null });

/** A cost without its currency says nothing. */
function refuseHalfCost({ cost_minor, cost_currency }: Pick<Box, "cost_minor" | "cost_currency">): void {
  if ((cost_minor === null) !== (cost_currency === null)) throw BoxCost();
}

async function lockBox(tx: Tx, boxId: number): Promise<Box> {
  const box = await tx.row(Box, `select ${BOX} from boxes b where box_id = $1 for update`, [boxId]);
  if (!box) throw BoxNotFound();
  return box;
}
