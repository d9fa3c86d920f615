import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A parenthesis with others in it, and others in those. */
const parenthesis = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;

/** A sum that is cast to `int`, also behind its `filter` or `over`, and with a `coalesce` around it. */
const narrowed = new RegExp(
  String.raw`\bsum${parenthesis}(\s*\b(filter|over)\s*${parenthesis})*(\s*,\s*0\s*\))?::int(4|eger)?\b(?!\[)`,
  "gi",
);

const narrowedIn = (text: string) => [...text.matchAll(narrowed)].map(([sum]) => sum);

describe("sums of units", () => {
  it("are never cast to int: thousands of lines may ask for more than that holds", () => {
    const found = ["src", "activities"].flatMap((layer) => {
      const folder = fileURLToPath(new URL(`../../../${layer}/`, import.meta.url));
      return readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .flatMap((name) => narrowedIn(readFileSync(folder + name, "utf8")).map((sum) => `${layer}/${name}: ${sum}`));
    });
    assert.deepEqual(found, []);
  });

  it("would be missed in no form", () => {
    for (const text of [
      "sum(units)::int as units",
      "SUM(greatest(0, least(units, 5)))::integer",
      "coalesce(sum(units), 0)::int",
      "coalesce(sum(things) filter (where action_type in ('PACK')), 0)::int4",
      "sum(units) over (order by (item_id), bin_id)::int",
    ])
      assert.equal(narrowedIn(text).length, 1, text);
    // What is no more than one of its units, and lists of ids, may be int.
    for (const text of [
      "coalesce(sum(units), 0) as units, $1::int",
      "sum(units)::bigint",
      "least(units, wanted - (sum(units) over (order by id) - units))::int",
      "array(select sum(units))::int[]",
    ])
      assert.deepEqual(narrowedIn(text), [], text);
  });
});
