import type { Actor } from "../platform/actor.js";
import type { Sql } from "../platform/db/db.js";
import { setting } from "../system/settings/queries.js";
import { OwnCount } from "./problems.js";

/** With the setting `require_count_approval_separation`, users cannot approve adjustments of their own counts. */
export async function refuseOwnCounts(
  sql: Sql,
  adjustments: { adjusted_by: string | null }[],
  by: Actor,
): Promise<void> {
  if (
    adjustments.some(({ adjusted_by }) => adjusted_by === by.username) &&
    (await setting(sql, "require_count_approval_separation")) === "true"
  )
    throw OwnCount();
}
