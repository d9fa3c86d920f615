import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";

/**
 * `npm test`: all tests, in two runs side by side, each with servers of its own. What takes minutes, or starts the
 * service as processes and mostly waits for them, is one, and so is what asks routes for everything that is wrong, and
 * what tests workflows by themselves; everything else is the other, which also sees to it that every declared outcome
 * was met.
 */
const lasting = [
  "connectors/push-kill",
  "system/bench",
  "system/deployment",
  "system/docs",
  "system/document-fuzz",
  "stock/floor.property",
  "inbound/fuzz",
  "system/hostile",
  "system/huge-bodies",
  "system/kill",
  "system/launcher/*",
  "system/return-kill",
  "system/roles",
  "system/start",
  "system/sync-kill",
  "system/transfer-kill",
  "system/worker-kill",
  "outbound/channel-kill",
  "outbound/notification-kill",
  "outbound/webhook-delivery",
  "outbound/webhook-kill",
  "workflows/*",
].map((name) => `dist/test/${name}.test.js`);

interface Counts {
  passes: number;
  failures: number;
  files: { file: string; ms: number }[];
}

const { slowest } = createRequire(import.meta.url)("../../../test/support/reporter.cjs") as {
  slowest: (files: Counts["files"]) => string;
};

/** Runs mocha; what it says comes at once, or when it is done. */
function run(args: string[], env: NodeJS.ProcessEnv, atOnce: boolean) {
  const mocha = spawn(process.execPath, ["node_modules/mocha/bin/mocha.js", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", atOnce ? "inherit" : "pipe", "inherit", "ipc"],
  });
  let said = "";
  mocha.stdout?.on("data", (text) => (said += text));
  let counts: Counts = { passes: 0, failures: 0, files: [] };
  mocha.on("message", (message) => (counts = message as Counts));
  const ended = once(mocha, "exit").then(([code]) => ({
    code: code as number | null,
    counts,
    said: () => said,
  }));
  return ended;
}

const runs = await Promise.all([
  run(["dist/test/**/*.test.js", ...lasting.flatMap((file) => ["--ignore", file])], { TEST_RUN: "whole" }, true),
  run(lasting, {}, false),
]);
for (const { said } of runs) process.stdout.write(said());
process.stdout.write(slowest(runs.flatMap(({ counts }) => counts.files)));
const sum = (of: "passes" | "failures") => runs.reduce((total, { counts }) => total + counts[of], 0);
// One that ended before it could count has failed too.
const died = runs.filter(({ code, counts }) => code !== 0 && counts.failures === 0).length;
console.log(`${sum("passes")} passed, ${sum("failures") + died} failed`);
process.exitCode = runs.some(({ code }) => code !== 0) ? 1 : 0;
