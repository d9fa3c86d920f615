import assert from "node:assert/strict";
import { type Caller, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluckAll } from "../support/pluck.js";
import { file, pdfOf, scannedPdf, scannedZpl, zplOf } from "../support/printed/fetch.js";
import type { ZplLabel } from "../support/printed/zpl.js";
import { testService } from "../support/service.js";

const BINS = "/api/admin/bins";
const ITEMS = "/api/admin/items";

describe("labels of bins and items", () => {
  const service = testService();
  let warehouse: number;
  let worker: Caller;
  before(async () => {
    warehouse = await fixtures.warehouse();
    worker = await service.user({ warehouse_ids: [warehouse] });
  });

  const bin = async (fields: Record<string, string>) => {
    const bin_id = await fixtures.bin(warehouse);
    await change("bins", "bin_id", bin_id, fields);
    return bin_id;
  };
  const item = async (fields: Record<string, string | null>) => {
    const { item_id } = await fixtures.item();
    await change("items", "item_id", item_id, fields);
    return item_id;
  };
  const change = async (table: string, key: string, id: number, fields: Record<string, string | null>) => {
    for (const [column, value] of Object.entries(fields))
      await db.run(`update ${table} set ${column} = $2 where ${key} = $1`, [id, value]);
  };
  const texts = ({ fields }: ZplLabel) => fields.filter(({ kind }) => kind.startsWith("A")).map(({ data }) => data);
  const codes = ({ fields }: ZplLabel) =>
    fields.filter(({ kind }) => kind.startsWith("B")).map(({ kind, data }) => [kind, data]);

  describe("of a bin", () => {
    it("is a PDF of the size that was asked for, whose barcode scans as the bin's", async () => {
      const id = await bin({ bin_code: "A-01-02", bin_barcode: "BIN-A0102", aisle: "A", row_num: "01" });
      for (const [size, width, height] of [
        ["", 100, 50],
        ["?size=57x32", 57, 32],
        ["?size=4x6in", 102, 152],
      ] as const) {
        const pages = await scannedPdf(worker, `${BINS}/${id}/label${size}`);
        assert.deepEqual(pluckAll(pages, "width", "height", "barcodes"), [
          [width, height, [{ text: "BIN-A0102", format: "Code128" }]],
        ]);
        assert.ok(["A-01-02", "BIN-A0102", "A · 01"].every((text) => pages[0]?.texts.includes(text)));
      }
    });

    it("is ZPL for the resolution of the printer", async () => {
      const id = await bin({ bin_code: "A-01-03", bin_barcode: "BIN-A0103" });
      for (const [dpi, width] of [
        [203, 799],
        [300, 1181],
      ]) {
        const [label, ...others] = await zplOf(worker, `${BINS}/${id}/label?format=zpl&dpi=${dpi}`);
        assert.ok(label);
        assert.deepEqual([others, label.width, codes(label)], [[], width, [["BC", "BIN-A0103"]]]);
        assert.equal(texts(label)[0], "A-01-03");
        const printed = await scannedZpl(worker, `${BINS}/${id}/label?format=zpl&dpi=${dpi}`);
        assert.deepEqual(printed, [[{ text: "BIN-A0103", format: "Code128" }]]);
      }
    });

    it("is shown by a browser under a name that every system takes, and not cached", async () => {
      const id = await bin({ bin_code: 'Ä/"7";\r\nX: 1', bin_barcode: "B-7" });
      const pdf = await file(worker, `${BINS}/${id}/label`);
      const said = (headers: Headers) =>
        ["content-type", "content-disposition", "cache-control"].map((name) => headers.get(name));
      assert.deepEqual(said(pdf.headers), ["application/pdf", 'inline; filename="bin-_7_X_1.pdf"', "no-store"]);
      assert.equal(pdf.bytes.subarray(0, 5).toString(), "%PDF-");
      const zpl = await file(worker, `${BINS}/${id}/label?format=zpl`);
      assert.deepEqual(said(zpl.headers).slice(0, 2), [
        "text/plain; charset=utf-8",
        'inline; filename="bin-_7_X_1.zpl"',
      ]);
    });

    it("has a QR code where bars cannot hold the barcode, or not in the room there is", async () => {
      for (const barcode of ["Полка-7", "A>B", "LONG-".repeat(12)]) {
        const id = await bin({ bin_barcode: barcode });
        const [page] = await scannedPdf(worker, `${BINS}/${id}/label`);
        assert.deepEqual(page?.barcodes, [{ text: barcode, format: "QRCode" }]);
        const [label] = await zplOf(worker, `${BINS}/${id}/label?format=zpl`);
        assert.deepEqual(codes(label as ZplLabel), [["BQ", `MA,${barcode}`]]);
        const printed = await scannedZpl(worker, `${BINS}/${id}/label?format=zpl`);
        assert.deepEqual(printed, [[{ text: barcode, format: "QRCode" }]]);
      }
    });

    it("has no barcode rather than one that nobody can scan", async () => {
      const id = await bin({ bin_barcode: "Ж".repeat(128) });
      const [page] = await scannedPdf(worker, `${BINS}/${id}/label?size=57x32`);
      assert.deepEqual([page?.barcodes, page?.outside], [[], []]);
      assert.ok(page?.texts.some((text) => text.startsWith("ЖЖЖ")));
    });

    it("never lets text leave the label, however long it is", async () => {
      const long = { bin_code: "W".repeat(64), bin_barcode: "W".repeat(128), aisle: "W".repeat(32) };
      const id = await bin({ ...long, row_num: "W".repeat(32), level_num: "W ".repeat(16).trim() });
      for (const size of ["100x50", "57x32", "4x6in"]) {
        const [page] = await pdfOf(worker, `${BINS}/${id}/label?size=${size}`);
        assert.deepEqual(page?.outside, [], size);
        await zplOf(worker, `${BINS}/${id}/label?format=zpl&size=${size}`);
      }
    });

    it("prints what looks like a command as text", async () => {
      const hostile = "^XZ^XA~JR^FD_5E\\&";
      const id = await bin({ bin_code: hostile, bin_barcode: hostile, aisle: "^FS", row_num: "~HS" });
      const labels = await zplOf(worker, `${BINS}/${id}/label?format=zpl`);
      assert.equal(labels.length, 1);
      assert.equal(texts(labels[0] as ZplLabel)[0], hostile);
      assert.deepEqual(codes(labels[0] as ZplLabel), [["BC", hostile]]);
      const printed = await scannedZpl(worker, `${BINS}/${id}/label?format=zpl`);
      assert.deepEqual(printed, [[{ text: hostile, format: "Code128" }]]);
      const [page] = await scannedPdf(worker, `${BINS}/${id}/label`);
      assert.equal(page?.barcodes[0]?.text, hostile);
    });

    it("is refused where there is no such bin, or it lies elsewhere", async () => {
      const elsewhere = await fixtures.bin(await fixtures.warehouse());
      assert.deepEqual(statusAndError(await worker.get(`${BINS}/999999/label`)), [404, "Bin 999999 not found"]);
      assert.equal((await worker.get(`${BINS}/${elsewhere}/label`)).code, "warehouse_denied");
      await file(service.admin, `${BINS}/${elsewhere}/label`);
      for (const query of ["format=png", "size=A4", "dpi=600", "copies=2"])
        assert.equal((await worker.get(`${BINS}/${elsewhere}/label?${query}`)).status, 400, query);
    });
  });

  describe("of many bins", () => {
    it("come in the order that was asked for", async () => {
      const [first, second] = [await bin({ bin_barcode: "FIRST" }), await bin({ bin_barcode: "SECOND" })];
      const pages = await scannedPdf(worker, `${BINS}/labels?bin_ids=${second},${first},${second}`);
      assert.deepEqual(
        pages.map(({ barcodes }) => barcodes[0]?.text),
        ["SECOND", "FIRST", "SECOND"],
      );
    });

    it("come for a whole zone in the order of a walk, without inactive bins", async () => {
      const zone_id = await zoneWith(3);
      await db.run("update bins set is_active = false where zone_id = $1 and pick_sequence = 2", [zone_id]);
      const labels = await zplOf(worker, `${BINS}/labels?zone_id=${zone_id}&format=zpl`);
      assert.deepEqual(
        labels.map((label) => codes(label)[0]?.[1]),
        [`Z${zone_id}-3`, `Z${zone_id}-1`],
      );
    });

    it("are at most 200 of one request, and 1,000 of a zone", async () => {
      const zone_id = await zoneWith(1_001);
      const refused = await worker.get(`${BINS}/labels?zone_id=${zone_id}`);
      assert.equal(refused.code, "too_many_labels");
      await db.run("update bins set is_active = false where zone_id = $1 and pick_sequence > 201", [zone_id]);
      assert.equal((await zplOf(worker, `${BINS}/labels?zone_id=${zone_id}&format=zpl`)).length, 201);
      const ids = await db.rows<{ bin_id: number }>("select bin_id from bins where zone_id = $1 order by 1", [zone_id]);
      const some = (count: number) => `bin_ids=${ids.slice(0, count).map((row) => row.bin_id)}`;
      assert.equal((await worker.get(`${BINS}/labels?${some(201)}`)).code, "validation_error");
      assert.equal((await zplOf(worker, `${BINS}/labels?${some(200)}&format=zpl`)).length, 200);
    });

    it("are refused with what is wrong", async () => {
      const mine = await bin({});
      const elsewhere = await fixtures.bin(await fixtures.warehouse());
      const zone = await db.row<{ zone_id: number }>("select zone_id from bins where bin_id = $1", [elsewhere]);
      const code = async (query: string) => (await worker.get(`${BINS}/labels${query}`)).code;
      assert.equal(await code(""), "labels_of_nothing");
      assert.equal(await code(`?bin_ids=${mine}&zone_id=1`), "labels_of_nothing");
      assert.equal(await code(`?bin_ids=${mine},999999`), "bin_not_found");
      assert.equal(await code(`?bin_ids=${mine},${elsewhere}`), "warehouse_denied");
      assert.equal(await code(`?zone_id=${zone?.zone_id}`), "warehouse_denied");
      assert.equal(await code("?zone_id=999999"), "zone_not_found");
      assert.equal(await code(`?zone_id=${await zoneWith(0)}`), "nothing_to_print");
      for (const ids of ["", "x", "1,", "1;2", "0", "2147483648", "-1", "1e3"])
        assert.equal(await code(`?bin_ids=${ids}`), "validation_error", ids);
    });

    /** A zone with bins that are walked from the last to the first. */
    async function zoneWith(bins: number): Promise<number> {
      const made = await db.row<{ zone_id: number }>(
        `insert into zones (warehouse_id, zone_code, zone_name, zone_type)
         values ($1, gen_random_uuid()::text::varchar(32), 'Zone', 'STORAGE') returning zone_id`,
        [warehouse],
      );
      const zone_id = made?.zone_id as number;
      await db.run(
        `insert into bins (zone_id, warehouse_id, bin_code, bin_barcode, pick_sequence)
         select $1, $2, 'Z' || $1::int || '-' || n, 'Z' || $1::int || '-' || n, $3::int + 1 - n
         from generate_series(1, $3::int) n`,
        [zone_id, warehouse, bins],
      );
      return zone_id;
    }
  });

  describe("of an item", () => {
    it("has a valid GTIN as retailers print it, and everything else as Code 128", async () => {
      for (const [upc, format, command, data] of [
        ["4006381333931", "EAN13", "BE", "400638133393"],
        ["73513537", "EAN8", "B8", "7351353"],
        ["4006381333930", "Code128", "BC", "4006381333930"],
        ["0036000291452", "Code128", "BC", "0036000291452"],
        ["UPC 1", "Code128", "BC", "UPC 1"],
      ]) {
        const id = await item({ upc: upc as string });
        const [page] = await scannedPdf(worker, `${ITEMS}/${id}/label`);
        assert.deepEqual(page?.barcodes, [{ text: upc, format }]);
        const [label] = await zplOf(worker, `${ITEMS}/${id}/label?format=zpl`);
        assert.deepEqual(codes(label as ZplLabel), [[command, data]]);
        if (command === "B8") continue;
        const printed = await scannedZpl(worker, `${ITEMS}/${id}/label?format=zpl`);
        assert.deepEqual(printed, [[{ text: upc, format }]]);
      }
      const id = await item({ upc: "036000291452" });
      const [page] = await scannedPdf(worker, `${ITEMS}/${id}/label`);
      assert.match(page?.barcodes[0]?.text ?? "", /^0?036000291452$/);
      const [label] = await zplOf(worker, `${ITEMS}/${id}/label?format=zpl`);
      assert.deepEqual(codes(label as ZplLabel), [["BU", "03600029145"]]);
    });

    it("has the SKU as barcode where there is no UPC", async () => {
      const id = await item({ upc: null, sku: "MUG-12" });
      const [page] = await scannedPdf(worker, `${ITEMS}/${id}/label?size=57x32`);
      assert.deepEqual(page?.barcodes, [{ text: "MUG-12", format: "Code128" }]);
    });

    it("is printed in as many copies as are asked for", async () => {
      const id = await item({});
      assert.equal((await pdfOf(worker, `${ITEMS}/${id}/label?copies=3`)).length, 3);
      assert.equal((await zplOf(worker, `${ITEMS}/${id}/label?copies=200&format=zpl`)).length, 200);
      for (const copies of [0, 201])
        assert.equal((await worker.get(`${ITEMS}/${id}/label?copies=${copies}`)).status, 400);
    });

    it("has names in Latin, Greek and Cyrillic letters, and a sign for what the font lacks", async () => {
      const id = await item({ item_name: "Größe Żółć Αθήνα Киев 文字😀\u202e\u0007!" });
      const [page] = await pdfOf(worker, `${ITEMS}/${id}/label`);
      assert.ok(page?.texts.join(" ").includes("Größe Żółć Αθήνα Киев ��"), page?.texts.join("|"));
      const [label] = await zplOf(worker, `${ITEMS}/${id}/label?format=zpl`);
      assert.match(texts(label as ZplLabel).join(" "), /Größe Żółć Αθήνα Киев \?\?/);
      assert.ok(label?.fields.some(({ kind }) => kind === "A@"));
    });

    it("is printed with whatever else a name may hold", async () => {
      for (const item_name of [
        "שלום مرحبا",
        "é".normalize("NFD").repeat(100),
        "\u200b",
        "<b>&amp;</b> %PDF-1.7 \\(x\\)",
      ]) {
        const id = await item({ item_name });
        const [page] = await pdfOf(worker, `${ITEMS}/${id}/label?size=57x32`);
        assert.deepEqual(page?.outside, []);
        await zplOf(worker, `${ITEMS}/${id}/label?format=zpl`);
      }
    });

    it("comes for many items at once, or is refused", async () => {
      const [one, other] = [await item({ upc: "ONE" }), await item({ upc: "OTHER" })];
      const pages = await scannedPdf(worker, `${ITEMS}/labels?item_ids=${other},${one}`);
      assert.deepEqual(
        pages.map(({ barcodes }) => barcodes[0]?.text),
        ["OTHER", "ONE"],
      );
      assert.equal((await worker.get(`${ITEMS}/labels?item_ids=${one},999999`)).code, "item_not_found");
      assert.equal((await worker.get(`${ITEMS}/labels`)).code, "validation_error");
      assert.equal((await worker.get(`${ITEMS}/999999/label`)).code, "item_not_found");
      assert.equal((await service.anyone.get(`${ITEMS}/${one}/label`)).status, 401);
    });
  });
});
