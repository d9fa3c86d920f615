import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import { connect, db, disconnect, type Sql, transaction, unprepared } from "../../src/platform/db/db.js";
import { builder, runBuilt } from "../../src/platform/db/list.js";
import { databaseUrl } from "../support/servers.js";

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
    const root = fileURLToPath(new URL("../../../", import.meta.url));
    const asked = /\b(?:rows|row|unprepared|runBuilt|listPage|listSlice)\(\s*(\w+\.\w+\(|each\([^)]*|z\.|\{[^{}]*)/g;
    const isBuilt = (shape = "") => /\.(omit|pick|extend|nullable)\(|\bz\.|\barrayOf\(/.test(shape);
    const wrong = ["src", "activities"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .flatMap((name) =>
          [...readFileSync(join(root, folder, name), "utf8").matchAll(asked)]
            .filter(([, shape]) => isBuilt(shape))
            .map(([found]) => `${name}: ${found}`),
        ),
    );
    assert.deepEqual(wrong, []);
  });
});
