import * as fixtures from "./fixtures.js";
import { openService } from "./service.js";

/** The service with two warehouses, and a user with these pages who may use the first of them. */
export async function openTwoWarehouses(page_keys: string[] = []) {
  const service = await openService();
  const [warehouse_id, elsewhere] = [await fixtures.warehouse(), await fixtures.warehouse()];
  const user = await service.user({ warehouse_ids: [warehouse_id], page_keys });
  return { service, user, warehouse_id, elsewhere };
}
