import assert from "node:assert/strict";
import csvDrop from "../../src/connectors/built-in/csv-drop.js";
import { SourceError } from "../../src/connectors/connector.js";
import { db } from "../support/db.js";
import { bin, item } from "../support/fixtures.js";
import { fresh } from "../support/inbound.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { type CsvDrop, openCsvDrop } from "../support/shops/csv.js";
import { type ConnectedWarehouse, connectedWarehouse } from "../support/shops/sync.js";

describe("items and stock from CSV files", () => {
  const service = testService();
  let drop: CsvDrop;
  beforeEach(async () => {
    drop = await openCsvDrop();
  });
  afterEach(() => drop.close());

  /** A warehouse whose items come from this file. */
  async function withItems(content: string | Buffer, config: object = {}): Promise<ConnectedWarehouse> {
    drop.put("items", content);
    return connectedWarehouse(service, csvDrop, { ...drop.config(), ...config });
  }
  const stored = (sku: string) => db.row<Record<string, unknown>>("select * from items where sku = $1", [sku]);
  const refused = (message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.match(error.message, message);
    return true;
  };
  const skus = async (content: string | Buffer) =>
    (await (await withItems(content)).records("items")).map((record) => record.external_id);

  it("have each column of an item", async () => {
    const sku = fresh("MUG");
    const row = [
      ...[sku, '"Mug, blue"', '"For ""tea"""', "4006381333931", "M-1", "B1 | B2", "Kitchen"],
      ...["0.75", "4.5", "3", "3.25", "10", "40", "no", "no", "yes"],
    ];
    const names = [
      ...["sku", "item_name", "description", "upc", "mpn", "barcode_aliases", "category", "weight_lbs", "length_in"],
      ...["width_in", "height_in", "reorder_point", "reorder_qty", "is_lot_tracked", "is_serial_tracked", "is_active"],
    ];
    const warehouse = await withItems(`${names.join()}\n${row.join()}\n`);
    assert.deepEqual(await warehouse.sync("items"), { written: 1 });
    const expected = {
      ...{ sku, item_name: "Mug, blue", description: 'For "tea"', upc: "4006381333931", mpn: "M-1" },
      ...{ barcode_aliases: ["B1", "B2"], category: "Kitchen", weight_lbs: "0.7500", length_in: "4.50" },
      ...{ width_in: "3.00", height_in: "3.25", reorder_point: 10, reorder_qty: 40 },
      ...{ is_lot_tracked: false, is_serial_tracked: false, is_active: true },
    };
    const written = (await stored(sku)) ?? {};
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, written[name]])), expected);
  });

  for (const [what, content] of [
    ["commas", "sku,item_name\nA,Mug\nB,Bowl\n"],
    ["semicolons", "sku;item_name\nA;Mug\nB;Bowl\n"],
    ["CRLF", "sku,item_name\r\nA,Mug\r\nB,Bowl\r\n"],
    ["CR", "sku,item_name\rA,Mug\rB,Bowl\r"],
    ["a BOM", "\uFEFFsku,item_name\nA,Mug\nB,Bowl\n"],
    ["quotes", '"sku","item_name"\n"A","Mug"\n"B","Bo""wl"\n'],
    ["no line break at the end", "sku,item_name\nA,Mug\nB,Bowl"],
    ["empty lines and rows", "sku,item_name\n\nA,Mug\n,\n \nB,Bowl\n,,\n\n"],
    ["spaces and capitals", " SKU , Item_Name\n A , Mug \nB,Bowl\n"],
    ["tabs", "sku\titem_name\nA\tMug\nB\tBowl\n"],
    ["a line that tells the separator", "sep=;\r\nsku;item_name\r\nA;Mug\r\nB;Bowl\r\n"],
    ["codes that are kept as text", '"sku";"item_name"\n"=""A""";Mug\n"=""B""";Bowl\n'],
    ["UTF-16", Buffer.from("\uFEFFsku\titem_name\r\nA\tMug\r\nB\tBowl\r\n", "utf16le")],
    ["UTF-16 the other way round", Buffer.from("\uFEFFsku,item_name\nA,Mug\nB,Bowl\n", "utf16le").swap16()],
    ["empty columns at the end", "sku;item_name;;\nA;Mug;;\nB;Bowl;\n"],
  ] as const)
    it(`may be written with ${what}`, async () => {
      assert.deepEqual(await skus(content), ["A", "B"]);
    });

  it("may have line breaks, separators and any script in a value", async () => {
    const warehouse = await withItems('sku,item_name,description\nA,"Mug, ""blue""","Größe\nXXL"\nB,杯子,😀\n');
    assert.deepEqual(
      (await warehouse.records("items")).map(({ values }) => [values.item_name, values.description]),
      [
        ['Mug, "blue"', "Größe\nXXL"],
        ["杯子", "😀"],
      ],
    );
  });

  it("write nothing again that says the same, and what says something else", async () => {
    const [one, other] = [fresh("A"), fresh("B")];
    const warehouse = await withItems(`sku,item_name\n${one},Mug\n${other},Bowl\n`);
    assert.deepEqual(await warehouse.sync("items"), { written: 2 });
    assert.deepEqual(await warehouse.sync("items"), { known: 2 });
    drop.put("items", `item_name;sku\r\n Mug ;${one}\r\n"Bowl";${other}\r\n`);
    assert.deepEqual(await warehouse.sync("items"), { known: 2 });
    drop.put("items", `sku,item_name\n${one},Cup\n${other},Bowl\n`);
    assert.deepEqual(await warehouse.sync("items"), { written: 1, known: 1 });
    drop.put("items", `sku,item_name\n${one},Mug\n${other},Bowl\n`);
    assert.deepEqual(await warehouse.sync("items"), { written: 1, known: 1 });
    assert.equal((await stored(one))?.item_name, "Mug");
  });

  it("leave a column as it is that they do not have, and empty one that they leave empty", async () => {
    const sku = fresh("A");
    const warehouse = await withItems(`sku,item_name,upc,category\n${sku},Mug,123,Kitchen\n`);
    await warehouse.sync("items");
    drop.put("items", `sku,item_name,category\n${sku},Mug,\n`);
    assert.deepEqual(await warehouse.sync("items"), { written: 1 });
    assert.equal((await stored(sku))?.upc, "123");
    assert.equal((await stored(sku))?.category, null);
  });

  it("take an item that is here under its SKU", async () => {
    const { sku } = await item();
    const before = await stored(sku);
    await (await withItems(`sku,item_name\n${sku},Mug\n`)).sync("items");
    assert.equal((await stored(sku))?.external_id, before?.external_id);
    assert.equal((await stored(sku))?.item_name, "Mug");
  });

  for (const [what, content, message] of [
    ["nothing", "", /^items_url: the file is empty$/],
    ["a blank line", "\n", /row 1: unknown columns ""/],
    ["a workbook", Buffer.from("PK\u0003\u0004\u0014\0\u0006"), /: this is a workbook/],
    [
      "unknown columns",
      "sku,item_name,colour,size\n",
      /row 1: unknown columns "colour", "size"; the columns are sku, /,
    ],
    ["a column twice", "sku,item_name,SKU\n", /row 1: "sku" is there twice/],
    ["a column too few", "sku\nA\n", /row 1: "item_name" is missing/],
    ["a page for people", "<html>\n<body>Log in</body></html>", /row 1: unknown columns "<html>"/],
    [
      "a quote that is not closed",
      'sku,item_name\nA,Mug\nB,"Bowl\nC,Cup\n',
      /row 3: a quote is opened and never closed/,
    ],
    ["a quote within a value", 'sku,item_name\nA,3" pipe\n', /row 2: .*has to stand in quotes/],
    ["text behind a quote", 'sku,item_name\nA,"3" pipe\n', /row 2: .*has to stand in quotes/],
    ["endless quotes", `sku,item_name\nA,"${"x".repeat(150_000)}\n`, /row 2: it is longer than 100000 bytes/],
  ] as const)
    it(`are not read when they have ${what}`, async () => {
      const warehouse = await withItems(content);
      await assert.rejects(warehouse.sync("items"), refused(message));
    });

  it("of which rows are wrong lead to a sync of the others, which fails at its end and names the rows", async () => {
    const [good, last] = [fresh("GOOD"), fresh("LAST")];
    const rows = [
      ...[`${good},Mug,1`, "B,Bowl", ",Nothing,1", "D,Plate,heavy", "E,Cup,-1", `${"F".repeat(129)},Cup,1`],
      ...[`${good},Mug again,2`, `${last},Spoon,`],
    ];
    const warehouse = await withItems(`sku,item_name,weight_lbs\n${rows.join("\n")}\n`);
    const first = await csvDrop.syncItems?.(warehouse.source, { since: null, cursor: null });
    assert.deepEqual(pluck(first?.records ?? [], "external_id"), [good, last]);
    assert.deepEqual(await warehouse.write("items", first?.records ?? []), { written: 2 });
    await assert.rejects(
      Promise.resolve(csvDrop.syncItems?.(warehouse.source, { since: null, cursor: first?.next ?? "" })),
      refused(
        new RegExp(
          String.raw`^items_url: wrong rows were left out \(6\): row 3: it has 2 values, and the header has 3 columns` +
            String.raw` \| row 4: sku: is needed \| row 5: weight_lbs: "heavy" is not a number` +
            String.raw` \| row 6: weight_lbs: -1 is below 0 \| and 2 more$`,
        ),
      ),
    );
  });

  it("say of a row that it is about the same item as another", async () => {
    const warehouse = await withItems("sku,item_name\nA,Mug\nB,Bowl\nA,Cup\n");
    await assert.rejects(warehouse.sync("items"), refused(/\(1\): row 4: it is about the same as row 2/));
    drop.put("items", `sku,item_name\n${"A,Mug\n".repeat(200)}`);
    await assert.rejects(warehouse.sync("items"), refused(/nothing was read/));
  });

  it("are read in Windows-1252 where their first character beyond ASCII is not UTF-8, on every page", async () => {
    const rows = Array.from({ length: 700 }, (_, i) => `S${i},${i < 300 ? "Mug" : "Größe \x80 5 Voil\xe0"}\n`);
    const warehouse = await withItems(Buffer.from(`sku,item_name\n${rows.join("")}`, "latin1"));
    const names = (await warehouse.records("items")).map(({ values }) => values.item_name);
    assert.equal(names.length, 700);
    assert.deepEqual(new Set(names), new Set(["Mug", "Größe € 5 Voilà"]));
  });

  it("in UTF-16 are read on every page", async () => {
    const rows = Array.from({ length: 700 }, (_, i) => `S${i}\tGröße ∑一 ${i}\r\n`);
    const warehouse = await withItems(Buffer.from(`\uFEFFsku\titem_name\r\n${rows.join("")}`, "utf16le"));
    const names = (await warehouse.records("items")).map(({ values }) => values.item_name);
    assert.deepEqual(
      names,
      rows.map((_, i) => `Größe ∑一 ${i}`),
    );
  });

  it("say of a row that it is not UTF-8, where the rows before it are", async () => {
    const good = Array.from({ length: 5_000 }, (_, i) => `S${i},Größe\n`).join("");
    const bad = Buffer.from("D,Größe\n", "latin1");
    const warehouse = await withItems(Buffer.concat([Buffer.from(`sku,item_name\n${good}`), bad]));
    await assert.rejects(warehouse.pages("items"), refused(/\(1\): row 5002: it is not UTF-8/));
  });

  for (const [what, row, message] of [
    [
      "a number that was shortened",
      "A,Mug,4.00638E+12,,",
      /upc: 4.00638E\+12 is a number that a spreadsheet shortened/,
    ],
    ["the same as a SKU", "4E+05,Mug,,,", /sku: 4E\+05 is a number that a spreadsheet shortened/],
    ["a wrong check digit", "A,Mug,4006381333932,,", /upc: the check digit of 4006381333932 is wrong/],
    ["zeros that were lost", "A,Mug,36000291452,,", /upc: .* were zeros lost from 036000291452/],
    ["the same in one of several", "A,Mug,,BOX|36000291452,", /barcode_aliases: .* were zeros lost from 036000291452/],
    ["a quantity that may mean two", "A,Mug,,,1.000", /reorder_point: "1.000" has to be digits alone/],
    ["the same with a comma", 'A,Mug,,,"1,000"', /reorder_point: "1,000" has to be digits alone/],
    ["a formula", "A,=1+1,,,", /item_name: must not be a formula/],
    ["a formula in full width", "A,＝1+1,,,", /item_name: must not be a formula/],
  ] as const)
    it(`say of a row that it has ${what}`, async () => {
      const warehouse = await withItems(`sku,item_name,upc,barcode_aliases,reorder_point\n${row}\n`);
      await assert.rejects(warehouse.sync("items"), refused(message));
    });

  it("have decimals with a comma where it can be nothing else", async () => {
    const sku = fresh("A");
    const weights = ["0,75", "1,5", "0,125", "1.250"];
    const warehouse = await withItems(
      `sku;item_name;weight_lbs\n${weights.map((weight, i) => `${sku}${i};Mug;${weight}\n`).join("")}`,
    );
    await warehouse.sync("items");
    const stored = await db.rows<{ weight: number }>(
      "select weight_lbs::float8 as weight from items where sku like $1 order by sku",
      [`${sku}_`],
    );
    assert.deepEqual(pluck(stored, "weight"), [0.75, 1.5, 0.125, 1.25]);
    drop.put("items", `sku;item_name;weight_lbs\n${sku};Mug;1,250\n`);
    await assert.rejects(warehouse.sync("items"), refused(/weight_lbs: "1,250" may mean two numbers/));
  });

  describe("of stock", () => {
    it("say how much of an item lies in a bin, and change nothing that is so", async () => {
      const { sku } = await item();
      const code = fresh("BIN");
      drop.put("inventory", `sku,bin_code,quantity\n${sku},${code},12\n`);
      const connected = await connectedWarehouse(service, csvDrop, drop.config());
      await bin(connected.id, { code });
      assert.deepEqual(await connected.sync("inventory"), { written: 1 });
      assert.deepEqual(await connected.sync("inventory"), { known: 1 });
      drop.put("inventory", `sku,bin_code,quantity\n${sku},${code},0\n`);
      assert.deepEqual(await connected.sync("inventory"), { written: 1 });
    });

    it("leave alone what was shipped since, as long as a row says what it said", async () => {
      const { sku, item_id } = await item();
      const code = fresh("BIN");
      drop.put("inventory", `sku,bin_code,quantity\n${sku},${code},12\n`);
      const connected = await connectedWarehouse(service, csvDrop, drop.config());
      await bin(connected.id, { code });
      const onHand = () =>
        db.value<number>("select quantity_on_hand as units from inventory where item_id = $1", [item_id]);
      await connected.sync("inventory");
      await db.run("update inventory set quantity_on_hand = 9 where item_id = $1", [item_id]);
      assert.deepEqual(await connected.sync("inventory"), { known: 1 });
      assert.equal(await onHand(), 9);
      drop.put("inventory", `sku,bin_code,quantity\n${sku},${code},20\n`);
      assert.deepEqual(await connected.sync("inventory"), { written: 1 });
      assert.equal(await onHand(), 20);
      await db.run("update inventory set quantity_on_hand = 9 where item_id = $1", [item_id]);
      await service.admin.ok("POST", "/api/admin/connectors/csv-drop/sync-reset", {
        ...{ warehouse_id: connected.id, sync_type: "inventory", full: true },
      });
      assert.deepEqual(await connected.sync("inventory"), { written: 1 });
      assert.equal(await onHand(), 20);
    });

    it("are refused for an item or a bin that is not here", async () => {
      const { sku } = await item();
      drop.put("inventory", `sku,bin_code,quantity\n${sku},NOWHERE,1\n${fresh("NONE")},NOWHERE,1\n`);
      const warehouse = await connectedWarehouse(service, csvDrop, drop.config());
      assert.deepEqual(await warehouse.sync("inventory"), { refused: 2 });
      assert.deepEqual((await warehouse.refusals()).sort(), ["bin_not_found", "item_not_found"]);
    });

    for (const [what, row, message] of [
      ["half a unit", "A,B-1,1.5", /row 2: quantity: "1.5" has to be digits alone/],
      ["less than nothing", "A,B-1,-1", /row 2: quantity: -1 is not from 0 to 1000000/],
      ["no quantity", "A,B-1,", /row 2: quantity: is needed/],
      ["another quantity in the same bin", "A,B-1,1\nA,B-1,2", /row 3: it is about the same as row 2/],
    ] as const)
      it(`are wrong with ${what}`, async () => {
        drop.put("inventory", `sku,bin_code,quantity\n${row}\n`);
        const warehouse = await connectedWarehouse(service, csvDrop, drop.config());
        await assert.rejects(warehouse.pages("inventory"), refused(message));
      });
  });

  describe("are reached", () => {
    const CONTENT = "sku,item_name\nA,Mug\n";
    const connected = async (config: object) => csvDrop.testConnection((await withItems(CONTENT, config)).source);

    it("with a user's name and password, or a token in any header", async () => {
      drop.wants = { header: "authorization", value: `Basic ${Buffer.from("drop:s3cret").toString("base64")}` };
      assert.equal(await connected({ username: "drop", password: "s3cret" }), "Connected: items_url has 2 columns");
      await assert.rejects(connected({ username: "drop", password: "wrong" }), refused(/401/));
      await assert.rejects(connected({}), refused(/401/));
      drop.wants = { header: "authorization", value: "Bearer 5f0c" };
      await connected({ token: "Bearer 5f0c" });
      drop.wants = { header: "x-drop-key", value: "5f0c" };
      await connected({ token: "5f0c", token_header: "X-Drop-Key" });
    });

    it("where one is set at all", async () => {
      const { source } = await connectedWarehouse(service, csvDrop, { username: "drop" });
      await assert.rejects(csvDrop.testConnection(source), refused(/^Set items_url, orders_url or inventory_url$/));
      const { source: items } = await withItems(CONTENT);
      await assert.rejects(
        Promise.resolve(csvDrop.syncOrders?.(items, { since: null, cursor: null })),
        refused(/^orders_url is not set$/),
      );
    });

    it("when the test of the connection reads each header", async () => {
      drop.put("orders", "order_number,sku,quantity\n");
      drop.put("inventory", "sku,bin,quantity\n");
      await assert.rejects(connected({}), refused(/inventory_url, row 1: unknown columns "bin"/));
      drop.put("inventory", "sku,bin_code,quantity\n");
      const text = "items_url has 2 columns, orders_url has 3 columns, inventory_url has 3 columns";
      assert.equal(await connected({}), `Connected: ${text}`);
    });

    it("but not where they are not", async () => {
      const { source } = await connectedWarehouse(service, csvDrop, { items_url: `${drop.url}/none.csv` });
      await assert.rejects(csvDrop.testConnection(source), refused(/404/));
    });
  });
});
