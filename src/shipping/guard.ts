import type { Sql } from "../db.js";
import { requiresPacking } from "../settings/queries.js";
import {
  mayBecome,
  type SalesOrderStatus,
  salesOrderStates,
} from "../states.js";
import { SoNotPacked, SoNotShippable } from "./problems.js";

/** Throws 400 unless an order in this status may ship: PACKED, or PICKED where packing is not required. */
export async function refuseUnshippable(
  sql: Sql,
  { so_number, status }: { so_number: string; status: SalesOrderStatus },
): Promise<void> {
  if (!mayBecome(salesOrderStates, status, "SHIPPED"))
    throw SoNotShippable({ so_number, status });
  if (status === "PICKED" && (await requiresPacking(sql)))
    throw SoNotPacked({ so_number, status });
}
