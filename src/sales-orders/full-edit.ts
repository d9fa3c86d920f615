import type { Actor } from "../platform/actor.js";
import type { Sql } from "../platform/db/db.js";
import type { SalesOrderStatus } from "../platform/states.js";
import { isFulfilled } from "./fulfilment.js";
import { EditForbidden, ReturnLinesFixed } from "./problems.js";
import type { OrderType } from "./shapes.js";

/**
 * Whether the caller may edit orders that are no longer OPEN: an ADMIN, or a user with the override `so-full-edit`
 * (docs/interface.md, Rights).
 */
export async function mayEditFully(sql: Sql, by: Actor): Promise<boolean> {
  if (by.role === "ADMIN") return true;
  if (by.pageKeys) return by.pageKeys.includes("so-full-edit");
  const granted = await sql.row(
    {},
    "select from user_page_permissions where user_id = $1 and page_key = 'so-full-edit'",
    [by.userId],
  );
  return granted !== undefined;
}

/**
 * Throws 403 unless the caller may edit header and lines of an order in its status: an ADMIN in any, a user in OPEN,
 * one with `so-full-edit` in all but SHIPPED.
 */
export async function checkEditable(
  sql: Sql,
  { so_number, status }: { so_number: string; status: SalesOrderStatus },
  by: Actor,
): Promise<void> {
  if (by.role === "ADMIN" || status === "OPEN") return;
  if (status !== "SHIPPED" && (await mayEditFully(sql, by))) return;
  throw EditForbidden({ so_number, status }, { current_status: status });
}

/** Throws 400 where lines are not changed in any status: those of a return or a refund. */
export function refuseFixedLines({ so_number, order_type }: { so_number: string; order_type: OrderType }): void {
  if (!isFulfilled(order_type)) throw ReturnLinesFixed({ so_number, order_type });
}
