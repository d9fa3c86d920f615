import { keptLayout } from "../../src/master-data/layouts/queries.js";
import { type KeptLayout, Layout } from "../../src/master-data/layouts/shapes.js";
import { LayoutAislesUnknown, LayoutNotFound, WarehouseNotFound } from "../../src/master-data/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import { command, type Tx } from "../command.js";
import { auditEdit } from "../edit.js";
import { lockWarehouses } from "./references.js";

/** Sets the layout of a warehouse, in place of the one it has (docs/layout.md). */
export function putLayout(warehouse_id: number, layout: Layout, by: Actor): Promise<KeptLayout> {
  return command("layouts.put", by, { warehouse_id, ...layout }, async (tx) => {
    const before = await lockLayout(tx, warehouse_id);
    const unknown = await tx.rows(
      { aisle: text },
      `select aisle from unnest($2::text[]) as named(aisle)
       where not exists (select from bins b where b.warehouse_id = $1 and b.aisle = named.aisle)`,
      [warehouse_id, layout.aisles.map(({ aisle }) => aisle)],
    );
    if (unknown.length > 0) throw LayoutAislesUnknown({ aisles: unknown.map(({ aisle }) => aisle).join(", ") });
    await tx.run(
      `insert into warehouse_layouts (warehouse_id, layout, updated_by) values ($1, $2, $3)
       on conflict (warehouse_id) do update
       set layout = excluded.layout, updated_by = excluded.updated_by, updated_at = now()`,
      [warehouse_id, JSON.stringify(layout), by.username],
    );
    const entry = { entity: "WAREHOUSE_LAYOUT", entityId: warehouse_id, warehouseId: warehouse_id };
    if (before) auditEdit(tx, entry, before, layout);
    else tx.audit({ action: "CREATE", ...entry, details: layout });
    return (await keptLayout(warehouse_id, tx)) as KeptLayout;
  });
}

/** Removes the layout of a warehouse: its walks go by `pick_sequence` again. */
export function deleteLayout(warehouse_id: number, by: Actor): Promise<{ message: string }> {
  return command("layouts.delete", by, { warehouse_id }, async (tx) => {
    const before = await lockLayout(tx, warehouse_id);
    if (!before) throw LayoutNotFound();
    await tx.run("delete from warehouse_layouts where warehouse_id = $1", [warehouse_id]);
    tx.audit({
      action: "DELETE",
      entity: "WAREHOUSE_LAYOUT",
      entityId: warehouse_id,
      warehouseId: warehouse_id,
      details: before,
    });
    return { message: "Layout deleted" };
  });
}

const LayoutRow = { layout: Layout };

/** The layout of a warehouse, if it has one; the warehouse stays until the transaction ends. */
async function lockLayout(tx: Tx, warehouseId: number): Promise<Layout | undefined> {
  const held = await lockWarehouses(tx, [warehouseId]);
  if (!held.has(warehouseId)) throw WarehouseNotFound();
  const row = await tx.row(LayoutRow, "select layout from warehouse_layouts where warehouse_id = $1 for update", [
    warehouseId,
  ]);
  return row?.layout;
}
