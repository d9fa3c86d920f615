import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import csvDrop from "../../src/connectors/built-in/csv-drop.js";
import { type Page, SourceError, type SourceRecord } from "../../src/connectors/connector.js";
import type { FileSeen } from "../../src/platform/files/upload.js";
import { consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { bin, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";
import { type CsvDrop, openCsvDrop } from "../support/shops/csv.js";
import { connectedWarehouse } from "../support/shops/sync.js";

const bytesOf = (name: string) => readFile(new URL(`../../../test/files/samples/${name}`, import.meta.url));

const products = {
  "MUG-BL": ['Becher "Größe XL", blau', "Für 0,3 l – spülmaschinenfest", "4006381333931", "Küche", 0.75],
  "TEA-01": ["Thé à la menthe", "Erste Zeile\nzweite; mit Semikolon", "036000291452", "Tee", 1.5],
  "PIPE-3": ['Rohr 3"', "Preis 5 €, Bestellung +49 (0)30 123-45", null, "Sanitär", 12],
  "00042": ["Schraube", null, null, "Kleinteile", 0.125],
};
type Products = Record<string, (string | number | null)[]>;

/** What each file says, and which of its rows are wrong. */
const files: { name: string; as: [FileSeen["encoding"], FileSeen["separator"]]; has: Products; wrong?: object }[] = [
  { name: "excel-german.csv", as: ["windows-1252", ";"], has: products },
  { name: "excel-utf8.csv", as: ["utf-8", ","], has: products },
  { name: "excel-unicode.txt", as: ["utf-16le", "tab"], has: products },
  { name: "libreoffice.csv", as: ["utf-8", ","], has: products },
  { name: "numbers.csv", as: ["utf-8", ","], has: products },
  { name: "erp-european.csv", as: ["windows-1252", ";"], has: products },
  {
    name: "downloaded-here.csv",
    as: ["utf-8", ","],
    has: {
      "MUG-BL": ["=Becher", null, "4006381333931", "x;=cmd|' /C calc'!A0", 0.75],
      "TEA-01": ["'=Thé", null, null, "+49 30 12345", null],
    },
  },
  {
    name: "spoiled-codes.csv",
    as: ["ascii", ";"],
    has: { GOOD: ["Becher", null, "4006381333931", null, 0.75] },
    wrong: {
      3: /upc: 4,00638E\+12 is a number that a spreadsheet shortened/,
      4: /sku: 4,00638E\+12 is a number that a spreadsheet shortened/,
      5: /upc: 36000291452 has 11 digits: were zeros lost from 036000291452\?/,
      6: /upc: the check digit of 4006381333932 is wrong/,
      7: /weight_lbs: "1,250" may mean two numbers/,
    },
  },
  {
    name: "formulas.csv",
    as: ["utf-8", ","],
    has: { D: ["=1+1", "+49 (0) 30/123-45", null, null, null], E: ["a = b", "-5", null, null, null] },
    wrong: { 2: /item_name: .*formula/, 3: /item_name: .*formula/, 4: /item_name: .*formula/ },
  },
  {
    name: "shifted.csv",
    as: ["ascii", ","],
    has: { A: ["Mug", null, null, "Kitchen", null], D: ["Cup", null, null, "Kitchen", null] },
    wrong: { 4: /it has 4 values, and the header has 3 columns/, 5: /it has 2 values, and the header has 3/ },
  },
];

const unreadable = [
  ["column-twice.csv", /row 1: "sku" is there twice/],
  ["column-unknown.csv", /row 1: unknown columns "farbe"/],
  ["workbook.csv", /this is a workbook/],
  ["quote-open.csv", /row 3: a quote is opened and never closed/],
] as const;

describe("files as people make them", function () {
  this.timeout(60_000);
  let service: TestService;
  let drop: CsvDrop;
  let admin: string;
  before(async () => {
    service = await openService();
    drop = await openCsvDrop();
    // The desk begins with the only warehouse from which something can be sold.
    await bin(await warehouse());
    admin = (await person()).username;
  });
  after(async () => {
    await drop.close();
    await service.close();
  });
  afterEach(() => db.run("delete from items"));
  const browser = consoleBrowser(() => service);

  const ask = (bytes: Buffer, more = {}) =>
    service.admin.post("/api/admin/import/items", { file: bytes.toString("base64"), ...more });

  /** The items, by SKU. */
  async function stored(): Promise<Products> {
    const items = await db.rows<{ sku: string; values: (string | number | null)[] }>(
      `select sku, json_build_array(item_name, description, upc, category, weight_lbs::float8) as values from items`,
    );
    return Object.fromEntries(items.map(({ sku, values }) => [sku, values]));
  }

  /** Reads it with the connector; gives the faults of its rows, by row. */
  async function syncedWrong(bytes: Buffer): Promise<Record<string, string>> {
    drop.put("items", bytes);
    const warehouse = await connectedWarehouse(service, csvDrop, drop.config());
    try {
      for (let cursor: string | null = null; ; ) {
        const page: Page<SourceRecord> | undefined = await csvDrop.syncItems?.(warehouse.source, {
          since: null,
          cursor,
        });
        await warehouse.write("items", page?.records ?? []);
        cursor = page?.next ?? null;
        if (cursor === null) return {};
      }
    } catch (error) {
      assert.ok(error instanceof SourceError, String(error));
      const named = [...error.message.matchAll(/row (\d+): ([^|]*)/g)].map(([, row, why]) => [row, why]);
      return Object.fromEntries(named);
    }
  }

  function assertWrong(found: Record<string, string>, wrong: object, most = Number.POSITIVE_INFINITY) {
    const expected = Object.entries(wrong as Record<string, RegExp>).slice(0, most);
    assert.deepEqual(
      Object.keys(found),
      expected.map(([row]) => row),
    );
    for (const [row, why] of expected) assert.match(found[row] as string, why);
  }

  for (const { name, as, has, wrong = {} } of files)
    describe(name, () => {
      const total = Object.keys(has).length + Object.keys(wrong).length;

      it("is imported, and said beforehand what would be", async () => {
        const bytes = await bytesOf(name);
        const tried = await ask(bytes, { dry_run: true });
        assert.deepEqual([tried.status, tried.body.dry_run, await stored()], [200, true, {}]);
        const { encoding, separator } = tried.body.file;
        assert.deepEqual([encoding, separator], as);
        const { body } = await ask(bytes);
        for (const field of ["total", "imported", "skipped", "errors", "warnings", "file"])
          assert.deepEqual(body[field], tried.body[field], field);
        assert.deepEqual([body.total, body.imported], [total, Object.keys(has).length]);
        assert.deepEqual(await stored(), has);
        const faults = (body.errors as { row: number; error: string }[]).map(({ row, error }) => [row, error]);
        assertWrong(Object.fromEntries(faults), wrong);
      });

      it("says the same to the connector", async () => {
        assertWrong(await syncedWrong(await bytesOf(name)), wrong, 4);
        assert.deepEqual(await stored(), has);
      });

      it("is shown at the desk before it is imported", async () => {
        const page = await browser.open({ path: "/console/imports", username: admin });
        const file = { name, mimeType: "text/csv", buffer: await bytesOf(name) };
        await page.locator("input[type=file]").setInputFiles(file);
        await page.getByRole("button", { name: "Check the file" }).click();
        const count = Object.keys(has).length;
        await page.getByText(`${count} of ${total} rows would be imported`).waitFor();
        const seen = page.getByRole("table", { name: "How the file is understood" });
        for (const sku of Object.keys(has)) await seen.getByRole("cell", { name: sku, exact: true }).first().waitFor();
        for (const row of Object.keys(wrong))
          await page
            .getByRole("table", { name: "Rows with remarks" })
            .getByRole("cell", { name: row })
            .first()
            .waitFor();
        assert.deepEqual(await stored(), {});
        await page.getByRole("button", { name: `Import ${count} ${count === 1 ? "row" : "rows"}` }).click();
        await page.getByText(`Imported ${count} of ${total}`).waitFor();
        assert.deepEqual(await stored(), has);
        await page.close();
      });
    });

  for (const [name, why] of unreadable)
    it(`${name} is not read at all, and says why`, async () => {
      const bytes = await bytesOf(name);
      const { status, body } = await ask(bytes);
      assert.equal(status, 400);
      assert.match(body.error, why);
      drop.put("items", bytes);
      const warehouse = await connectedWarehouse(service, csvDrop, drop.config());
      await assert.rejects(warehouse.sync("items"), why);
      const page = await browser.open({ path: "/console/imports", username: admin });
      await page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/csv", buffer: bytes });
      await page.getByRole("button", { name: "Check the file" }).click();
      await page.getByRole("alert").getByText(why).waitFor();
      await page.close();
      assert.deepEqual(await stored(), {});
    });
});
