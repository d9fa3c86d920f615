import type { Actor } from "../src/actor.js";
import { BadIdleHours, PackedOrdersExist } from "../src/settings/problems.js";
import { requiresPacking } from "../src/settings/queries.js";
import { command, type Tx } from "./command.js";

/** Sets settings, known ones and others (reference 03 §7): all of them or none. */
export function changeSettings(
  settings: Record<string, string>,
  by: Actor,
): Promise<{ message: string }> {
  return command("settings.change", by, settings, async (tx) => {
    if (settings.require_packing_before_shipping === "false")
      await needNothingPacked(tx);
    checkIdleHours(settings.batch_idle_release_hours);
    const keys = Object.keys(settings).sort();
    const before = await tx.rows<{ key: string; value: string }>(
      "select key, value from app_settings where key = any($1) order by key for update",
      [keys],
    );
    const old = new Map(before.map(({ key, value }) => [key, value]));
    const changed = keys.filter((key) => old.get(key) !== settings[key]);
    const saved = await tx.rows<{ id: number; key: string; value: string }>(
      `insert into app_settings (key, value) select * from unnest($1::text[], $2::text[])
       on conflict (key) do update set value = excluded.value, updated_at = now()
       returning id, key, value`,
      [changed, changed.map((key) => settings[key])],
    );
    for (const { id, key, value } of saved) {
      tx.audit({
        action: "UPDATE",
        entity: "SETTING",
        entityId: id,
        details: { key, old_value: old.get(key) ?? null, new_value: value },
      });
    }
    return { message: "Settings updated" };
  });
}

/** Orders that were packed would wait for a step that is gone. */
async function needNothingPacked(tx: Tx): Promise<void> {
  if (!(await requiresPacking(tx))) return;
  const packed = await tx.row<{ orders: number }>(
    "select count(*) as orders from sales_orders where status = 'PACKED'",
  );
  if (packed && packed.orders > 0)
    throw PackedOrdersExist({ orders: packed.orders });
}

function checkIdleHours(hours: string | undefined): void {
  if (hours === undefined) return;
  if (!/^\d{1,4}(\.\d{1,4})?$/.test(hours) || Number(hours) > 8760)
    throw BadIdleHours();
}
