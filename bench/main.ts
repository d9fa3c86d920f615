import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../src/launcher/postgres.js";
import { onStopRequest } from "../src/launcher/stop-request.js";
import { startTemporal } from "../src/launcher/temporal-server.js";
import { compareWith } from "./against.js";
import type { Case } from "./case.js";
import {
  adjustmentImport,
  dashboards,
  itemImport,
  itemList,
  itemListSearch,
  salesOrderImport,
  salesOrderList,
  searching,
} from "./cases/admin.js";
import { eventCommits } from "./cases/events.js";
import { orderFlow } from "./cases/flow.js";
import { inboundItem, inboundRepeat, inboundSalesOrder } from "./cases/inbound.js";
import { login } from "./cases/login.js";
import { pack, ship, stationShip, verify } from "./cases/packing.js";
import { completeBatch, confirm, waveCreate } from "./cases/picking.js";
import { eventsPage, largeEventsPage } from "./cases/polling.js";
import { posAvailability, posCheckout } from "./cases/pos.js";
import { itemSearch, lookup, purchaseOrder } from "./cases/reads.js";
import { snapshot } from "./cases/snapshot.js";
import { move, putAway, receiving, receivingAwaited } from "./cases/stock.js";
import { transferApprove } from "./cases/transfers.js";
import { measureChannels } from "./channels.js";
import { houseOf, sizeOf } from "./data.js";
import { measureLists } from "./lists.js";
import { type Row, table } from "./report.js";
import { runCase } from "./run.js";
import { type BenchService, openService } from "./service.js";
import { measureStart } from "./start.js";
import { measureSync } from "./sync.js";
import { takeTurns } from "./turns.js";
import { measureWebhooks } from "./webhooks.js";

/**
 * `npm run bench`: how fast the service is on this machine (docs/house.md, Speed).
 *   --only lookup,confirm   these alone; `start` is the second start and the idle memory, `webhooks` and
 *                           `channels` what is sent to them, `sync` a shop whose items are fetched
 *   --json                  for programs
 *   --against ../other      compares with another checkout, in the small warehouse; `--seconds 60` for each case
 *   --house 1000            in the smallest warehouse and in a house of a million orders: what the floor waits for, and
 *                           each page of each list
 *   --quick                 whether it works at all: a few requests, in the small warehouse alone
 *   --turns                 what `--against` asks of both: a line on the standard input is a case and its works
 */
const cases: Case[] = [
  lookup,
  itemSearch,
  purchaseOrder,
  receiving,
  putAway,
  move,
  waveCreate,
  confirm,
  completeBatch,
  verify,
  pack,
  ship,
  stationShip,
  transferApprove,
  posAvailability,
  posCheckout,
  login,
  itemList,
  itemListSearch,
  salesOrderList,
  searching,
  dashboards,
  itemImport,
  adjustmentImport,
  salesOrderImport,
  inboundItem,
  inboundRepeat,
  inboundSalesOrder,
  snapshot,
  orderFlow,
  eventCommits,
  eventsPage,
  largeEventsPage,
  // Last: its orders would stand in the lists of the others.
  receivingAwaited,
];
const START = "start";
const WEBHOOKS = "webhooks";
const CHANNELS = "channels";
const SYNC = "sync";
/** What somebody on the floor or a partner waits for. */
const hot = [lookup, itemSearch, purchaseOrder, receiving, putAway, move, waveCreate, confirm, completeBatch, ship]
  .concat(itemList, salesOrderList, searching, dashboards, eventsPage)
  .map((it) => it.name);
const names = [START, WEBHOOKS, CHANNELS, SYNC, ...cases.map((it) => it.name)];

const { values: args } = parseArgs({
  options: {
    only: { type: "string" },
    json: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    house: { type: "string" },
    against: { type: "string" },
    seconds: { type: "string", default: "20" },
    turns: { type: "boolean", default: false },
  },
});
const house = args.house === undefined ? undefined : Number(args.house);
const wanted = args.only?.split(",") ?? (house ? hot : names);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`No ${unknown.join(", ")}; there is ${names.join(", ")}`);
  process.exit(64);
}
const large = house ? { times: house, size: houseOf(house) } : { times: 100, size: sizeOf(100) };
const warehouses = [{ times: 1, size: sizeOf(1) }, ...(args.quick || args.turns ? [] : [large])];
const effort = args.quick ? { rounds: 1, share: 0.01 } : { rounds: 3, share: 1 };

// What is told on the way must not stand between the figures.
const printLine = console.error;
if (args.against) {
  const compared = cases.map((it) => it.name).filter((name) => wanted.includes(name));
  const how = { seconds: Number(args.seconds), quick: args.quick, printLine: args.json ? printLine : console.log };
  const table = await compareWith(resolve(args.against), compared, how);
  if (args.json) console.log(JSON.stringify(table));
  process.exit();
}
const folder = mkdtempSync(join(tmpdir(), "warehouse-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
const ends: (() => Promise<void>)[] = [];
async function end(code: number): Promise<never> {
  for (const stop of ends.splice(0).reverse()) await stop();
  process.exit(code);
}
onStopRequest(
  () => end(130),
  () => process.exit(130),
);

const started = wanted.includes(START) && !args.turns ? await measureStart(join(folder, "start")) : undefined;
const home = join(folder, "load");
const postgres = await startPostgres({ folder: home, printLine });
ends.push(postgres.stop);
const temporal = await startTemporal({ folder: home, printLine });
ends.push(temporal.stop);
const services: BenchService[] = [];
for (const { times, size } of warehouses) {
  printLine(`Filling a warehouse, times ${times}…`);
  const service = await openService(times, size, home, postgres.url, temporal.address);
  ends.push(service.close);
  services.push(service);
}
const [smallest] = services;
if (args.turns && smallest) {
  await takeTurns(cases, smallest, effort.share);
  await end(0);
}
const rows: Row[] = [];
for (const it of cases.filter((it) => wanted.includes(it.name))) {
  printLine(`${it.name}…`);
  rows.push(...(await runCase(it, services, effort)));
}
const webhooks = wanted.includes(WEBHOOKS) && smallest ? await measureWebhooks(smallest, effort.share) : undefined;
const channels = wanted.includes(CHANNELS) && smallest ? await measureChannels(smallest, effort.share) : undefined;
const sync = wanted.includes(SYNC) && smallest ? await measureSync(smallest, effort.share) : undefined;
for (const service of services) await service.enter();
const largest = services.at(-1);
const lists = house && largest ? await measureLists(largest, printLine) : undefined;
const more = {
  ...(webhooks && { webhooks }),
  ...(channels && { channels }),
  ...(sync && { sync }),
  ...(lists && { lists }),
};
if (args.json) console.log(JSON.stringify({ rows, ...started, ...more }));
else {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`);
  console.log(table(rows, started, more));
}
await end(0);
