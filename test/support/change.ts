import type { Caller } from "./caller.js";
import * as fixtures from "./fixtures.js";
import type { TestService } from "./service.js";
import { pickedOrder } from "./walk.js";

/** A request that changes something, made fresh each time so that it succeeds. */
export interface Change {
  by: Caller;
  /** Where it is not the route's own. */
  path?: string;
  body: object;
  /** Another sound body for the same route. */
  other: object;
  /** Waits for what goes on by itself after the answer. */
  settled?: () => Promise<void>;
}

/** A warehouse, one of its own unless another is named, with a user of its own, so that no two requests meet. */
export async function floor(service: TestService, warehouseId?: number) {
  const warehouse_id = warehouseId ?? (await fixtures.warehouse());
  const by = await service.user({ role: "ADMIN" });
  const stocked = async (quantity = 10) => {
    const goods = await fixtures.item();
    const bin_id = await fixtures.bin(warehouse_id);
    await fixtures.stock(warehouse_id, bin_id, goods.item_id, quantity);
    return { ...goods, bin_id };
  };
  const order = async (quantity = 5) => {
    const goods = await stocked();
    const { item_id } = goods;
    const so = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity }]);
    return { ...so, ...goods };
  };
  const expected = async () => {
    const { item_id } = await fixtures.item();
    const lines = [{ item_id, quantity: 10 }];
    const { po_id } = await fixtures.purchaseOrder(warehouse_id, lines);
    return { po_id, item_id, bin_id: await fixtures.bin(warehouse_id) };
  };
  const wave = async () => {
    const { so_id, sku } = await order();
    const path = "/api/picking/wave-create";
    const made = await by.ok("POST", path, { so_ids: [so_id], warehouse_id });
    const { pick_task_id } = made.first_pick;
    return { batch_id: made.batch_id as number, pick_task_id, sku };
  };
  const picked = async () => {
    const item = await fixtures.item();
    return { ...(await pickedOrder(by, warehouse_id, [{ item, quantity: 5 }])), ...item };
  };
  return { warehouse_id, by, stocked, order, expected, wave, picked };
}
export type Floor = Awaited<ReturnType<typeof floor>>;
