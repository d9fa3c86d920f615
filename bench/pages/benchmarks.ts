import { desk, floor, orderFlow, programs } from "../cases/index.js";
import { completeBatch, waveCreate } from "../cases/picking.js";
import { type Size, sizeOf } from "../data.js";
import type { Row } from "../report.js";
import { rounded } from "../rounded.js";
import type { Events, House, Published } from "./figures.js";
import { chapter, markdownTable, number, pageOf } from "./markdown.js";
import { recovery } from "./recovery.js";
import { simulation } from "./simulation.js";

const LARGE = 1_000;

/** docs/benchmarks.md */
export const benchmarksPage = (published: Published): string =>
  pageOf([
    "# Benchmarks",
    `How fast the service is, how it grows, and how soon it is back, on machines that each chapter names. A program
wrote this page from the figures in \`figures/\`, which those programs wrote that measured them
([how](develop/speed.md#published-figures)). Many buyers of one item have [a page of their own](contention.md).`,
    "## Requests",
    chapter(published.floor, "npm run bench -- --page", requests),
    "## Events to webhooks and channels",
    chapter(published.events, "npm run bench -- --page", events),
    "## Recovery",
    `A [simulated day](simulate.md) goes on behind the proxy of \`docker-compose.yml\`, four hours of it in a minute,
with three APIs, three workers, Temporal's server and a Postgres with its standby, while one part after the other fails:
the seconds until each step of an order, from its creation to its shipment, was done once more. What hangs, is cut off
or slow is so for 10 s, and Postgres is away for as long before it is started again
([what happens then](operations.md#when-a-part-is-away)).`,
    recovery(published),
    "## Growth",
    ...growth(published.houses),
    "## Days with faults",
    simulation(published),
  ]);

function requests(rows: Row[]): string[] {
  const tableOf = (name: string, some: { name: string }[]) =>
    markdownTable(
      [name, "a second", "p50 at 1", "p99 at 1", "p50 at 16", "p99 at 16", "limit", "of limit"],
      some.flatMap(({ name }) => rows.filter((row) => row.name === name).map(requestCells)),
    );
  const flow = rows.find((row) => row.name === orderFlow.name);
  const orders = flow && [
    `**${number(rounded(flow.rps * 3_600))} orders an hour**: orders of two lines, from their creation over waves of
eight, scans, packing and parcels to their shipment, by eight people at once, all over HTTP. From the creation of the
eight orders of a wave to their shipment it takes ${number(rounded(flow.p50_ms_c16 / 1_000))} s (p50; p99
${number(rounded(flow.p99_ms_c16 / 1_000))} s).`,
  ];
  return [
    `Postgres (with \`fsync\`), Temporal, one API process, one worker and the client share the machine. Requests a
second over 16 connections; times of one request in milliseconds, at 1 and at 16 connections. The warehouse:
${sizes(sizeOf(1))}. The **limit** is the machine's own: the same statements in the same transactions over 16
connections of Postgres, without HTTP, checks and workflows. One run of each, nothing left out; of
${waveCreate.name} and ${completeBatch.name} it is ${waveCreate.works} requests, so their p99 is the slowest.`,
    tableOf("Floor", floor),
    tableOf("Desk", desk),
    tableOf("Programs", programs),
    ...(orders ?? []),
  ];
}

const requestCells = (row: Row) => [
  ...[row.name, row.rps, row.p50_ms_c1, row.p99_ms_c1, row.p50_ms_c16, row.p99_ms_c16, row.limit_rps, row.ratio],
];

function sizes({ items, bins, salesOrders, reserves, events }: Size): string {
  const counts = { items, bins, "stock rows": items * (2 + reserves), orders: salesOrders, events };
  return Object.entries(counts)
    .map(([name, count]) => `${number(count)} ${name}`)
    .join(", ");
}

function events({ webhooks, channels }: Events): string[] {
  const { one_per_s, ten_per_s, slow_one_per_s, end_to_end_ms, beside_slow_ms } = webhooks;
  const times = ({ p50, p95, p99 }: { p50: number; p95: number; p99: number }) => [p50, p95, p99];
  return [
    markdownTable(
      ["From the commit to the arrival, ms", "p50", "p95", "p99"],
      [
        ["availability to a channel, 1,000 items a second", ...times(channels.end_to_end_ms)],
        ["events to ten webhooks, 50 a second to each", ...times(end_to_end_ms)],
        ["events to 40 webhooks, beside 20 that answer after 7 s", ...times(beside_slow_ms)],
      ],
    ),
    `Of ${number(channels.changes)} changes of availability ${number(channels.within_a_second)} were out within a
second, the last after ${number(channels.end_to_end_ms.most)} ms. Events are readable two seconds after their commit,
which every webhook waits for.`,
    markdownTable(
      ["Most", "a second"],
      [
        ["items of a whole availability to a channel", channels.whole_per_s],
        ["deliveries to one webhook, in order", one_per_s],
        ["deliveries to ten webhooks", ten_per_s],
        ["to one that answers after 50 ms, in order", slow_one_per_s.subscription],
        ["to one that answers after 50 ms, in order by aggregate", slow_one_per_s.aggregate],
      ],
    ),
  ];
}

function growth(houses: Published["houses"]): string[] {
  const command = `npm run bench -- --house ${LARGE} --page`;
  const hasLarge = houses.some(({ figures }) => figures.times === LARGE);
  return [
    ...houses.map((house) => chapter(house, house.command, houseParagraphs)),
    ...(hasLarge ? [] : [`The house of a million orders was not measured; \`${command}\` does.`]),
  ];
}

function houseParagraphs({ times, small, large, rows, lists }: House): string[] {
  const cells = rows
    .filter(({ name }) => !name.endsWith(` x${times}`))
    .flatMap((row) => {
      const other = rows.find(({ name }) => name === `${row.name} x${times}`);
      if (!other) return [];
      const { rps, p50_ms_c1 } = row;
      return [[row.name, rps, other.rps, p50_ms_c1, other.p50_ms_c1, rounded(other.p50_ms_c1 / p50_ms_c1)]];
    });
  return [
    `### A house of ${number(large.salesOrders)} orders`,
    `It has ${sizes(large)}; the small one
${sizes(small)}. Requests a second over 16 connections, and the p50 of one request at one connection in
milliseconds, in both; the best of three runs each, in which the two take turns.`,
    markdownTable(["Request", "small", "large", "p50 small", "p50 large", "times"], cells),
    `Pages of lists, the first, the middle and the last one, in each order, by each filter and each search:
${number(lists.within_30_ms)} of ${number(lists.asked)} came within 30 ms the first time, with their count. The
slowest, in milliseconds:`,
    markdownTable(
      ["Page", "first", "again"],
      lists.slowest.map(({ path, first_ms, ms }) => [`\`${path.replaceAll("|", "\\|")}\``, first_ms, ms]),
    ),
  ];
}
