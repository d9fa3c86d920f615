import { createHash } from "node:crypto";
import { PoExists } from "../../src/purchasing/problems.js";
import { itemsOfSandbox, type SandboxWork, workIn } from "../../src/sandboxes/queries.js";
import type { SandboxState, SandboxStep, Scenario } from "../../src/sandboxes/workflow.js";
import { type Ask, Refused } from "./ask.js";

/** What happens in a sandbox. Each of it is a request that people make, too: there is no second way. */

type Of = Pick<SandboxState, "sandbox_id" | "warehouse_id" | "warehouse_code">;

/** Fewer free units of an item than that have it ordered, up to so many. */
const LOW = 20;
const UP_TO = 100;
/** Of so many orders one is short, one is cancelled and one comes back. */
const ONE_OF = 8;
const CUSTOMERS = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Emmy Noether", "Sophie Germain", "Isaac Newton"];

/** The next thing of those that are to be done; where there is none, an order or a delivery arrives. */
export async function moveOn(of: Of, ask: Ask, commandId: string): Promise<string> {
  for (const work of await workIn(of.warehouse_id)) {
    const done = await unlessRefused(doWork(of, ask, work));
    if (done) return done;
  }
  const ordered = await orderStock(of, ask, commandId);
  if (ordered) return `${ordered} is expected`;
  const [byte = 0] = bytesOf(commandId);
  const scenario = (["short", "cancellation", "return"] as const)[byte % ONE_OF] ?? "order";
  return `${await orderOf(of, ask, scenario, commandId)} came in`;
}

/** What one scenario is, from its beginning to its end. */
export async function stepOf(of: Of, ask: Ask, scenario: Scenario, commandId: string): Promise<SandboxStep> {
  const isDelivery = scenario === "receipt";
  if (!isDelivery) await stockUp(of, ask, commandId);
  const number = await (isDelivery ? delivery(of, ask, commandId) : orderOf(of, ask, scenario, commandId));
  const done = [`${number} ${isDelivery ? "is expected" : "came in"}`];
  for (let left = MOST_MOVES; left > 0; left--) {
    const [work] = await workIn(of.warehouse_id, number);
    if (!work) break;
    const refused = (error: unknown) => {
      if (error instanceof Refused) return error;
      throw error;
    };
    const came = await doWork(of, ask, work).catch(refused);
    done.push(typeof came === "string" ? came : `${number} waits: ${came.message}`);
    if (typeof came !== "string") break;
  }
  return { scenario, number, done };
}

/** More than any scenario has. */
const MOST_MOVES = 30;

async function unlessRefused(doing: Promise<string>): Promise<string | undefined> {
  try {
    return await doing;
  } catch (error) {
    // What cannot go on now, such as for want of stock, is tried again by the next move.
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

function doWork(of: Of, ask: Ask, { kind, id, number, scenario }: SandboxWork): Promise<string> {
  const key = (what: string) => `sandbox:${of.sandbox_id}:${what}:${id}`;
  switch (kind) {
    case "count":
      return count(of, ask, id, key("count"));
    case "walk":
      return walk(ask, id, number, scenario, key);
    case "pack":
      return pack(ask, id, number, key);
    case "ship":
      return ship(ask, id, number, key("ship"));
    case "receive":
      return receive(of, ask, id, number, key("receive"));
    case "send back":
      return sendBack(ask, id, number, key("return"));
    case "take back":
      return takeBack(of, ask, id, number, key("take-back"));
    case "begin":
      return scenario === "cancellation"
        ? cancel(ask, id, number, key("cancel"))
        : begin(of, ask, id, number, key("wave"));
  }
}

const bytesOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The number of what a command makes: the same command makes the same again. */
const numberOf = ({ warehouse_code }: Of, commandId: string, what = "") =>
  `${warehouse_code}-${what}${bytesOf(commandId).subarray(0, 4).toString("hex").toUpperCase()}`;

/** An order of one or two items. Its memo says what becomes of it: `short`, `cancellation` or `return`. */
async function orderOf(of: Of, ask: Ask, scenario: Scenario, commandId: string): Promise<string> {
  const items = await itemsOfSandbox(of.sandbox_id);
  const [, , , , , customer = 0, first = 0, more = 0, units = 0] = bytesOf(commandId);
  const lines = [first, first + 1 + (more % (items.length - 1))].slice(0, 1 + (more % 2)).map((place, line) => ({
    item_id: items[place % items.length]?.item_id,
    quantity_ordered: 2 + ((units + line) % 3),
  }));
  const so_number = numberOf(of, commandId);
  await ask(
    "POST /api/admin/sales-orders",
    {
      ...{ so_number, warehouse_id: of.warehouse_id, lines, customer_name: CUSTOMERS[customer % CUSTOMERS.length] },
      ...{ ship_address: `${1 + (customer % 200)} Main Street`, ship_method: "UPS Ground", memo: scenario },
    },
    `sandbox:${of.sandbox_id}:order:${so_number}`,
  );
  return so_number;
}

/** Has ordered what runs low; undefined where nothing does. */
async function orderStock(of: Of, ask: Ask, commandId: string): Promise<string | undefined> {
  const items = await itemsOfSandbox(of.sandbox_id);
  return items.some(({ available }) => available < LOW) ? delivery(of, ask, commandId) : undefined;
}

async function stockUp(of: Of, ask: Ask, commandId: string): Promise<void> {
  const number = await orderStock(of, ask, commandId);
  for (const work of number ? await workIn(of.warehouse_id, number) : []) await doWork(of, ask, work);
}

/** A delivery of what there is least of. */
async function delivery(of: Of, ask: Ask, commandId: string): Promise<string> {
  const items = (await itemsOfSandbox(of.sandbox_id)).toSorted((a, b) => a.available - b.available).slice(0, 3);
  const po_number = numberOf(of, commandId, "PO-");
  const lines = items.map(({ item_id, available }) => ({
    item_id,
    quantity_ordered: Math.max(LOW, UP_TO - available),
  }));
  const body = { po_number, warehouse_id: of.warehouse_id, vendor_name: "Northwind Ceramics", lines };
  // What is there may have changed since the request that is repeated: the order itself says whether it was made.
  await ask("POST /api/admin/purchase-orders", body).catch((error) => {
    if (!(error instanceof Refused) || error.kind !== PoExists.kind) throw error;
  });
  return po_number;
}

/** The shelf of each item. */
const shelvesOf = async ({ sandbox_id }: Of) =>
  new Map((await itemsOfSandbox(sandbox_id)).map(({ item_id, bin_id }) => [item_id, bin_id]));

async function receive(of: Of, ask: Ask, po_id: number, number: string, key: string): Promise<string> {
  const shelves = await shelvesOf(of);
  const { lines } = await ask(`GET /api/receiving/po/${encodeURIComponent(number)}`);
  const items = lines
    .filter((line: Line) => line.quantity_remaining > 0)
    .map(({ item_id, quantity_remaining: quantity }: Line) => ({ item_id, quantity, bin_id: shelves.get(item_id) }));
  await ask("POST /api/receiving/receive", { po_id, items }, key);
  return `${number} is received`;
}

interface Line {
  item_id: number;
  sku: string;
  quantity_remaining: number;
  quantity_ordered: number;
  quantity_picked: number;
  quantity_packed: number;
}

async function begin(of: Of, ask: Ask, so_id: number, number: string, key: string): Promise<string> {
  await ask("POST /api/picking/wave-create", { so_ids: [so_id], warehouse_id: of.warehouse_id }, key);
  return `${number} is in a wave`;
}

async function cancel(ask: Ask, so_id: number, number: string, key: string): Promise<string> {
  await ask(`POST /api/admin/sales-orders/${so_id}/cancel`, {}, key);
  return `${number} is cancelled`;
}

/** Goes to the next bin of a walk, or ends it. */
async function walk(
  ask: Ask,
  batch_id: number,
  number: string,
  scenario: string | null,
  key: (what: string) => string,
): Promise<string> {
  const { pick_task_id, sku, quantity_to_pick } = await ask(`GET /api/picking/batch/${batch_id}/next`);
  if (pick_task_id === undefined) {
    await ask("POST /api/picking/complete-batch", { batch_id }, key("complete"));
    return `${number} is picked`;
  }
  const of = key(`pick:${pick_task_id}`);
  if (scenario === "short") {
    const quantity_available = quantity_to_pick - 1;
    await ask("POST /api/picking/short", { pick_task_id, quantity_available, reason: "Simulated" }, of);
    return `${number}: ${quantity_available} of ${quantity_to_pick} ${sku} are found`;
  }
  const found = { pick_task_id, scanned_barcode: sku, quantity_picked: quantity_to_pick };
  await ask("POST /api/picking/confirm", found, of);
  return `${number}: ${quantity_to_pick} ${sku} are picked`;
}

async function pack(ask: Ask, so_id: number, number: string, key: (what: string) => string): Promise<string> {
  const { lines } = await ask(`GET /api/packing/order/${encodeURIComponent(number)}`);
  for (const { sku, quantity_picked, quantity_packed } of lines as Line[]) {
    const quantity = quantity_picked - quantity_packed;
    if (quantity > 0)
      await ask("POST /api/packing/verify", { so_id, scanned_barcode: sku, quantity }, key(`pack:${sku}`));
  }
  await ask("POST /api/packing/complete", { so_id }, key("packed"));
  return `${number} is packed`;
}

async function ship(ask: Ask, so_id: number, number: string, key: string): Promise<string> {
  await ask("POST /api/shipping/fulfill", { so_id, carrier: "UPS", tracking_number: `1Z-${number}` }, key);
  return `${number} is shipped`;
}

/** The customer sends one unit back. */
async function sendBack(ask: Ask, so_id: number, number: string, key: string): Promise<string> {
  const { lines } = await ask(`GET /api/admin/sales-orders/${so_id}`);
  const sent = lines.find((line: { quantity_shipped: number }) => line.quantity_shipped > 0);
  const body = { lines: [{ item_id: sent?.item_id, quantity: 1 }], memo: "not as expected" };
  const { so_number } = await ask(`POST /api/admin/sales-orders/${so_id}/create-rma`, body, key);
  return `${so_number} comes back of ${number}`;
}

async function takeBack(of: Of, ask: Ask, so_id: number, number: string, key: string): Promise<string> {
  const { lines } = await ask(`GET /api/admin/sales-orders/${so_id}`);
  const shelves = await shelvesOf(of);
  const { item_id, quantity_ordered: quantity } = lines[0] as Line;
  const body = { item_id, quantity, warehouse_id: of.warehouse_id, bin_id: shelves.get(item_id) };
  await ask(`POST /api/admin/sales-orders/${so_id}/receive-return`, body, key);
  return `${number} is received`;
}

/** Finds in a bin what the books have there. */
async function count(of: Of, ask: Ask, count_id: number, key: string): Promise<string> {
  const { cycle_count, lines } = await ask(`GET /api/inventory/cycle-count/${count_id}`);
  const { bin_code } = cycle_count;
  const at = `${encodeURIComponent(bin_code)}?warehouse_id=${of.warehouse_id}`;
  const { items } = await ask(`GET /api/lookup/bin/${at}`);
  const counted = (lines as { count_line_id: number; item_id: number }[]).map(({ count_line_id, item_id }) => ({
    count_line_id,
    counted_quantity: (items as { item_id: number; quantity_on_hand: number }[])
      .filter((item) => item.item_id === item_id)
      .reduce((sum, item) => sum + item.quantity_on_hand, 0),
  }));
  await ask("POST /api/inventory/cycle-count/submit", { count_id, lines: counted }, key);
  return `bin ${bin_code} is counted`;
}
