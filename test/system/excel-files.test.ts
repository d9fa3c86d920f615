import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { z } from "zod";
import { excelOf } from "../../src/platform/files/excel.js";
import { unguarded, withoutWrap } from "../../src/platform/files/formulas.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { send } from "../support/send.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

type Language = "de" | "en";
const delimiters = { de: ";", en: "," };

describe("a list as a file for Excel", () => {
  const service = testService({ env: { SERVICE_COMPANY_TIMEZONE: "Europe/Berlin" } });

  async function fileOf(path: string, language: Language): Promise<Record<string, string>[]> {
    const { status, headers, body } = await service.admin
      .with({ accept: `text/csv;dialect=excel-${language}` })
      .get(path);
    assert.deepEqual([status, headers.get("content-type")], [200, "text/csv; charset=utf-8"]);
    assert.match(String(headers.get("content-disposition")), /^attachment; filename="[a-z-]+-\d{4}-\d\d-\d\d\.csv"$/);
    return parse(body, { bom: true, columns: true, delimiter: delimiters[language] });
  }

  it("has the separator, the decimals and the words of its language, and days and times that it knows", async () => {
    const category = `CAT-${unique()}`;
    const { item_id, sku } = await fixtures.item({ weight: "1.25", upc: "0400000000015" });
    await db.run(
      `update items set category = $2, item_name = '=1+1; Größe', created_at = '2026-07-05T22:30:15.5Z'
       where item_id = $1`,
      [item_id, category],
    );
    const path = `/api/admin/items?category=${category}`;
    const [german] = await fileOf(path, "de");
    const [english] = await fileOf(path, "en");
    const common = { sku, upc: '="0400000000015"', item_name: "'=1+1; Größe", category };
    const time = { "created_at (Europe/Berlin)": "2026-07-06 00:30:15" };
    const pick = (row: object | undefined, like: object) =>
      Object.fromEntries(Object.keys(like).map((name) => [name, (row as Record<string, string>)[name]]));
    const inGerman = { ...common, ...time, weight_lbs: "1,25", is_active: "WAHR" };
    const inEnglish = { ...common, ...time, weight_lbs: "1.25", is_active: "TRUE" };
    assert.deepEqual(pick(german, inGerman), inGerman);
    assert.deepEqual(pick(english, inEnglish), inEnglish);
  });

  it("has the times of a warehouse by its own clock, and days as they are", async () => {
    const warehouse_id = await fixtures.warehouse();
    await db.run("update warehouses set timezone = 'Pacific/Auckland' where warehouse_id = $1", [warehouse_id]);
    const { so_id } = await fixtures.salesOrder(warehouse_id, []);
    await db.run(
      "update sales_orders set created_at = '2026-07-05T12:00:00Z', ship_by_date = '2026-07-08' where so_id = $1",
      [so_id],
    );
    const [order] = await fileOf(`/api/admin/sales-orders?warehouse_id=${warehouse_id}`, "de");
    assert.deepEqual(
      [order?.["created_at (Pacific/Auckland)"], order?.ship_by_date],
      ["2026-07-06 00:00:00", "2026-07-08"],
    );
  });

  it("is in no language that it does not know, and leaves the file for programs as it is", async () => {
    const answer = (accept: string) => service.admin.with({ accept }).get("/api/admin/warehouses");
    const { body: plain } = await answer("text/csv");
    assert.equal((await answer("text/csv, text/csv;dialect=excel-de;q=0.5")).body, plain);
    const { headers } = await answer("text/csv;dialect=excel-fr");
    assert.match(String(headers.get("content-type")), /^application\/json/);
  });

  it("begins with the mark of UTF-8, and has the line ends of Windows, also behind its last row", async () => {
    await fixtures.warehouse();
    // `fetch` would take the mark away.
    const fileAs = async (accept: string) => {
      const headers = { ...service.admin.headers, accept };
      return (await send(service.url, { method: "GET", path: "/api/admin/warehouses", headers })).body;
    };
    for (const language of ["de", "en"] as const) {
      const file = await fileAs(`text/csv;dialect=excel-${language}`);
      const [head = "", ...rows] = file.split("\r\n");
      assert.ok(head.startsWith(`\ufeffwarehouse_id${delimiters[language]}warehouse_code`), head);
      assert.deepEqual([rows.pop(), rows.some((row) => row.includes("\n"))], ["", false]);
      assert.ok(rows.length > 0);
    }
    assert.ok((await fileAs("text/csv")).startsWith("warehouse_id,warehouse_code"));
  });

  const Record = z.object({ text: z.string() });
  async function cellOf(text: string, language: Language): Promise<string> {
    let file = "";
    for await (const part of excelOf([[{ text }]], Record, language, "UTC")) file += part;
    const [, [cell]] = parse(file, { bom: true, delimiter: delimiters[language] }) as [string[], [string]];
    return cell;
  }

  it("keeps codes that a sheet would take for numbers, days or times", async () => {
    for (const code of [
      "007",
      "400000000001",
      "1-2",
      "3/4",
      "12:30",
      "1E5",
      "1.5",
      "1,5",
      "+49 30 12",
      "-5",
      "50%",
      "4 MAY",
    ])
      assert.equal(await cellOf(code, "de"), `="${code}"`, code);
    for (const code of ["MAR-12", "12-Dez", "Sep 2026", "märz 1"]) assert.equal(await cellOf(code, "en"), `="${code}"`);
    for (const text of ["MUG-1", "42", "A-01-02", "Marta", "12 Main Street", ""])
      assert.equal(await cellOf(text, "de"), text);
  });

  it("never has a formula of somebody else in a cell, and is read back as it was", async () => {
    const signs = fc.constantFrom("=", "+", "-", "@", "\t", "\r", ";", ",", '"', "'", "1", "a", " ", "\n", "＝", ".");
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: signs, minLength: 1, maxLength: 8 }), async (text) => {
        for (const language of ["de", "en"] as const) {
          const cell = await cellOf(text, language);
          const wrapped = /^="[\d\s.,:/+\-eE%$€£()]*"$/.test(cell);
          assert.ok(wrapped || !/^\s*[=+\-@＝＋－＠]|^[\t\r]/.test(cell), JSON.stringify([text, cell]));
          assert.equal(wrapped ? withoutWrap(cell) : unguarded(cell), text);
        }
      }),
    );
  });
});
