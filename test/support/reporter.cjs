const { relative } = require("node:path");
const Mocha = require("mocha");

const SHOWN = 10;

/** The files that took the longest, one a line. */
function slowest(files) {
  const lines = files
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, SHOWN)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`);
  return `  The slowest files:\n${lines.join("\n")}\n\n`;
}

/**
 * Mocha's own report, then the slowest files with all that their tests and hooks took, closed by the one line that CI
 * reads; run-all.ts says both of its own.
 */
module.exports = class extends Mocha.reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const took = new Map();
    let begun = 0;
    const ofFile = (suite) => suite.parent?.root && suite.file;
    runner.on("suite", (suite) => {
      if (ofFile(suite)) begun = performance.now();
    });
    runner.on("suite end", (suite) => {
      if (!ofFile(suite)) return;
      const file = relative("dist/test", suite.file);
      took.set(file, (took.get(file) ?? 0) + performance.now() - begun);
    });
    runner.once("end", () => {
      const { passes, failures } = this.stats;
      const files = [...took].map(([file, ms]) => ({ file, ms }));
      process.stdout.write(`${slowest(files)}${passes} passed, ${failures} failed\n`);
    });
  }
};
module.exports.slowest = slowest;
