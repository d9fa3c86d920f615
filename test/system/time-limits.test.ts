import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../test/", import.meta.url));

/**
 * Limits are multiplied by the machine's factor before the first test runs: those that a `describe` sets are, and one
 * that a test or hook sets for itself while it runs has to say `patient`.
 */
describe("the limits of tests", () => {
  it("grow with the machine, also those that a test sets for itself", () => {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    assert.ok(files.length > 300);
    const bare = files.flatMap((file) => {
      let within = "";
      return readFileSync(join(folder, file), "utf8")
        .split("\n")
        .flatMap((line, at) => {
          // `this` belongs to the nearest function that is no arrow.
          if (/\bfunction\b/.test(line)) within = line;
          const isBare = /\bthis\.timeout\((?!patient\()/.test(line) && !/\bdescribe\b/.test(within);
          return isBare ? [`${file}:${at + 1}: ${line.trim()}`] : [];
        });
    });
    assert.deepEqual(bare, []);
  });
});
