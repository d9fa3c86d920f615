import { ZoneExists, ZoneHasBins, ZoneNotFound } from "../../src/master-data/problems.js";
import { type NewZone, Zone, type ZoneChanges } from "../../src/master-data/zones/shapes.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { command, type Tx } from "../command.js";
import { auditEdit, refusingDuplicate, refusingReferenced, withChanges } from "../edit.js";
import { expectSellable } from "../stock/backorders.js";
import { checkWarehouseExists } from "./warehouses.js";

const COLUMNS = "zone_id, warehouse_id, zone_code, zone_name, zone_type, is_active";

/** Creates a zone in a warehouse (docs/interface.md, Places). */
export function createZone(input: NewZone, by: Actor): Promise<Zone> {
  return command("zones.create", by, input, async (tx) => {
    const { warehouse_id, zone_code, zone_name, zone_type } = input;
    checkWarehouse(by, warehouse_id);
    await checkWarehouseExists(tx, warehouse_id);
    const zone = await tx.row(
      Zone,
      `insert into zones (warehouse_id, zone_code, zone_name, zone_type) values ($1, $2, $3, $4)
       on conflict (warehouse_id, zone_code) do nothing returning ${COLUMNS}`,
      [warehouse_id, zone_code, zone_name, zone_type],
    );
    if (!zone) throw ZoneExists({ zone_code });
    tx.audit({
      action: "CREATE",
      entity: "ZONE",
      entityId: zone.zone_id,
      warehouseId: warehouse_id,
      details: { zone_code, zone_name, zone_type },
    });
    return zone;
  });
}

/** Changes the sent fields of a zone, which stays in its warehouse (docs/interface.md, Places). */
export function updateZone(zone_id: number, changes: ZoneChanges, by: Actor): Promise<Zone> {
  return command("zones.update", by, { zone_id, ...changes }, async (tx) => {
    const before = await lockZone(tx, zone_id, by);
    const after = withChanges(before, changes);
    const { warehouse_id, zone_code, zone_type, is_active } = after;
    if (zone_type !== before.zone_type || is_active !== before.is_active)
      await expectSellable(tx, "v.bin_id in (select bin_id from bins where zone_id = $1)", zone_id);
    await refusingDuplicate(
      tx.run(
        `update zones set zone_code = :zone_code, zone_name = :zone_name, zone_type = :zone_type, is_active = :is_active
         where zone_id = :zone_id`,
        after,
      ),
      ZoneExists({ zone_code }),
    );
    auditEdit(tx, { entity: "ZONE", entityId: zone_id, warehouseId: warehouse_id }, before, after);
    return after;
  });
}

/** Deletes a zone without bins. */
export function deleteZone(zone_id: number, by: Actor): Promise<{ message: string }> {
  return command("zones.delete", by, { zone_id }, async (tx) => {
    const { warehouse_id, zone_code } = await lockZone(tx, zone_id, by);
    await leaveRules(tx, zone_id);
    await refusingReferenced(tx.run("delete from zones where zone_id = $1", [zone_id]), ZoneHasBins({ zone_code }));
    tx.audit({
      action: "DELETE",
      entity: "ZONE",
      entityId: zone_id,
      warehouseId: warehouse_id,
      details: { zone_code },
    });
    return { message: `Zone ${zone_code} deleted` };
  });
}

/** Rules of put-away do not name the zone any more; those that name no other would mean all zones, and go. */
async function leaveRules(tx: Tx, zoneId: number) {
  await tx.run("delete from put_away_rules where zone_ids = array[$1::int]", [zoneId]);
  const sql = "update put_away_rules set zone_ids = array_remove(zone_ids, $1) where $1 = any(zone_ids)";
  await tx.run(sql, [zoneId]);
}

async function lockZone(tx: Tx, zoneId: number, by: Actor): Promise<Zone> {
  const zone = await tx.row(Zone, `select ${COLUMNS} from zones where zone_id = $1 for update`, [zoneId]);
  if (!zone) throw ZoneNotFound();
  checkWarehouse(by, zone.warehouse_id);
  return zone;
}
