import { fork } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import type { FromLane, Ran, ToLane } from "./lane.js";
import { TIME_FACTOR } from "./machine-speed.js";
import { testFolder } from "./test-folder.js";

/**
 * `npm test`, and `npm run test:all` with what starts the whole service: the tests, in a few processes side by side
 * (lane.ts). Each has servers of its own and takes the next file as soon as it is done with one, so they end together.
 * At the end, every outcome that a route declares has been met.
 */
const FOLDER = "dist/test";
const ALL = Boolean(process.env.TEST_ALL);
/** One more than there are processors: whatever is killed or waits for a timer leaves them idle. */
const LANES = Number(process.env.TEST_LANES ?? Math.min(4, availableParallelism() + 1));
/** Each lane starts servers and processes of its own, so its tests may wait as if it had a share of a processor. */
process.env.TEST_TIME_FACTOR = `${TIME_FACTOR * Math.max(1, (2 * LANES) / availableParallelism())}`;

/** These start the whole service as processes, again and again: a fifth of all processor time. */
const wholeService = /kill\.test|launcher\/|system\/(backup|bench|deployment|roles|start)\.test/;
/** `npm run test:cluster` has these: they need programs that Go builds, for a quarter of an hour. */
const ofCluster = /\/cluster\//;
/** What starts, measures or kills processes: one of them at a time, and as they are many, they begin first. */
const alone = new RegExp(`${wholeService.source}|system/huge-bodies\\.test|simulate/faults\\.test`);
/** What takes longest of the others, so that no lane begins one of them when the others are done. */
const long = [
  ...["outbound/webhook-senders", "outbound/webhook-delivery", "system/idempotency", "console/integrations"],
  ...["console/shared", "console/scan", "simulate/run", "console/orders", "system/process-walk"],
  ...["sales-orders/races", "console/", "system/permission-matrix", "system/docs", "connectors/sync.", "inbound/fuzz"],
  ...["outbound/notification-delivery", "system/histories", "pos/counter.property", "system/document-fuzz"],
  ...["system/stalled-bodies", "stock/", "workflows/", "transfers/races", "system/hostile", "system/one-thread"],
];
const rank = (file: string) => {
  const at = long.findIndex((name) => file.includes(`/${name}`));
  return alone.test(file) ? -1 : at === -1 ? long.length : at;
};

const waiting = readdirSync(FOLDER, { recursive: true })
  .map((name) => join(FOLDER, `${name}`))
  .filter((file) => file.endsWith(".test.js") && !ofCluster.test(file) && (ALL || !wholeService.test(file)))
  .sort()
  .sort((one, other) => rank(one) - rank(other));

const { slowest } = createRequire(import.meta.url)("../../../test/support/reporter.cjs") as {
  slowest: (files: Pick<Ran, "file" | "ms">[]) => string;
};
const seconds = (number: number) => `${number.toFixed(1).padStart(7)} s`;

const folder = testFolder();
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
/** Stacks begin with what the first one has prepared (stack.ts). */
process.env.TEST_PREPARED_FOLDER = join(folder, "prepared");

const done: Ran[] = [];
const unseen: string[][] = [];
const running = new Map<number, string>();
const idle = new Map<number, (what: ToLane) => void>();

/** Gives each lane that has nothing to do the next file that may run now; none when there are no more. */
function handOut(): void {
  for (const [lane, send] of idle) {
    const taken = [...running.values()].some((file) => alone.test(file));
    const at = waiting.findIndex((file) => !(taken && alone.test(file)));
    const [file] = at === -1 ? [] : waiting.splice(at, 1);
    if (file) running.set(lane, file);
    else if (waiting.length > 0) continue;
    idle.delete(lane);
    send(file ? { run: file } : { end: true });
  }
}

function finished(ran: Ran): void {
  done.push(ran);
  const failed = ran.failures > 0 ? `, ${ran.failures} failed` : "";
  const took = `${seconds(ran.ms / 1_000)}, of a processor${seconds(ran.cpuSeconds)}`;
  console.log(`${took}  ${relative(FOLDER, ran.file)}: ${ran.passes} passed${failed}`);
}

/** Starts a lane; ends when its process has. */
async function open(lane: number): Promise<void> {
  const child = fork("dist/test/support/lane.js");
  const free = () => idle.set(lane, (what) => void child.send(what));
  child.on("message", (said: FromLane) => {
    if ("unseen" in said) unseen.push(said.unseen);
    else free();
    if ("ran" in said) {
      running.delete(lane);
      finished(said.ran);
    }
    handOut();
  });
  await new Promise((resolve) => child.once("exit", resolve));
  idle.delete(lane);
  const file = running.get(lane);
  running.delete(lane);
  if (file) finished({ file, ms: 0, cpuSeconds: 0, passes: 0, failures: 1, said: `${file}: its process ended` });
  handOut();
}

await Promise.all(Array.from({ length: LANES }, (_, lane) => open(lane)));
for (const { file, said } of done) if (said) console.log(`\n${relative(FOLDER, file)}\n${said}`);
// A lane that died did not say what it saw.
const unmet = unseen.length < LANES ? [] : unseen.reduce((all, one) => all.filter((outcome) => one.includes(outcome)));
if (unmet.length > 0) console.log(`Declared outcomes without a test:\n  ${unmet.join("\n  ")}\n`);
if (waiting.length > 0) console.log(`Not run, as every process had ended:\n  ${waiting.join("\n  ")}\n`);
const sum = (of: "passes" | "failures") => done.reduce((total, ran) => total + ran[of], 0);
const failed = sum("failures") + unmet.length + waiting.length;
console.log(slowest(done.map(({ file, ms }) => ({ file: relative(FOLDER, file), ms }))));
console.log(`${sum("passes")} passed, ${failed} failed`);
process.exitCode = failed > 0 || unseen.length < LANES ? 1 : 0;
