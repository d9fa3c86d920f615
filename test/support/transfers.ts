import type { Caller } from "./caller.js";
import * as fixtures from "./fixtures.js";
import type { TestService } from "./service.js";

export const TRANSFERS = "/api/admin/transfer-orders";

/** Two warehouses: stock is in a bin of the first, the second has a Staging bin. */
export async function twoSites() {
  const [source, destination] = [await fixtures.warehouse(), await fixtures.warehouse()];
  const bin_id = await fixtures.bin(source);
  const staging = await fixtures.bin(destination, { type: "Staging" });
  const goods = async (quantity: number, lot: string | null = null) => {
    const item = await fixtures.item();
    const inventory_id = await fixtures.stock(source, bin_id, item.item_id, quantity, lot);
    return { ...item, inventory_id };
  };
  return { source, destination, bin_id, staging, goods };
}
export type Sites = Awaited<ReturnType<typeof twoSites>>;

/** Those of a suite of tests, made before them. */
export function testSites(): Sites {
  const sites = {} as Sites;
  before(async () => void Object.assign(sites, await twoSites()));
  return sites;
}

export interface WantedLine {
  item_id: number;
  quantity: number;
}

/** Creates a transfer order; gives its id and lines. */
export async function transferOrder(
  by: Caller,
  { source, destination }: Pick<Sites, "source" | "destination">,
  lines: WantedLine[],
) {
  const { to_id, to_number } = await by.ok("POST", TRANSFERS, {
    ...{ source_warehouse_id: source, destination_warehouse_id: destination, lines },
  });
  const path = `${TRANSFERS}/${to_id}`;
  const read = () => by.ok("GET", path);
  const made = await read();
  return {
    to_id: to_id as number,
    to_number: to_number as string,
    path,
    read,
    lines: made.lines as { to_line_id: number }[],
  };
}

/** Begins the walk; gives the batch and its tasks. */
export async function walk(by: Caller, to_id: number) {
  const { batch_id } = await by.ok("POST", `${TRANSFERS}/${to_id}/start-picking`);
  const batch = await by.ok("GET", `/api/picking/batch/${batch_id}`);
  return { batch_id: batch_id as number, tasks: batch.tasks as { pick_task_id: number; sku: string }[] };
}

/** Confirms a task with so many units. */
export const confirm = (by: Caller, task: { pick_task_id: number; sku: string }, quantity_picked: number) =>
  by.ok("POST", "/api/picking/confirm", {
    ...{ pick_task_id: task.pick_task_id, scanned_barcode: task.sku, quantity_picked },
  });

/** A transfer order of 10 units of one item, of which so many are picked and submitted. */
export async function submitted(service: TestService, sites: Sites, picked = 10) {
  const picker = await service.user({ role: "ADMIN" });
  const item = await sites.goods(20);
  const order = await transferOrder(picker, sites, [{ item_id: item.item_id, quantity: 10 }]);
  const { batch_id, tasks } = await walk(picker, order.to_id);
  await confirm(picker, tasks[0] as (typeof tasks)[0], picked);
  const { to_approval_id } = await picker.ok("POST", `/api/admin/picker/transfer-orders/${order.to_id}/submit`);
  return { ...order, item, picker, batch_id, to_approval_id: to_approval_id as number };
}
