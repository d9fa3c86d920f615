import type { Contended } from "../contention.js";
import type { Published } from "./figures.js";
import { chapter, markdownTable, number, pageOf } from "./markdown.js";

/** docs/contention.md */
export const contentionPage = ({ contention }: Published): string =>
  pageOf([
    "# One item, many buyers",
    `What happens when many want the same item at the same moment. Each buyer has a connection of his own and buys a
unit at a time until he is told that none is left, so the last units are wanted by all of them at once. Rows decide:
the program that measures this compares what buyers were told with the stock and with the orders' lines, and fails
where a unit was sold twice, or not at all. It wrote this page, too ([how](develop/speed.md#published-figures)).`,
    chapter(contention, "npm run bench -- --page --only contention", (all) => [
      ...section(
        all,
        "till",
        "At the till",
        "A sale of one unit that leaves stock at once (`POST /api/v1/pos/checkout`).",
      ),
      ...section(
        all,
        "order",
        "By an order",
        "An order for one unit, which reserves it (`POST /api/admin/sales-orders`); without one it waits for stock.",
      ),
      `Sold are the units that buyers were told they have, booked those that the lines of orders have, left those that
are free on the shelf. Sales a second, and milliseconds from a buyer's first request to the answer that a unit is his,
with those in which he was asked to come again (503: others held the stock for too long) and did so.`,
    ]),
  ]);

const section = (all: Contended[], way: Contended["way"], title: string, what: string): string[] => [
  `## ${title}`,
  what,
  markdownTable(
    ["Buyers", "units", "sold", "booked", "left", "a second", "p50", "p95", "p99", "asked again"],
    all
      .filter((one) => one.way === way)
      .map(({ buyers, units, sold, booked, left, sold_per_s, p50_ms, p95_ms, p99_ms, again }) => [
        ...[number(buyers), units, sold, booked, left, sold_per_s, p50_ms, p95_ms, p99_ms, again],
      ]),
  ),
];
