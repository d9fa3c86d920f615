import { Caller } from "./caller.js";
import { db } from "./db.js";
import { bin, item, purchaseOrder, warehouse } from "./fixtures.js";
import { PASSWORD } from "./people.js";
import { type Accepted, Scanner } from "./scanner.js";
import type { Stack } from "./stack.js";
import { unique } from "./unique.js";

/** A warehouse with goods on their way and people to carry them. */
export interface Floor {
  warehouse_id: number;
  staging: number;
  bins: number[];
  items: { item_id: number; sku: string }[];
  po_id: number;
  scanners: Scanner[];
  /** What all of them were accepted of a route. */
  accepted(path: string): Accepted[];
}

/** Calls with a session of one of the people. */
export async function signedIn(anyone: Caller, username: string): Promise<Caller> {
  const { token } = await anyone.ok("POST", "/api/auth/login", { username, password: PASSWORD });
  return new Caller(anyone.url, { authorization: `Bearer ${token}` }, username, 0);
}

/** Another admin, signed in. */
async function hire(admin: Caller): Promise<Scanner> {
  const username = `person-${unique().toLowerCase()}`;
  await admin.ok("POST", "/api/admin/users", { username, password: PASSWORD, full_name: "A Person", role: "ADMIN" });
  return new Scanner(await signedIn(admin, username));
}

/** Also of a service of an earlier release: its rows are made by what both releases know. */
export async function openFloor({ admin }: Pick<Stack, "admin">, people: number): Promise<Floor> {
  // They share their bins, and nobody counts those that were short: units in doubt would be missing in the next wave.
  await db.run(
    `insert into app_settings (key, value) values ('short_pick_creates_count', 'false')
     on conflict (key) do update set value = excluded.value`,
  );
  const warehouse_id = await warehouse();
  const staging = await bin(warehouse_id, { type: "Staging" });
  const bins: number[] = [];
  for (let i = 0; i < 4; i++) bins.push(await bin(warehouse_id));
  const items = [await item(), await item(), await item()];
  const { po_id } = await purchaseOrder(
    warehouse_id,
    items.map(({ item_id }) => ({ item_id, quantity: 1_000_000 })),
  );
  const scanners: Scanner[] = [];
  for (let i = 0; i < people; i++) scanners.push(await hire(admin));
  const accepted = (path: string) =>
    scanners.flatMap((scanner) => scanner.accepted).filter((request) => request.path === path);
  return { warehouse_id, staging, bins, items, po_id, scanners, accepted };
}

export interface Wave {
  batch_id: number;
}

/** Orders of a wave, and units of each of their lines. */
const ORDERS = 2;
const UNITS = 2;
let numbers = 0;

/** Goods arrive and are put away, orders for them come in, and a walk through the warehouse begins. */
export async function startWave(floor: Floor, scanner: Scanner): Promise<Wave> {
  const { warehouse_id, staging, bins, items, po_id } = floor;
  const number = ++numbers;
  const chosen = [0, 1].map((i) => items[(number + i) % items.length] as { item_id: number });
  await scanner.post("/api/receiving/receive", {
    po_id,
    items: chosen.map(({ item_id }) => ({ item_id, quantity: ORDERS * UNITS, bin_id: staging })),
  });
  for (const [i, { item_id }] of chosen.entries())
    await scanner.post("/api/putaway/confirm", {
      ...{ item_id, from_bin_id: staging, to_bin_id: bins[(number + i) % bins.length] },
      quantity: ORDERS * UNITS,
    });
  const so_ids: number[] = [];
  for (let i = 0; i < ORDERS; i++) {
    const order = await scanner.post("/api/admin/sales-orders", {
      ...{ so_number: `K-${number}-${i}`, warehouse_id },
      lines: chosen.map(({ item_id }) => ({ item_id, quantity_ordered: UNITS })),
    });
    so_ids.push(order.sales_order.so_id);
  }
  const { batch_id } = await scanner.post("/api/picking/wave-create", { so_ids, warehouse_id });
  return { batch_id };
}

/** Every fifth bin holds a unit less than it should. */
export async function pickAll(scanner: Scanner, { batch_id }: Wave): Promise<void> {
  for (;;) {
    const task = await scanner.get(`/api/picking/batch/${batch_id}/next`);
    if (task.message === "All tasks complete") return;
    const { pick_task_id, quantity_to_pick, sku } = task;
    if (pick_task_id % 5 === 0)
      await scanner.post("/api/picking/short", { pick_task_id, quantity_available: quantity_to_pick - 1 });
    else
      await scanner.post("/api/picking/confirm", {
        ...{ pick_task_id, scanned_barcode: sku },
        quantity_picked: quantity_to_pick,
      });
  }
}

/** From the delivery to the carrier. */
export async function walk(floor: Floor, scanner: Scanner): Promise<void> {
  const wave = await startWave(floor, scanner);
  await pickAll(scanner, wave);
  const done = await scanner.post("/api/picking/complete-batch", wave);
  for (const { so_number } of done.summary.orders) {
    const { sales_order, lines } = await scanner.get(`/api/packing/order/${so_number}`);
    const { so_id } = sales_order;
    for (const { sku, quantity_picked } of lines)
      if (quantity_picked > 0)
        await scanner.post("/api/packing/verify", { so_id, scanned_barcode: sku, quantity: quantity_picked });
    await scanner.post("/api/packing/complete", { so_id });
    await scanner.post("/api/shipping/fulfill", { so_id, tracking_number: so_number, carrier: "UPS" });
  }
}
