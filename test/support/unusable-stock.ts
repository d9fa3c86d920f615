import type { Caller } from "./caller.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { unique } from "./unique.js";

/**
 * Four units of an item for each reason why they cannot be picked for an order that asks for 90 days: their bins, and
 * the reasons; and the order that some of them are reserved for. Other units of the item must not be free yet.
 */
export async function unusableStock(by: Caller, warehouse_id: number, item_id: number) {
  const put = async (lot: string | null = null) => {
    const bin_id = await fixtures.bin(warehouse_id, { pick_sequence: 1 });
    return { bin_id, inventory_id: await fixtures.stock(warehouse_id, bin_id, item_id, 4, lot) };
  };
  const changed = async (table: "bins" | "zones" | "inventory", columns: string) => {
    const { bin_id, inventory_id } = await put();
    const which = {
      bins: `bin_id = ${bin_id}`,
      zones: `zone_id = (select zone_id from bins where bin_id = ${bin_id})`,
      inventory: `inventory_id = ${inventory_id}`,
    };
    await db.run(`update ${table} set ${columns} where ${which[table]}`);
    return bin_id;
  };
  const reserved = await put();
  const { sales_order } = await by.ok("POST", "/api/admin/sales-orders", {
    ...{ so_number: `SO-${unique()}`, warehouse_id, lines: [{ item_id, quantity_ordered: 4 }] },
  });
  const held = await put();
  await by.ok("POST", `/api/admin/inventory/${held.inventory_id}/hold`, { quantity: 4, reason: "wet" });
  const ofLot = await put("LOT-9");
  await db.run("update lots set condition = 'QUARANTINE' where item_id = $1", [item_id]);
  await db.run("update inventory set condition = 'QUARANTINE' where inventory_id = $1", [ofLot.inventory_id]);
  const bins: [bin_id: number, reason: string][] = [
    [reserved.bin_id, "reserved"],
    [held.bin_id, "held"],
    [ofLot.bin_id, "held"],
    [await changed("bins", "is_active = false"), "inactive"],
    [await changed("zones", "zone_type = 'DAMAGE'"), "damage_zone"],
    [await changed("zones", "zone_type = 'QUALITY'"), "quality_zone"],
    [await changed("inventory", "expiry_date = current_date - 2"), "past_sale"],
    [await changed("inventory", "expiry_date = current_date + 20"), "too_old"],
    [await changed("bins", "bin_type = 'Staging'"), "not_pickable"],
    [await changed("bins", "is_reserve = true"), "in_reserve"],
    [await changed("inventory", "quantity_doubted = 4"), "in_doubt"],
  ];
  return { bins, reserved: reserved.bin_id, reserved_for: sales_order.so_number as string };
}
