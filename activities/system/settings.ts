import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { Forbidden } from "../../src/platform/problem.js";
import { BadSetting, PackedOrdersExist } from "../../src/system/problems.js";
import { knownSettings } from "../../src/system/settings/known.js";
import { requiresPacking } from "../../src/system/settings/queries.js";
import { checkSsoCanBeRequired } from "../auth/break-glass.js";
import { command, type Tx } from "../command.js";

/**
 * Sets settings, known and unknown ones (docs/interface.md, Settings): all of them or none. Concurrent requests wait.
 */
export function changeSettings(settings: Record<string, string>, by: Actor): Promise<{ message: string }> {
  return command("settings.change", by, settings, async (tx) => {
    checkKnown(settings);
    await checkReferences(tx, settings);
    await tx.run("select pg_advisory_xact_lock(hashtext('app_settings'))");
    // Whoever is given the page of the settings is not given the door of the house.
    if (settings.sso_required !== undefined && by.role !== "ADMIN") throw Forbidden();
    if (settings.sso_required === "true") await checkSsoCanBeRequired(tx);
    if (settings.require_packing_before_shipping === "false") await refuseWhilePacked(tx);
    const keys = Object.keys(settings).sort();
    const before = await tx.rows(
      { key: text, value: text },
      "select key, value from app_settings where key = any($1)",
      [keys],
    );
    const old = new Map(before.map(({ key, value }) => [key, value]));
    const changed = keys.filter((key) => old.get(key) !== settings[key]);
    const saved = await tx.rows(
      { id: int, key: text, value: text },
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

/** Throws 400 while orders are PACKED: without packing they could not be shipped. */
async function refuseWhilePacked(tx: Tx): Promise<void> {
  if (!(await requiresPacking(tx))) return;
  const packed = await tx.row({ orders: int }, "select count(*) as orders from sales_orders where status = 'PACKED'");
  if (packed && packed.orders > 0) throw PackedOrdersExist({ orders: packed.orders });
}

function checkKnown(settings: Record<string, string>): void {
  for (const [key, value] of Object.entries(settings)) {
    const rule = knownSettings.get(key);
    if (rule && !rule.fits(value)) throw BadSetting({ key, expected: rule.expected });
  }
}

/**
 * Checks that the bin or warehouse in a setting exists, and locks it until the setting is written. An empty setting
 * names none.
 */
async function checkReferences(tx: Tx, settings: Record<string, string>): Promise<void> {
  const bin = settings.default_receiving_bin;
  if (bin) {
    const found = await tx.row({}, "select from bins where bin_id::text = $1 for key share", [bin]);
    const expected = "the bin_id of a bin, or empty";
    if (!found) throw BadSetting({ key: "default_receiving_bin", expected });
  }
  const warehouse = settings.BACKORDER_WAREHOUSE_CODE;
  if (warehouse) {
    const found = await tx.row({}, "select from warehouses where warehouse_code = $1 for key share", [warehouse]);
    const expected = "the code of a warehouse, or empty";
    if (!found) throw BadSetting({ key: "BACKORDER_WAREHOUSE_CODE", expected });
  }
}
