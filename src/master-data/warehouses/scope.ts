import { type Actor, scopeOf } from "../../platform/actor.js";
import { bool } from "../../platform/db/columns.js";
import { db, type Sql } from "../../platform/db/db.js";

/**
 * The warehouses to filter by where rows may belong to no warehouse: null, which is everything, for an ADMIN and for a
 * USER who has every warehouse, inactive ones too. Any other USER sees rows of own warehouses only, and none that
 * belong to none.
 */
export async function wholeScopeOf(by: Pick<Actor, "role" | "warehouseIds">, sql: Sql = db): Promise<number[] | null> {
  const scope = scopeOf(by);
  if (scope === null || scope.length === 0) return scope;
  const others = await sql.row(
    { exist: bool },
    "select exists (select from warehouses where warehouse_id <> all($1)) as exist",
    [scope],
  );
  return others?.exist ? scope : null;
}
