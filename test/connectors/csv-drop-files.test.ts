import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import csvDrop from "../../src/connectors/built-in/csv-drop.js";
import { type Page, SourceError, type SourceRecord } from "../../src/connectors/connector.js";
import { testService } from "../support/service.js";
import { type CsvDrop, openCsvDrop } from "../support/shops/csv.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";

describe("CSV files", () => {
  const service = testService();
  let drop: CsvDrop;
  beforeEach(async () => {
    drop = await openCsvDrop();
  });
  afterEach(() => drop.close());

  const connected = (): Promise<ConnectedWarehouse> => connectedWarehouse(service, csvDrop, drop.config());
  const itemsFile = (count: number, name = "Mug") =>
    `sku,item_name\r\n${Array.from({ length: count }, (_, i) => `SKU-${i},"${name}, ""Größe"" ${i}"\r\n`).join("")}`;
  const ordersFile = (count: number, memo = "") =>
    `order_number,sku,quantity,memo\n${Array.from({ length: count }, (_, i) => `SO-${i},A,1,${memo}\n`).join("")}`;
  const skusOf = (count: number) => Array.from({ length: count }, (_, i) => `SKU-${i}`);
  const ids = (records: { external_id: string }[]) => records.map((record) => record.external_id);

  for (const [how, sends] of [
    ["parts and ETags", { parts: true, etag: true, lastModified: true }],
    ["parts and times", { parts: true, etag: false, lastModified: true }],
    ["parts that nothing tells apart", { parts: true, etag: false, lastModified: false }],
    ["the whole file alone", { parts: false, etag: true, lastModified: true }],
    ["the whole file, with another time for each request", { parts: false, etag: false, lastModified: false }],
  ] as const)
    describe(`from a server that sends ${how}`, () => {
      beforeEach(() => {
        drop.sends = sends;
      });

      it("are read in pages of 250 rows, each row once", async () => {
        drop.put("items", itemsFile(1_100));
        const pages = await (await connected()).pages("items");
        assert.ok(pages.every((page) => page.records.length <= 250));
        assert.deepEqual(ids(pages.flatMap((page) => page.records) as { external_id: string }[]), skusOf(1_100));
      });

      it("have their last page full, or only their first", async () => {
        for (const count of [1, 249, 250, 251, 500]) {
          drop.put("items", itemsFile(count));
          const pages = await (await connected()).pages("items");
          assert.equal(pages.length, Math.ceil(count / 250));
          assert.equal(pages.flatMap((page) => page.records).length, count);
        }
        drop.put("items", "sku,item_name\n");
        assert.deepEqual(await (await connected()).records("items"), []);
      });

      it("are begun again when they change between two pages", async () => {
        drop.put("items", itemsFile(1_000));
        drop.put("orders", ordersFile(1_000));
        const { source } = await connected();
        for (const [file, sync] of [
          ["items", csvDrop.syncItems],
          ["orders", csvDrop.syncOrders],
        ] as const) {
          let page = await sync?.(source, { since: null, cursor: null });
          page = await sync?.(source, { since: null, cursor: page?.next ?? "" });
          drop.put(file, file === "items" ? itemsFile(400, "Bowl") : ordersFile(400, "second"));
          const read = [];
          for (let cursor = page?.next ?? null; cursor !== null; cursor = page?.next ?? null) {
            page = await sync?.(source, { since: null, cursor });
            read.push(...(page?.records ?? []));
          }
          assert.equal(read.length, 400);
          assert.ok(read.every(({ values }) => /^Bowl|^second/.test(`${values.item_name ?? values.memo}`)));
        }
      });

      it("are not read while they change all the time", async () => {
        drop.put("items", itemsFile(1_000));
        const warehouse = await connected();
        let puts = 0;
        drop.afterAnswer = () => drop.put("items", itemsFile(1_000, `${++puts}`));
        await assert.rejects(
          warehouse.pages("items"),
          (error) => error instanceof SourceError && /items_url changed whenever it was read/.test(error.message),
        );
      });
    });

  it("that shrink or go empty while they are read are begun again", async () => {
    drop.put("items", itemsFile(1_000));
    const { source } = await connected();
    const read = (cursor: string | null) => csvDrop.syncItems?.(source, { since: null, cursor });
    const first = await read(null);
    drop.put("items", itemsFile(3));
    assert.equal((await read(first?.next ?? null))?.records.length, 3);
    drop.put("items", "");
    await assert.rejects(Promise.resolve(read(first?.next ?? null)), /the file is empty/);
  });

  it("name the right row on any page", async () => {
    const rows = itemsFile(700).split("\r\n");
    rows[601] = "SKU-X,";
    drop.put("items", `${rows.slice(0, 300).join("\r\n")}\r\n\r\n${rows.slice(300).join("\r\n")}`);
    await assert.rejects((await connected()).pages("items"), /\(1\): row 603: item_name: is needed/);
  });

  it("that are cut anywhere by the end of a part are read right", async () => {
    // The first part ends within each of these rows in turn: within a quote, a character, a line break.
    const row = 'SKU-1,"Grö""ße"\r\n';
    const named = (i: number, bytes: number) => `F${String(i).padStart(4, "0")},${"x".repeat(bytes - 8)}\r\n`;
    const before = ["sku,item_name\r\n", ...Array.from({ length: 327 }, (_, i) => named(i, 200))].join("");
    for (let shift = 0; shift <= Buffer.byteLength(row); shift++) {
      drop.put("items", `${before}${named(327, 64 * 1024 - before.length - shift)}${row}C,D\r\n`);
      const records = await (await connected()).records("items");
      assert.equal(records.find(({ external_id }) => external_id === "SKU-1")?.values.item_name, 'Grö"ße');
    }
  });

  describe("of many rows", function () {
    this.timeout(0);

    for (const [how, parts, count] of [
      ["in parts", true, 50_000],
      ["from a server that sends them whole", false, 10_000],
    ] as const)
      it(`are read ${how} with as much memory at the end as at the beginning`, async () => {
        drop.sends.parts = parts;
        setFlagsFromString("--expose-gc");
        const collectGarbage = runInNewContext("gc") as () => void;
        const heap = () => {
          collectGarbage();
          return process.memoryUsage().heapUsed;
        };
        const file = itemsFile(count);
        drop.put("items", file);
        const { source } = await connected();
        let cursor: string | null = null;
        let rows = 0;
        let pages = 0;
        let early = 0;
        do {
          const page: Page<SourceRecord> | undefined = await csvDrop.syncItems?.(source, { since: null, cursor });
          rows += page?.records.length ?? 0;
          cursor = page?.next ?? null;
          if (++pages === 10) early = heap();
        } while (cursor !== null);
        assert.equal(rows, count);
        assert.ok(heap() - early < 4 * 1024 * 1024);
        if (!parts) return;
        // A page reads a part, of which it needs some: 250 rows.
        const sent = drop.answers.reduce((sum, bytes) => sum + bytes, 0);
        assert.ok(sent < Buffer.byteLength(file) + pages * 64 * 1024);
      });
  });
});
