import type { Actor } from "../actor.js";
import type { Sql } from "../db.js";
import { setting } from "../settings/queries.js";
import { OwnCount } from "./problems.js";

/** Where the house asks for it (`require_count_approval_separation`), nobody approves what that same user counted. */
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
