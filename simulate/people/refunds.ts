import { type Day, due } from "../day.js";
import type { Caller } from "../http/caller.js";
import type { House, Sale } from "../site/site.js";
import { atTill, inCash, PRICE_CENTS } from "./counter.js";

/** Customers bring back to the till what they bought at it: all of a sale, or one unit of it. */

const REFUND = "/api/v1/pos/refund";
const SECONDS = { idle: 60 };
/** The till loses the answer of one in so many, and asks again. */
const REFUNDS_FOR_A_REPEAT = 3;

export async function refunds(day: Day, house: House, till: Caller): Promise<void> {
  for (; !day.clock.over; await day.clock.seconds(SECONDS.idle)) {
    const back = due(house.toRefund, day.clock.minute);
    if (back) await refund(day, house, till, back.sale);
  }
}

async function refund({ figures }: Day, house: House, till: Caller, { so_number, line }: Sale): Promise<void> {
  const before = figures.of("refunds");
  const isWhole = before % 2 === 0;
  const quantity = isWhole ? line.quantity : 1;
  const call = {
    body: {
      ...atTill(),
      ...{ original_so_id: so_number, refund_summary: inCash(PRICE_CENTS * quantity) },
      // Without lines all of it goes back into the bin of the sale.
      ...(!isWhole && { lines: [{ ...line, quantity, warehouse_id: house.code }] }),
    },
    expected: ["rate_limited"],
  };
  const refunded = await till.post(REFUND, call);
  if (!refunded.ok) return;
  figures.add("refunds");
  figures.add("unitsRefunded", quantity);
  if (before % REFUNDS_FOR_A_REPEAT > 0) return;
  await till.repeat(REFUND, call, refunded);
  figures.add("repeats");
}
