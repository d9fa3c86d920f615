import * as fixtures from "./fixtures.js";
import { openHouse } from "./house.js";

/** The service with two warehouses, and a user with these pages who may use the first of them. */
export async function openTwoWarehouses(page_keys: string[] = []) {
  const house = await openHouse();
  const [warehouse_id, elsewhere] = [await fixtures.warehouse(), await fixtures.warehouse()];
  const user = await house.user({ warehouse_ids: [warehouse_id], page_keys });
  return { house, user, warehouse_id, elsewhere };
}
