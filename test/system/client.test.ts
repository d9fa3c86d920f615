import assert from "node:assert/strict";
import fc from "fast-check";
import pg from "pg";
import { Client, DataRow } from "../../src/platform/db/client.js";

describe("how rows are read", () => {
  let client: pg.Client;
  let ofPg: pg.Client;
  before(async () => {
    const config = { connectionString: process.env.TEST_DATABASE_URL };
    client = new Client(config);
    ofPg = new pg.Client(config);
    await Promise.all([client.connect(), ofPg.connect()]);
  });
  after(() => Promise.all([client.end(), ofPg.end()]));

  /** The texts as one row. */
  const row = async (texts: (string | null)[]) => {
    const text = `select ${texts.map((_, index) => `$${index + 1}::text`).join(", ")}`;
    const { rows } = await client.query({ text, values: texts, rowMode: "array" });
    return rows;
  };

  it("gives each text as it was stored: nulls, empty ones, and those of any script", async () => {
    const anyText = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""));
    const field = fc.oneof(anyText, fc.string(), fc.constantFrom(null, "", "é", "ÿ", "日本", "🙂", "x".repeat(200)));
    await fc.assert(
      fc.asyncProperty(fc.array(field, { minLength: 1, maxLength: 20 }), async (texts) => {
        assert.deepEqual(await row(texts), [texts]);
      }),
    );
  });

  it("puts together a row that comes in many pieces, and one behind it", async () => {
    const long = ["a".repeat(300_000), null, `${"b".repeat(300_000)}é`];
    assert.deepEqual(await row(long), [long]);
    assert.deepEqual(await row(["after"]), [["after"]]);
  });

  it("reads the same as pg: rows of many types, and what a statement that fails says", async () => {
    const text = `select n, n::text, n * 1.5 as half, timestamptz '2026-01-01' + n * interval '1 day' as day,
        array[n, null] as list, json_build_object('n', n, 'é', null) as json, nullif(n, 3) as hole,
        repeat('ü', n) as umlauts
      from generate_series(1, 500) n`;
    const both = [ofPg, client].map(async (one) => {
      const { rows, fields } = await one.query(text);
      return { rows, names: fields.map(({ name }) => name) };
    });
    const [expected, actual] = await Promise.all(both);
    assert.deepEqual(actual, expected);
    assert.equal(actual?.rows.length, 500);
    const [wanted, failed] = await Promise.all([ofPg, client].map((one) => one.query("select 1/0").catch((e) => e)));
    assert.deepEqual([failed.message, failed.code], [wanted.message, wanted.code]);
  });

  it("replaces how pg's parser reads a row, and nothing else", async () => {
    const { connection } = client as unknown as { connection: pg.Connection };
    const seen: object[] = [];
    // Its bytes are overwritten afterwards.
    connection.on("dataRow", (message) => {
      assert.ok(message instanceof DataRow);
      const { name, length, fields } = message;
      seen.push({ name, length, fields });
    });
    await client.query("select 1 as one, null as two");
    assert.deepEqual(seen, [{ name: "dataRow", length: 15, fields: ["1", null] }]);
  });
});
