import { cpus } from "node:os";
import { resolve } from "node:path";
import { compareWith } from "./against.js";
import { cases } from "./cases/index.js";
import { measureChannels } from "./channels.js";
import { measureContention } from "./contention.js";
import { measureLabels } from "./labels.js";
import { measureLists } from "./lists.js";
import { CHANNELS, CONTENTION, LABELS, readOptions, START, SYNC, WEBHOOKS } from "./options.js";
import { keepForPages } from "./pages/keep.js";
import { type Measures, type Row, table } from "./report.js";
import { runCase } from "./run.js";
import { end, folderOf, openServices } from "./servers.js";
import { measureStart } from "./start.js";
import { measureSync } from "./sync.js";
import { takeTurns } from "./turns.js";
import { measureWebhooks } from "./webhooks.js";

/**
 * `npm run bench`: how fast the service is on this machine (docs/develop/speed.md).
 *   --only lookup,confirm   these alone; `start` is the second start and the idle memory, `webhooks` and
 *                           `channels` what is sent to them, `sync` a shop whose items are fetched, `buy labels` a
 *                           carrier of which labels are bought, `contention` one item that many buy
 *   --json                  for programs
 *   --page                  measures what docs/benchmarks.md and docs/contention.md tell, and writes it there (of
 *                           `--docs ../folder` in place of docs); `--only floor,events,contention` a part of it
 *   --against ../other      compares with another checkout, in the small warehouse; `--seconds 60` for each case
 *   --house 1000            in the smallest warehouse and in a house of a million orders: what the floor waits for, and
 *                           each page of each list; with `--page` for docs/benchmarks.md
 *   --quick                 whether it works at all: a few requests, in the small warehouse alone
 *   --turns                 what `--against` asks of both: a line on the standard input is a case and its works
 */
const args = process.argv.slice(2);
const options = readOptions(args);
const { wanted, effort, besides, house } = options;
const isWanted = ({ name }: { name: string }) => wanted.includes(name);
// What is told on the way must not stand between the figures.
const printLine = console.error;

if (options.against) {
  const { seconds, quick, json } = options;
  const names = cases.filter(isWanted).map((it) => it.name);
  const how = { seconds, quick, printLine: json ? printLine : console.log };
  const compared = await compareWith(resolve(options.against), names, how);
  if (json) console.log(JSON.stringify(compared));
  process.exit();
}

const isAsked = (name: string) => wanted.includes(name) && !options.turns;
const started = isAsked(START) ? await measureStart(folderOf("start")) : undefined;
const services = await openServices(options.warehouses, printLine);
const [smallest] = services;
if (options.turns) {
  await takeTurns(cases, smallest, effort.share);
  await end(0);
}
const rows: Row[] = [];
for (const it of cases.filter(isWanted)) {
  printLine(`${it.name}…`);
  rows.push(...(await runCase(it, services, effort)));
}
const more: Measures = {};
if (isAsked(WEBHOOKS)) more.webhooks = await measureWebhooks(smallest, besides);
if (isAsked(CHANNELS)) more.channels = await measureChannels(smallest, besides);
if (isAsked(CONTENTION)) more.contention = await measureContention(smallest, besides);
if (isAsked(SYNC)) more.sync = await measureSync(smallest, besides);
if (isAsked(LABELS)) more.labels = await measureLabels(smallest, besides);
for (const service of services) await service.enter();
if (house) more.lists = await measureLists(services.at(-1) ?? smallest, printLine);
if (options.json) console.log(JSON.stringify({ rows, ...started, ...more }));
else {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`);
  console.log(table(rows, started, more));
}
if (options.page) keepForPages(options.page, ["npm run bench --", ...args].join(" "), rows, more, house);
await end(0);
