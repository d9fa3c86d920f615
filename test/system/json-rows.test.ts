import assert from "node:assert/strict";
import { connect, db, disconnect, jsonRows } from "../../src/platform/db/db.js";
import { databaseUrl } from "../support/servers.js";

/** One value of each kind that lists have, and what JSON writes in another way than Postgres. */
const columns = {
  ...{ small: "n::int2", whole: "-n::int4", long: "9007199254740991::int8 - n", flag: "n % 2 = 0", none: "null::text" },
  ...{
    text: "'SKU-' || n",
    empty: "''",
    fixed: "'x'::char(5)",
    uuid: "md5(n::text)::uuid",
    day: "date '2026-05-06' + n",
  },
  ...{
    quoted: `'say "no"\\' || n`,
    lines: "e'one\\ttwo\\n\\u0001'",
    letters: "'Größe 5 € 😀'",
    odd: "e'\\u2028\\u007f'",
  },
  many: `repeat(e'"\\u0001', 20 * n)`,
  ...{ price: "1.50::numeric", large: "1e30::numeric", third: "n::float8 / 3", half: "n::float4 / 2" },
  ...{ tiny: "1e-7::float8", huge: "1e20::float8", zero: "-0.0::float8", minus: "-2.5::float8", nan: "'NaN'::float8" },
  ...{ time: "timestamptz '2026-05-06 12:00:00.12Z'", second: "timestamptz '2026-05-06 14:00:00+02'" },
  ...{ object: `'{"b": [1.0, null], "a": "ä"}'::json`, sorted: `'{"b": [1.0, null], "a": "ä"}'::jsonb` },
  ...{ built: "json_build_object('n', n)", list: "array['a\"', 'b']", ids: "array[n, 2]", clock: "time '12:00'" },
};
const select = (rows: number) => `
  select ${Object.entries(columns).map(([name, sql]) => `${sql} as ${name}`)}
  from generate_series(1, ${rows}) n order by n`;

describe("rows as JSON", () => {
  // The columns are of this test: none is declared.
  let validates: string | undefined;
  before(() => {
    validates = process.env.TEST_VALIDATE_ROWS;
    delete process.env.TEST_VALIDATE_ROWS;
    connect(databaseUrl("postgres"));
  });
  after(async () => {
    process.env.TEST_VALIDATE_ROWS = validates;
    await disconnect();
  });

  for (const isPrepared of [true, false])
    for (const [count, what] of [
      [0, "none"],
      [1, "one"],
      [200, "many"],
    ] as const)
      it(`are byte for byte that of their objects: ${what}, ${isPrepared ? "prepared" : "planned"}`, async () => {
        const rows = await db.rows({}, select(count));
        for (let again = 0; again < 2; again++) {
          const json = await jsonRows({}, select(count), [], '{"rows":[', isPrepared);
          assert.equal(json.length, count);
          assert.equal(
            Buffer.from(json.close('],"größe":"€"}'), "latin1").toString(),
            JSON.stringify({ rows, größe: "€" }),
          );
        }
      });

  it("fail as others do", async () => {
    await assert.rejects(jsonRows({}, "select n, 1 / (3 - n) as m from generate_series(1, 5) n", [], "[", true), {
      code: "22012",
    });
  });
});
