import { pace } from "../choices.js";
import type { Day } from "../day.js";
import type { Json } from "../http/caller.js";
import type { Random } from "../random.js";
import type { House } from "../site/site.js";

/**
 * A lead has the system plan and release waves when few wait for pickers: the more orders are planned at once, the
 * nearer those of a wave lie to each other.
 */

const SECONDS = { round: 60 };
const GROUP = { max_orders: 8 };
const LONGEST_WAIT_MINUTES = 8;
const FEW_WAVES = 2;

export async function planner(day: Day, house: House, random: Random): Promise<void> {
  for (;;) {
    await day.clock.seconds(pace(SECONDS.round, random));
    if (day.clock.over) return;
    if (isWorthAWave(house, day.clock.minute) && (await wavesWaiting(day, house)) < FEW_WAVES)
      await release(day, house);
  }
}

async function wavesWaiting({ site }: Day, { warehouse_id }: House): Promise<number> {
  const work = await site.office.get("/api/work", { query: { warehouse_id, limit: 1 } });
  return work.ok ? work.body.wave.total : FEW_WAVES;
}

function isWorthAWave({ toPick }: House, minute: number): boolean {
  const [oldest] = toPick;
  const waits = oldest ? minute - (oldest.since ?? 0) : 0;
  return toPick.length >= GROUP.max_orders || waits >= LONGEST_WAIT_MINUTES;
}

/** Releases what the shelves cover of all open orders; the others wait until something has come in. */
async function release({ site, figures }: Day, house: House): Promise<void> {
  const { warehouse_id, released } = house;
  const known = new Map([...house.waiting, ...house.toPick].map((order) => [order.so_number, order]));
  const answer = await site.office.post("/api/admin/waves/release", { body: { warehouse_id, group: GROUP } });
  if (!answer.ok) return;
  const { batches, uncovered, lost } = answer.body;
  const toPick = new Set(house.toPick.splice(0).map(({ so_number }) => so_number));
  for (const { so_ids, so_numbers } of batches)
    so_numbers.forEach((so_number: string, i: number) => {
      released.set(so_number, known.get(so_number) ?? { so_id: so_ids[i], so_number });
    });
  house.waiting = house.waiting.filter(({ so_number }) => !released.has(so_number));
  const left = [...uncovered, ...lost].flatMap(({ so_number }: Json) => {
    const order = toPick.has(so_number) && known.get(so_number);
    return order ? [{ ...order, leftOut: (order.leftOut ?? 0) + 1 }] : [];
  });
  house.waiting.push(...left);
  figures.add("leftOut", left.length);
}
