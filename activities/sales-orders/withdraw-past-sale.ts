import { UnitsPastSale } from "../../src/picking/problems.js";
import { DomainError } from "../../src/platform/problem.js";
import { expireStock } from "../lots/expire.js";
import { endSales } from "../lots/too-old.js";
import { endSalesToOrders } from "./end-sales.js";

/**
 * Does a pick. Where it is refused as the last day of its units has passed, their promises end at once instead of with
 * the job's next run, so that the picker's next look shows other units.
 */
export async function withdrawPastSale<T>(pick: Promise<T>): Promise<T> {
  try {
    return await pick;
  } catch (error) {
    if (error instanceof DomainError && error.kind === UnitsPastSale.kind) {
      const row = error.body.inventory_id as number;
      await expireStock(row);
      await endSales(row);
      await endSalesToOrders(row);
    }
    throw error;
  }
}
