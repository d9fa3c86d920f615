import { pace } from "../choices.js";
import type { Day } from "../day.js";
import type { Json } from "../http/caller.js";
import type { Random } from "../random.js";
import type { House } from "../site/site.js";

/** Who puts goods away tidies the shelves, too: some units of an item go to another one. */

const SECONDS = { pause: 240 };
const MOST_UNITS = 5;

export async function tidying(day: Day, house: House, random: Random): Promise<void> {
  const { clock, figures } = day;
  const by = house.people.putAway;
  for (;;) {
    await clock.seconds(pace(SECONDS.pause, random));
    if (clock.over) return;
    const [from, to] = [random.one(house.shelves), random.one(house.shelves)];
    const shown = await by.get("/api/lookup/bin/:barcode", { params: { barcode: `${house.code}-${from.bin_code}` } });
    const items = shown.ok ? shown.body.items.filter((item: Json) => item.quantity_on_hand > 0) : [];
    if (from === to || items.length === 0) continue;
    const { item_id, quantity_on_hand } = random.one<Json>(items);
    const quantity = random.between(1, Math.min(MOST_UNITS, quantity_on_hand));
    const moved = await by.post("/api/transfers/move", {
      body: { item_id, from_bin_id: from.bin_id, to_bin_id: to.bin_id, quantity },
      expected: ["insufficient_stock"],
    });
    if (moved.ok) figures.add("moves");
  }
}
