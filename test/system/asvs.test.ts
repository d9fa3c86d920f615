import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const page = readFileSync(`${root}docs/asvs.md`, "utf8");

/** The numbers of ASVS 5.0.0 by section, level 1 and level 2 apart: all that there are. */
const sections = `
1.1 - 1-2, 1.2 1-5 6-9, 1.3 1-2 3-11, 1.4 - 1-3, 1.5 1 2,
2.1 1 2-3, 2.2 1-2 3, 2.3 1 2-4, 2.4 - 1,
3.2 1-2 -, 3.3 1 2-4, 3.4 1-2 3-6, 3.5 1-3 4-5, 3.7 - 1-2,
4.1 1 2-3, 4.2 - 1, 4.3 - 1-2, 4.4 1 2-4,
5.1 - 1, 5.2 1-2 3, 5.3 1-2 -, 5.4 - 1-3,
6.1 1 2-3, 6.2 1-8 9-12, 6.3 1-2 3-4, 6.4 1-2 3-4, 6.5 - 1-5, 6.6 - 1-3, 6.8 - 1-4,
7.1 - 1-3, 7.2 1-4 -, 7.3 - 1-2, 7.4 1-2 3-5, 7.5 - 1-2, 7.6 - 1-2,
8.1 1 2, 8.2 1-2 3, 8.3 1 -, 8.4 - 1,
9.1 1-3 -, 9.2 1 2-4,
10.1 - 1-2, 10.2 - 1-2, 10.3 - 1-4, 10.4 1-5 6-11, 10.5 - 1-5, 10.6 - 1-2, 10.7 - 1-3,
11.1 - 1-2, 11.2 - 1-3, 11.3 1-2 3, 11.4 1 2-4, 11.5 - 1, 11.6 - 1,
12.1 1 2-3, 12.2 1-2 -, 12.3 - 1-4,
13.1 - 1, 13.2 - 1-5, 13.3 - 1-2, 13.4 1 2-5,
14.1 - 1-2, 14.2 1 2-4, 14.3 1 2-3,
15.1 1 2-3, 15.2 1 2-3, 15.3 1 2-7,
16.1 - 1, 16.2 - 1-5, 16.3 - 1-4, 16.4 - 1-3, 16.5 - 1-3,
17.1 - 1, 17.2 - 1-4, 17.3 - 1-2`;

/** Each number with its level, such as `6.2.4 1`. */
const expected = sections.split(",").flatMap((text) => {
  const [section, ...levels] = text.trim().split(" ");
  return levels.flatMap((range, level) => {
    if (range === "-") return [];
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => `${section}.${first + i} ${level + 1}`);
  });
});

const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) +\| (.+?) +\| (\d) +\| (.+?) +\| (.*?) *\|$/gm)].map(
  ([, number, , level, state, how = ""]) => ({ number, level, state: `${state}`, how }),
);

describe("docs/asvs.md", () => {
  it("has every requirement of the levels 1 and 2 once, and no other", () => {
    assert.equal(expected.length, 253);
    assert.deepEqual(
      rows.map(({ number, level }) => `${number} ${level}`),
      expected,
    );
  });

  it("has the ten risks of APIs", () => {
    const risks = [...page.matchAll(/^\| API(\d+):2023 /gm)].map(([, number]) => Number(number));
    assert.deepEqual(risks, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("says of each whether it is met, and why where it is not", () => {
    for (const { number, state, how } of rows) {
      assert.ok(["met", "not met", "not applicable"].includes(state), `${number}: ${state}`);
      assert.ok(how.length > 0, `${number} says nothing`);
    }
    const count = (state: string) => rows.filter((row) => row.state === state).length;
    const sums = /(\d+) are met, (\d+) are not, (\d+) do not\s+apply/.exec(page)?.slice(1).map(Number);
    assert.deepEqual(sums, [count("met"), count("not met"), count("not applicable")]);
  });

  it("names tests that there are", () => {
    const named = [...page.matchAll(/`(test\/[^`]+)`/g)].map(([, name = ""]) => name);
    assert.ok(named.length > 100);
    assert.deepEqual(
      named.filter((name) => !existsSync(root + name)),
      [],
    );
  });
});
