import { pace } from "../choices.js";
import type { Day } from "../day.js";
import type { Caller, Json } from "../http/caller.js";
import type { Random } from "../random.js";
import type { House, Item, Order } from "../site/site.js";

/** Pickers take waves and transfer orders, walk, scan, and now and then scan the wrong thing or find too little. */

const WRONG_SCAN = 0.02;
const SHORT = 0.015;
/** Of a walk whose length is unknown so many seconds from bin to bin; else so many at a bin, and the way there. */
const SECONDS = { ticket: 4, walk: 22, stop: 10, unit: 3, wrong: 6, idle: 60 };
const METRES_PER_SECOND = 1.1;
const MOST_TASKS_LOST = 5;
/** A wave begins with so many orders, or when one has waited so many minutes. */
const WAVE = { orders: 3, minutes: 6 };

/** The order was cancelled meanwhile, or somebody else was faster. */
const notToPick = ["scan_not_open", "scan_in_wave", "scan_without_items"];
const noWave = ["order_not_open", "order_in_wave", "order_without_items", "all_excluded"];
const taskGone = ["task_not_found", "task_not_pending", "picks_more_than_task"];

export async function picker(day: Day, house: House, by: Caller, random: Random): Promise<void> {
  const { clock, figures } = day;
  while (!clock.over) {
    const began = clock.minute;
    const transfer = house.transfers.shift();
    if (transfer !== undefined) await walkTransfer(day, house, by, transfer, random);
    else {
      const walked = day.planned
        ? await nextWave(day, house, by, random)
        : isWorthAWave(house, began) &&
          (await wave(day, house, by, house.toPick.splice(0, random.between(3, 8)), random));
      if (!walked) {
        await clock.seconds(SECONDS.idle);
        continue;
      }
    }
    figures.pickingMinutes += clock.minute - began;
  }
}

function isWorthAWave({ toPick }: House, minute: number): boolean {
  const [oldest] = toPick;
  return toPick.length >= WAVE.orders || (oldest !== undefined && minute - (oldest.since ?? 0) >= WAVE.minutes);
}

/** A wave of orders that the picker scans; false where there was none. */
async function wave(day: Day, house: House, by: Caller, tickets: Order[], random: Random): Promise<boolean> {
  const { clock, figures } = day;
  const { warehouse_id } = house;
  const orders: Order[] = [];
  for (const order of tickets) {
    await clock.seconds(pace(SECONDS.ticket, random));
    const body = { so_barcode: order.so_number, warehouse_id };
    const scanned = await by.post("/api/picking/wave-validate", { body, expected: notToPick });
    if (scanned.ok) orders.push(order);
  }
  const batch = orders.length > 0 && (await begin(house, by, orders, figures));
  if (!batch) return false;
  const picked = new Set(await walkToTheEnd(day, by, batch, random));
  pickedTo(
    house,
    figures,
    orders.filter(({ so_number }) => picked.has(so_number)),
  );
  return true;
}

/** The next wave that the system released; false where none waits. */
async function nextWave(day: Day, house: House, by: Caller, random: Random): Promise<boolean> {
  const { warehouse_id, released } = house;
  const next = await by.post("/api/picking/next-batch", { body: { warehouse_id }, expected: ["no_batch_waits"] });
  if (!next.ok) return false;
  const picked = await walkToTheEnd(day, by, next.body, random);
  pickedTo(
    house,
    day.figures,
    picked.flatMap((number) => released.get(number) ?? []),
  );
  for (const number of picked) released.delete(number);
  return true;
}

/** Walks a wave and ends it; gives the numbers of the orders that are picked. */
async function walkToTheEnd(day: Day, by: Caller, { batch_id, walk: length }: Json, random: Random): Promise<string[]> {
  day.figures.add("waves");
  day.figures.walked(length);
  await walk(day, by, batch_id, random, length?.metres);
  const done = await by.post("/api/picking/complete-batch", { body: { batch_id }, expected: ["batch_not_active"] });
  return done.ok ? done.body.summary.orders.map(({ so_number }: Json) => so_number) : [];
}

function pickedTo(house: House, figures: Day["figures"], orders: Order[]): void {
  figures.add("ordersPicked", orders.length);
  house.toPack.push(...orders);
}

/** Makes the wave; orders that the shelves cannot cover wait until something has come in. */
async function begin(house: House, by: Caller, orders: Order[], figures: Day["figures"]): Promise<Json> {
  const exclude = new Set<number>();
  for (let tries = 0; tries < 3; tries++) {
    const answer = await by.post("/api/picking/wave-create", {
      body: {
        ...{ so_ids: orders.map(({ so_id }) => so_id), warehouse_id: house.warehouse_id },
        ...(exclude.size > 0 && { exclude_so_ids: [...exclude] }),
      },
      expected: ["insufficient_coverage", ...noWave],
    });
    if (answer.ok) return answer.body;
    if (answer.code !== "insufficient_coverage") break;
    for (const { so_id } of answer.body.unpickable) exclude.add(so_id);
    const left = orders.filter(({ so_id }) => exclude.has(so_id) && !house.waiting.some((w) => w.so_id === so_id));
    for (const order of left) house.waiting.push({ ...order, leftOut: (order.leftOut ?? 0) + 1 });
    figures.add("leftOut", left.length);
    if (exclude.size === orders.length) return undefined;
  }
  // One of them was cancelled between scan and wave: the others are scanned again.
  house.toPick.push(...orders.filter(({ so_id }) => !exclude.has(so_id)));
  return undefined;
}

/** From bin to bin until all tasks are done. */
async function walk(day: Day, by: Caller, batch_id: number, random: Random, metres?: number): Promise<void> {
  const { clock, figures, site } = day;
  for (let lost = 0; lost < MOST_TASKS_LOST; ) {
    const next = await by.get("/api/picking/batch/:batch_id/next", { params: { batch_id } });
    if (!next.ok || next.body.pick_task_id === undefined) return;
    const { pick_task_id, upc, quantity_to_pick, total_picks } = next.body;
    const seconds = metres === undefined ? SECONDS.walk : SECONDS.stop + metres / total_picks / METRES_PER_SECOND;
    await clock.seconds(pace(seconds, random) + pace(SECONDS.unit, random) * quantity_to_pick);
    if (random.chance(WRONG_SCAN)) await scanWrong(day, by, pick_task_id, upc, random);
    const isShort = random.chance(SHORT);
    const done = isShort
      ? await by.post("/api/picking/short", {
          body: { pick_task_id, quantity_available: random.below(quantity_to_pick) },
          expected: taskGone,
        })
      : await by.post("/api/picking/confirm", {
          body: { pick_task_id, scanned_barcode: upc, quantity_picked: quantity_to_pick },
          expected: taskGone,
        });
    if (!done.ok) lost++;
    else figures.add(isShort ? "shorts" : "linesPicked");
  }
  site.office.measure.surprise(`batch ${batch_id}: ${MOST_TASKS_LOST} tasks were refused`);
}

async function scanWrong({ site, figures, clock }: Day, by: Caller, pick_task_id: number, upc: string, random: Random) {
  const other = random.one(site.items.filter((item: Item) => item.upc !== upc));
  const answer = await by.post("/api/picking/confirm", {
    body: { pick_task_id, scanned_barcode: other.upc, quantity_picked: 1 },
    expected: ["wrong_item", ...taskGone],
  });
  if (answer.ok) site.office.measure.surprise("post /api/picking/confirm: a wrong barcode was accepted");
  figures.add("wrongScans");
  await clock.seconds(pace(SECONDS.wrong, random));
}

/** Units for another warehouse, which somebody else approves. */
async function walkTransfer(day: Day, house: House, by: Caller, to_id: number, random: Random): Promise<void> {
  const started = await by.post("/api/admin/transfer-orders/:to_id/start-picking", {
    params: { to_id },
    expected: ["no_lines_to_pick", "no_pickable_inventory", "invalid_status_for_start_picking"],
  });
  if (!started.ok) return;
  const { batch_id } = started.body;
  await walk(day, by, batch_id, random);
  const done = await by.post("/api/picking/complete-batch", { body: { batch_id }, expected: ["batch_not_active"] });
  if (!done.ok || !done.body.transfer?.to_approval_id) return;
  const { to_approval_id } = done.body.transfer;
  const approved = await day.site.supervisor.post(
    "/api/admin/transfer-orders/:to_id/approvals/:to_approval_id/approve",
    { params: { to_id, to_approval_id }, expected: ["approval_snapshot_empty", "approval_not_pending"] },
  );
  if (approved.ok) day.figures.add("transfers");
  // What a short pick left behind is looked for once more.
  if (approved.ok && !approved.body.to_closed) house.transfers.push(to_id);
}
