import { writeMeasured } from "../src/launcher/measured.js";
import { onStopRequest } from "../src/launcher/stop-request.js";
import { bothDays, comparison, faultsOf } from "./both.js";
import { readOptions, USAGE, UsageError } from "./options.js";
import { showProgress } from "./progress.js";
import { exitCodeOf, finalReport, interimReport } from "./report.js";
import { type State, simulate } from "./run.js";
import { trySeeds } from "./seeds.js";

/** `npm run simulate`: a warehouse's day against a running service (docs/simulate.md). */

const REPORT_EVERY_MS = 600_000;

// Whoever started it over a channel, which is `npm start`, has ended, and the service with it.
process.on("disconnect", () => process.exit(1));

try {
  const args = process.argv.slice(2);
  const options = readOptions(args, process.env);
  const say = (line: string) => console.log(line);
  if (options.faults) {
    const end = () => process.exit(130);
    onStopRequest(end, end);
    const tried = await trySeeds(options, say);
    if (options.report) writeMeasured(options.report, ["npm run simulate --", ...args].join(" "), tried);
    process.exit(tried.failed ? 1 : 0);
  }
  if (options.both) {
    const days = await bothDays(options, say);
    say(`\n${[comparison(days), ...faultsOf(days)].join("\n\n")}`);
    process.exit(faultsOf(days).length > 0 ? 1 : 0);
  }
  let finish = () => {};
  const began = (state: State) => {
    say(`${state.clock.hours.toFixed(1)} simulated hours begin, seed ${options.seed}. Ctrl-C ends them early.`);
    const stopProgress = showProgress(state, process.stdout);
    const reports = options.soak ? setInterval(() => say(`\n${interimReport(state)}\n`), REPORT_EVERY_MS) : undefined;
    onStopRequest(
      () => state.clock.stop(),
      () => process.exit(130),
    );
    finish = () => {
      stopProgress();
      clearInterval(reports);
    };
  };
  const outcome = await simulate(options, { say, began, ended: async () => finish() });
  say(`\n${finalReport(outcome)}`);
  process.exit(exitCodeOf(outcome));
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n${USAGE}` : (error as Error).message);
  process.exit(error instanceof UsageError ? 2 : 1);
}
