import { pace } from "../choices.js";
import type { Day } from "../day.js";
import type { Json } from "../http/caller.js";
import type { Random } from "../random.js";
import type { House } from "../site/site.js";

/**
 * A counter counts a shelf now and then and the bins that were picked short, errs now and then, and somebody else
 * decides about what is missing.
 */

const ERROR = 0.08;
const SECONDS = { pause: 900, line: 30 };

export async function counting(day: Day, house: House, random: Random): Promise<void> {
  const { clock } = day;
  for (;;) {
    await clock.seconds(pace(SECONDS.pause, random));
    if (clock.over) return;
    const by = house.people.counter;
    const { warehouse_id } = house;
    const asked = await by.get("/api/inventory/cycle-counts/open", { query: { warehouse_id } });
    for (const { count_id, bin_code } of asked.ok ? asked.body.counts : [])
      await count(day, house, count_id, bin_code, random);
    const { bin_id, bin_code } = random.one(house.shelves);
    const created = await by.post("/api/inventory/cycle-count/create", { body: { warehouse_id, bin_ids: [bin_id] } });
    if (created.ok) await count(day, house, created.body.counts[0].count_id, bin_code, random);
  }
}

async function count(day: Day, house: House, count_id: number, bin_code: string, random: Random): Promise<void> {
  const { clock, figures } = day;
  const by = house.people.counter;
  const shown = await by.get("/api/inventory/cycle-count/:count_id", { params: { count_id } });
  // What lies there is read from the bin, because a count may be blind.
  const bin = await by.get("/api/lookup/bin/:barcode", { params: { barcode: `${house.code}-${bin_code}` } });
  if (!shown.ok || !bin.ok || shown.body.lines.length === 0) return;
  await clock.seconds(pace(SECONDS.line, random) * shown.body.lines.length);
  const lines = shown.body.lines.map(({ count_line_id, item_id }: Json) => {
    const there = bin.body.items
      .filter((item: Json) => item.item_id === item_id)
      .reduce((sum: number, item: Json) => sum + item.quantity_on_hand, 0);
    const error = random.chance(ERROR) ? random.between(-2, 2) : 0;
    return { count_line_id, counted_quantity: Math.max(0, there + error) };
  });
  const submitted = await by.post("/api/inventory/cycle-count/submit", { body: { count_id, lines } });
  if (!submitted.ok) return;
  figures.add("counts");
  const adjustments: number[] = submitted.body.summary.adjustments.map((one: Json) => one.adjustment_id);
  figures.add("variances", adjustments.length);
  if (adjustments.length > 0) await decide(day, adjustments);
}

/** Approves; what is promised to a picker is rejected, and will be counted again. */
async function decide({ site }: Day, adjustments: number[]): Promise<void> {
  const review = (action: "approve" | "reject", expected: string[]) =>
    site.supervisor.post("/api/admin/adjustments/review", {
      body: { decisions: adjustments.map((adjustment_id) => ({ adjustment_id, action })) },
      expected,
    });
  const approved = await review("approve", ["promised_to_picks"]);
  if (!approved.ok) await review("reject", []);
}
