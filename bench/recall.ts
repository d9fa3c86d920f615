import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { countRecalledBins, holdRecalledLot, openRecall } from "../activities/recalls/index.js";
import { csvOf } from "../api/http/csv.js";
import { migrations } from "../migrations/index.js";
import { startPostgres } from "../src/launcher/postgres.js";
import { lotOf } from "../src/lots/queries.js";
import type { Lot } from "../src/lots/shapes.js";
import { epcisOf } from "../src/lots/trace/epcis.js";
import { traceOf } from "../src/lots/trace/queries.js";
import type { TraceQuery } from "../src/lots/trace/shapes.js";
import { sheetColumns, sheetOf } from "../src/lots/trace/sheet.js";
import { connect, db, disconnect } from "../src/platform/db/db.js";
import { migrate } from "../src/platform/db/migrate.js";
import { systemActor } from "../src/platform/system-actor.js";
import { recall, recallOrders, takeRecallId } from "../src/recalls/queries.js";
import { RecallOrderFilters } from "../src/recalls/shapes.js";
import { fillLot, SHIPMENTS } from "./recall-lot.js";
import { rounded } from "./rounded.js";

/**
 * `npm run bench:recall`: fills a house with a lot that was moved 1,000,000 times and sent to 100,000 customers, and
 * says how long it takes to trace it, to call it back, and to export it.
 */
const home = mkdtempSync(join(tmpdir(), "warehouse-recall-"));
process.once("exit", () => rmSync(home, { recursive: true, force: true, maxRetries: 10 }));
const postgres = await startPostgres({ folder: join(home, "data"), printLine: console.error });
await migrate(postgres.url, migrations);
connect(postgres.url, 4, "UTC", "");

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const done = await work();
  console.log(`${what}: ${rounded((performance.now() - begun) / 1_000)} s`);
  return done;
}

console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`);
await timed("filled", fillLot);
const lot = (await lotOf(db, 1, null)) as Lot;

const part = (asked: Partial<TraceQuery>) => traceOf(1, { limit: 100, ...asked }, null);
for (const time of ["first", "second"]) await timed(`the first page of the trace, the ${time} time`, () => part({}));
for (const kind of ["move", "pick"] as const) await timed(`the first page of ${kind}s`, () => part({ kind }));
await timed("the whole trace, 1,000 steps a page", async () => {
  let steps = 0;
  let cursor: string | undefined;
  do {
    const page = await part({ limit: 1_000, cursor });
    steps += page?.steps.length ?? 0;
    cursor = page?.next_cursor ?? undefined;
  } while (cursor);
  console.log(`${steps} steps`);
});
const by = () => ({ ...systemActor(randomUUID()), username: "rita" });
const recallId = await takeRecallId();
await timed("called back: opened", () => openRecall(recallId, { lot_ids: [1], reason: "glass" }, by()));
await timed("called back: its lot is held", () => holdRecalledLot(recallId, 1, by()));
await timed("called back: 100 of its bins get a count", () => countRecalledBins(recallId, by()));
const detail = await timed("its units and bins", () => recall(recallId));
if (detail?.units.to_tell !== SHIPMENTS) throw new Error(`units to tell: ${detail?.units.to_tell}`);
const orders = (asked: object) => recallOrders(recallId, RecallOrderFilters.parse(asked));
await timed("the first page of its orders", () => orders({ state: "open" }).answer());
await timed("its orders as a file", async () => {
  let rows = 0;
  for await (const some of orders({}).batches()) rows += some.length;
  console.log(`${rows} orders`);
});
await timed("the sheet", () => drained(csvOf(sheetOf(lot, null), sheetColumns)));
await timed("the EPCIS document", () => drained(epcisOf(lot, null)));
await disconnect();
await postgres.stop();

/** Reads a file to its end, and says how large it and this process became. */
async function drained(texts: AsyncIterable<string>): Promise<void> {
  let bytes = 0;
  for await (const text of texts) bytes += text.length;
  console.log(`${rounded(bytes / 1e6)} MB, this process ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
}
