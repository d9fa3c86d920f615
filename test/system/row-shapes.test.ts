import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import { connect, db, disconnect, type Sql, transaction, unprepared } from "../../src/platform/db/db.js";
import { builder, runBuilt } from "../../src/platform/db/list.js";
import { databaseUrl } from "../support/servers.js";

/** All code of these folders, by the names of the files. */
function sources(folders: string[]): [name: string, code: string][] {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name): [string, string] => [name, readFileSync(join(root, folder, name), "utf8")]),
  );
}

/** What a statement that answers one row is refused for. */
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: Error) => error.message,
  );

describe("rows in tests", () => {
  before(() => connect(databaseUrl("postgres")));
  after(() => disconnect());

  const Sku = z.strictObject({ sku: z.string().max(3), note: text.nullable() });

  it("are given as they are when they have their shape", async () => {
    assert.deepEqual(await db.rows({ n: int, sku: text.nullable() }, "select 1 as n, null::text as sku"), [
      { n: 1, sku: null },
    ]);
    assert.deepEqual(await db.row(Sku, "select $1 as sku, null as note", ["MUG"]), { sku: "MUG", note: null });
    assert.equal(await db.row(Sku, "select 'MUG' as sku, null as note where false"), undefined);
  });

  const faults: [what: string, sql: string, said: RegExp][] = [
    ["a column that is not declared", "select 'A' as sku, null as note, 1 as more", /more is not declared, in: select/],
    ["a column that is missing", "select 'A' as sku", /note is missing/],
    ["a renamed column, though there are no rows", "select 'A' as skus, null as note where false", /skus is not/],
    ["a null where none is declared", "select null::text as sku, null as note", /sku has null/],
    ["a value of another type", "select 7 as sku, null as note", /sku has 7/],
    ["a value that its field refuses", "select 'TABLE' as sku, null as note", /sku has "TABLE"/],
  ];

  for (const [what, sql, said] of faults)
    it(`fail the statement for ${what}`, async () => {
      const ways: ((sql: Sql) => Promise<unknown>)[] = [(sq) => sq.rows(Sku, sql), (sq) => sq.row(Sku, sql)];
      for (const way of ways) {
        assert.match((await refusal(way(db))) ?? "", said);
        assert.match((await refusal(transaction(way))) ?? "", said);
      }
      assert.match((await refusal(unprepared(Sku, sql, []))) ?? "", said);
    });

  it("of a built query are held against their shape too", async () => {
    const query = builder.select(builder.raw("1 as n"));
    assert.deepEqual(await runBuilt({ n: int }, query), [{ n: 1 }]);
    assert.match((await refusal(runBuilt({ m: int }, query))) ?? "", /n is not declared/);
  });

  it("are not looked at elsewhere", async () => {
    const { TEST_VALIDATE_ROWS } = process.env;
    delete process.env.TEST_VALIDATE_ROWS;
    await disconnect();
    connect(databaseUrl("postgres"));
    try {
      assert.deepEqual(await db.rows(Sku, "select 7 as n"), [{ n: 7 }]);
    } finally {
      process.env.TEST_VALIDATE_ROWS = TEST_VALIDATE_ROWS;
      await disconnect();
      connect(databaseUrl("postgres"));
    }
  });

  it("have a shape that is built once, not with each statement: that takes longer than many a statement", () => {
    const asked = /\b(?:rows|row|unprepared|runBuilt|listPage|listSlice)\(\s*(\w+\.\w+\(|each\([^)]*|z\.|\{[^{}]*)/g;
    const isBuilt = (shape = "") => /\.(omit|pick|extend|nullable)\(|\bz\.|\barrayOf\(/.test(shape);
    const wrong = sources(["src", "activities"]).flatMap(([name, code]) =>
      [...code.matchAll(asked)].filter(([, shape]) => isBuilt(shape)).map(([found]) => `${name}: ${found}`),
    );
    assert.deepEqual(wrong, []);
  });
});

describe("values of statements", () => {
  before(() => connect(databaseUrl("postgres")));
  after(() => disconnect());

  const Values = { first: int, second: int, hour: text };
  const TEXT = `select :first::int as first, :second::int + :first as second,
                       to_char(timestamptz '2026-01-01 12:34Z', 'HH24:mi:ss') as hour`;

  it("have names in a text that says so, each of them as often as it likes", async () => {
    const told = { first: 1, second: 3, hour: "12:34:00" };
    for (const values of [
      { first: 1, second: 2 },
      { second: 2, of_a_record: true, first: 1 },
    ]) {
      assert.deepEqual(await db.row(Values, TEXT, values), told);
      assert.deepEqual(await transaction((tx) => tx.row(Values, TEXT, values)), told);
      assert.deepEqual(await unprepared(Values, TEXT, values), [told]);
    }
  });

  it("are refused where one is missing, but not where it is undefined, which is null", async () => {
    assert.match((await refusal(db.row(Values, TEXT, { first: 1 }))) ?? "", /^No value for :second in: select \$1/);
    const Nullable = { n: int.nullable() };
    assert.deepEqual(await db.row(Nullable, "select :n::int as n", { n: undefined }), { n: null });
  });

  it("are refused where some have names and others numbers, as in a fragment of another statement", async () => {
    const mixed = db.row(Values, "select :first::int as a, $1::int as b", { first: 1, second: 2 });
    assert.match((await refusal(mixed)) ?? "", /^Both names and \$n in: select :first/);
  });

  it("have names where there are more than four", () => {
    const wrong = sources(["src", "activities", "api", "workers"]).flatMap(([name, code]) =>
      [...code.matchAll(/.*\$(?:[5-9]|[1-9]\d)\b.*/g)].map(([line]) => `${name}: ${line}`),
    );
    assert.deepEqual(wrong, []);
  });
});
