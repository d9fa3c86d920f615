import assert from "node:assert/strict";
import { type Caller, statusAndBody, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertEventsMatchSchemas } from "../support/events.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const ROUTE = "/api/admin/import";

describe("import of items, bins and inventory adjustments", () => {
  let service: TestService;
  let clerk: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  let main: string;
  let branch: string;
  before(async () => {
    ({ service, user: clerk, warehouse_id, elsewhere } = await openTwoWarehouses(["imports"]));
    [main, branch] = [await codeOf(warehouse_id), await codeOf(elsewhere)];
  });
  after(() => service.close());

  const codeOf = async (id: number) =>
    (await db.value<string>("select warehouse_code as code from warehouses where warehouse_id = $1", [id])) as string;

  let count = 0;
  const code = (letter: string) => `${letter}-${++count}`;
  const load = (type: string, records: unknown[], as = service.admin, fields: object = {}) =>
    as.ok("POST", `${ROUTE}/${type}`, { records, ...fields });
  /** Row number and reason of each refused row. */
  const refusals = (answer: { errors: { row: number; error: string }[] }) =>
    answer.errors.map(({ row, error }) => `${row} ${error}`);

  describe("any import", () => {
    it("needs a known type, and 1 to 5000 records", async () => {
      for (const [type, body, error] of [
        ["users", { records: [{}] }, "Unsupported entity type: users"],
        ["constructor", { records: [{}] }, "Unsupported entity type: constructor"],
        ["items", {}, "No records to import"],
        ["items", { records: [] }, "No records to import"],
        ["items", { bins: [{}] }, "No records to import"],
        [
          "items",
          { records: Array.from({ length: 5001 }, () => ({})) },
          "At most 5000 records can be imported at once",
        ],
      ] as const) {
        assert.deepEqual(statusAndBody(await service.admin.post(`${ROUTE}/${type}`, body)), [400, { error }]);
      }
      for (const body of [{ records: {} }, { records: [{}], colour: "red" }, { records: [{}], warehouse_id: "x" }]) {
        assert.deepEqual(statusAndError(await service.admin.post(`${ROUTE}/items`, body)), [400, "validation_error"]);
      }
    });

    it("says which columns records of each kind may have, and which they need", async () => {
      const columnsOf = (kind: string) => clerk.ok("GET", `/api/admin/import/${kind}`);
      assert.deepEqual(await columnsOf("inventory-adjustments"), {
        columns: ["sku", "warehouse", "bin", "qty", "lot_number", "expiry_date", "serial_numbers", "memo"],
        required: ["sku", "warehouse", "bin", "qty"],
      });
      assert.deepEqual(await columnsOf("source-links"), {
        columns: ["source_system", "source_type", "source_id", "canonical_id", "code"],
        required: ["source_system", "source_type", "source_id"],
      });
      const unknown = await clerk.get("/api/admin/import/users");
      assert.deepEqual(statusAndError(unknown), [400, "Unsupported entity type: users"]);
    });

    it("takes its records under the entity type too, written with - or _", async () => {
      const row = { sku: "NONE", warehouse: main, bin: "NONE", qty: 1 };
      for (const key of ["records", "inventory-adjustments", "inventory_adjustments"]) {
        const answer = await service.admin.ok("POST", `${ROUTE}/inventory-adjustments`, { [key]: [row] });
        assert.deepEqual(answer, {
          warnings: [],
          message: "Imported 0 of 1 record(s)",
          total: 1,
          imported: 0,
          skipped: 1,
          errors: [{ row: 1, error: "sku: NONE not found" }],
        });
      }
    });

    it("judges each row by itself and leaves out empty cells", async () => {
      const good = { sku: code("S"), item_name: "Mug", colour: " ", weight: " 1.5 " };
      const answer = await load("items", [
        good,
        "text",
        null,
        { sku: code("S") },
        { sku: code("S"), item_name: "x".repeat(257) },
        { sku: 5, item_name: "Mug" },
        { sku: code("S"), item_name: "Mug\0" },
        { sku: code("S"), item_name: "Mug", weight_lbs: "heavy" },
        { sku: "", name: " " },
        { sku: code("S"), item_name: "", name: "Named otherwise" },
      ]);
      assert.deepEqual([answer.total, answer.imported, answer.skipped], [10, 2, 8]);
      assert.deepEqual(refusals(answer), [
        "2 The record must be an object",
        "3 The record must be an object",
        "4 item_name: required",
        "5 item_name: Too big: expected string to have <=256 characters",
        "6 sku: Invalid input: expected string, received number",
        "7 item_name: must not contain NUL",
        "8 weight_lbs: Invalid input: expected number, received string",
        "9 sku: required; item_name: required",
      ]);
    });

    it("refuses text that a spreadsheet would run", async () => {
      const starts = [
        "=1+1",
        "+1+A1",
        "-A1",
        "@now",
        "\tx",
        "\rx",
        "  =1",
        "＝1+1",
        "＋A1",
        "x;=A1",
        "x\t=A1",
        "a, =b",
      ];
      const answer = await load(
        "items",
        starts.map((description) => ({ sku: code("S"), item_name: "Mug", description })),
      );
      assert.equal(answer.imported, 0);
      assert.deepEqual(
        refusals(answer),
        starts.map(
          (_, i) =>
            `${i + 1} description: must not be a formula: with = + - @, a tab or a carriage return first, ` +
            "or = behind a separator",
        ),
      );
    });

    it("takes numbers and telephone numbers as they are, and an apostrophe before a formula for a guard", async () => {
      const texts = ["+49 (0) 30/123-45", "-5", "+1", "a=1", "x; y", "'=1+1", "''=1+1", "'twas"];
      const records = texts.map((description) => ({ sku: code("S"), item_name: "Mug", description }));
      assert.equal((await load("items", records)).imported, texts.length);
      const read = await db.rows<{ description: string }>(
        "select description from items where sku = any($1) order by item_id",
        [records.map(({ sku }) => sku)],
      );
      assert.deepEqual(
        read.map(({ description }) => description).toSorted(),
        texts.with(5, "=1+1").with(6, "'=1+1").toSorted(),
      );
    });

    it("refuses codes that a spreadsheet has spoiled, and quantities that may mean two", async () => {
      const item = (fields: object) => ({ sku: code("S"), item_name: "Mug", ...fields });
      const answer = await load("items", [
        item({ upc: "4.00638E+12" }),
        item({ sku: "4,1E+12" }),
        item({ upc: "36000291452" }),
        item({ upc: "4006381333932" }),
        item({ quantity: "1.000" }),
        item({ quantity: "1,000" }),
        item({ weight_lbs: "1,000" }),
        item({ upc: "4006381333931", weight_lbs: "1,5" }),
      ]);
      assert.deepEqual(refusals(answer), [
        ...["1 upc: 4.00638E+12", "2 sku: 4,1E+12"].map(
          (begin) => `${begin} is a number that a spreadsheet shortened: make it text and enter it again`,
        ),
        "3 upc: 36000291452 has 11 digits: were zeros lost from 036000291452?",
        "4 upc: the check digit of 4006381333932 is wrong",
        '5 quantity: "1.000" has to be digits alone, such as 1000',
        '6 quantity: "1,000" has to be digits alone, such as 1000',
        '7 weight_lbs: "1,000" may mean two numbers: write it with a point',
      ]);
    });
  });

  describe("items", () => {
    it("come in with all their columns, their default bin and what lies in it", async () => {
      const bin = code("BIN");
      const bin_id = await fixtures.bin(warehouse_id, { code: bin });
      const [sku, mark] = [code("S"), await auditMark()];
      const row = {
        sku,
        name: "Mug",
        description: "d",
        upc: sku,
        mpn: "m",
        category: "c",
        weight: "1.25",
        default_bin: bin,
        qty: "7",
      };
      assert.equal((await load("items", [row], clerk)).imported, 1);
      const { items } = await service.admin.ok("GET", `/api/admin/items?q=${sku}`);
      const [{ item_id, external_id, created_at, updated_at, ...fields }] = items;
      assert.deepEqual(fields, {
        sku,
        item_name: "Mug",
        upc: sku,
        mpn: "m",
        category: "c",
        weight_lbs: 1.25,
        default_bin_id: bin_id,
        default_bin_code: bin,
        is_active: true,
      });
      const { inventory } = await service.admin.ok("GET", `/api/admin/items/${item_id}`);
      assert.deepEqual(pluckAll(inventory, "bin_id", "quantity_on_hand"), [[bin_id, 7]]);
      const rows = await auditSince(mark);
      assert.deepEqual(pluckAll(rows, "action_type", "entity_type", "entity_id", "user_id", "details"), [
        ["CREATE", "ITEM", item_id, clerk.username, { sku, item_name: "Mug", quantity: 7, bin }],
      ]);
    });

    it("say what carriers and customs ask", async () => {
      const [sku, name] = [code("S"), "Lighter"];
      const answer = await load("items", [
        {
          ...{ sku, name, length_in: "4.5", width_in: "3", height_in: "1" },
          ...{ is_hazardous: "yes", hs_code: "9613.10", origin_country: "FR" },
          ...{ customs_value_minor: "250", customs_currency: "EUR" },
        },
        { sku: code("S"), name, hs_code: 691200 },
        { sku: code("S"), name, hs_code: "69" },
        { sku: code("S"), name, origin_country: "France" },
        { sku: code("S"), name, customs_currency: "eur" },
      ]);
      assert.equal(answer.imported, 2);
      assert.deepEqual(refusals(answer), [
        "3 hs_code: must be 6, 8 or 10 digits of the customs tariff",
        "4 origin_country: Too big: expected string to have <=2 characters",
        "5 customs_currency: must be a currency by its three capitals",
      ]);
      const { items } = await service.admin.ok("GET", `/api/admin/items?q=${sku}`);
      const { item } = await service.admin.ok("GET", `/api/admin/items/${items[0].item_id}`);
      const { length_in, is_hazardous, hs_code, origin_country, customs_value_minor, customs_currency } = item;
      assert.deepEqual(
        [length_in, is_hazardous, hs_code, origin_country, customs_value_minor, customs_currency],
        [4.5, true, "9613.10", "FR", 250, "EUR"],
      );
    });

    it("say what they ask of their units, in words and numbers", async () => {
      const [asking, silent] = [code("S"), code("S")];
      const named = { item_name: "Milk" };
      const answer = await load("items", [
        {
          sku: asking,
          ...named,
          lot_policy: "Required",
          requires_expiry: "YES",
          shelf_life_days: "30",
          lot_picking: "any_of_bin",
        },
        { sku: silent, ...named, lot_policy: " " },
        { sku: code("S"), ...named, lot_policy: "sometimes" },
        { sku: code("S"), ...named, requires_expiry: "perhaps" },
        { sku: code("S"), ...named, shelf_life_days: 0 },
      ]);
      assert.equal(answer.imported, 2);
      assert.deepEqual(refusals(answer), [
        '3 lot_policy: Invalid option: expected one of "none"|"optional"|"required"',
        "4 requires_expiry: must be true or false",
        "5 shelf_life_days: Too small: expected number to be >=1",
      ]);
      const asked = "lot_policy, requires_expiry, shelf_life_days, lot_picking";
      const rows = await db.rows(`select ${asked} from items where sku = any($1) order by requires_expiry`, [
        [asking, silent],
      ]);
      assert.deepEqual(rows, [
        { lot_policy: "optional", requires_expiry: false, shelf_life_days: null, lot_picking: "exact" },
        { lot_policy: "required", requires_expiry: true, shelf_life_days: 30, lot_picking: "any_of_bin" },
      ]);
    });

    it("are skipped when SKU or UPC are there already, in the service or higher in the file", async () => {
      const [old, fresh] = [await fixtures.item(), code("S")];
      const answer = await load("items", [
        { sku: old.sku, item_name: "Mug", upc: `${fresh}-upc` },
        { sku: code("S"), item_name: "Mug", upc: old.upc },
        { sku: fresh, item_name: "Mug", upc: `${fresh}-upc` },
        { sku: fresh, item_name: "Mug" },
        { sku: code("S"), item_name: "Mug", upc: `${fresh}-upc` },
      ]);
      assert.deepEqual(refusals(answer), [
        `1 Duplicate SKU: ${old.sku} already exists`,
        `2 Duplicate UPC: ${old.upc} already exists`,
        `4 Duplicate SKU: ${fresh} already exists`,
        `5 Duplicate UPC: ${fresh}-upc already exists`,
      ]);
    });

    it("come in without a default bin that is unknown or not the user's, unless units are to lie in it", async () => {
      const [shared, far] = [code("BIN"), code("BIN")];
      const near = await fixtures.bin(warehouse_id, { code: shared });
      await fixtures.bin(elsewhere, { code: shared });
      await fixtures.bin(elsewhere, { code: far });
      const row = (default_bin: string) => ({ sku: code("S"), item_name: "Mug", default_bin });
      const [lost, hidden] = [row("NOWHERE"), row(far)];
      const rows = [lost, hidden, row(shared), { ...row(far), quantity: 5 }, { ...row(""), quantity: 5 }];
      const once = clerk.with({ "idempotency-key": "import without bins" });
      const loaded = await load("items", rows, once);
      assert.deepEqual(refusals(loaded), [
        `4 default_bin: ${far} not found, and the quantity needs one to lie in`,
        "5 quantity: needs a default_bin to lie in",
      ]);
      assert.deepEqual(loaded.warnings, [
        { row: 1, warning: "default_bin: NOWHERE not found; imported without it" },
        { row: 2, warning: `default_bin: ${far} not found; imported without it` },
      ]);
      assert.deepEqual(await load("items", rows, once), loaded);
      for (const { sku } of [lost, hidden]) {
        const { items } = await service.admin.ok("GET", `/api/admin/items?q=${sku}`);
        assert.deepEqual([items.length, items[0].default_bin_id], [1, null]);
      }
      assert.deepEqual(refusals(await load("items", [row(shared)])), [
        `1 default_bin: ${shared} is in several warehouses; import with a warehouse_id`,
      ]);
      const item = row(shared);
      await load("items", [item], service.admin, { warehouse_id });
      const { items } = await service.admin.ok("GET", `/api/admin/items?q=${item.sku}`);
      assert.equal(items[0].default_bin_id, near);
    });

    it("come in 5000 at once", async () => {
      const records = Array.from({ length: 5000 }, (_, i) => ({
        sku: `BULK-${i}`,
        item_name: `Bulk item ${i}`,
        upc: `BULK-UPC-${i}`,
        category: "Bulk",
      }));
      const answer = await load("items", records);
      assert.deepEqual([answer.imported, answer.errors], [5000, []]);
    });
  });

  describe("bins", () => {
    let zone_id: number;
    const zone = { zone_code: "ZN", zone_name: "Aisle North", zone_type: "STORAGE" };
    before(async () => {
      zone_id = (await service.admin.ok("POST", "/api/admin/zones", { warehouse_id, ...zone })).zone_id;
      await service.admin.ok("POST", "/api/admin/zones", { warehouse_id: elsewhere, ...zone });
      await service.admin.ok("POST", "/api/admin/zones", {
        warehouse_id: elsewhere,
        zone_code: "FAR",
        zone_name: "Far",
        zone_type: "STORAGE",
      });
    });

    it("come in with all their columns, under the zone's id, code or name", async () => {
      const [full, short] = [code("B"), code("B")];
      const mark = await auditMark();
      const answer = await load(
        "bins",
        [
          {
            bin_code: full,
            bin_barcode: "bc",
            zone_id,
            warehouse_id,
            bin_type: "Staging",
            aisle: "A",
            row_num: 2,
            level_num: "03",
            pick_sequence: "10",
            putaway_sequence: 20,
            max_units: "40",
            max_weight_lbs: "250.5",
            max_volume_cuft: 12.5,
            is_reserve: "yes",
            description: "by the door",
          },
          { bin_code: short, zone: "zn" },
          { bin_code: code("B"), zone: "AISLE NORTH" },
        ],
        clerk,
      );
      assert.equal(answer.imported, 3, JSON.stringify(answer.errors));
      const { bins } = await service.admin.ok("GET", `/api/admin/bins?zone_id=${zone_id}`);
      const [{ bin_id, external_id, updated_at, warehouse_code, ...first }, second] = bins;
      assert.deepEqual(first, {
        zone_id,
        zone_name: "Aisle North",
        warehouse_id,
        bin_code: full,
        bin_barcode: "bc",
        bin_type: "Staging",
        aisle: "A",
        row_num: "2",
        level_num: "03",
        position_num: null,
        pick_sequence: 10,
        putaway_sequence: 20,
        is_active: true,
        max_units: 40,
        max_weight_lbs: 250.5,
        max_volume_cuft: 12.5,
        is_reserve: true,
      });
      assert.deepEqual(
        [second.bin_code, second.bin_barcode, second.bin_type, second.pick_sequence],
        [short, short, "Pickable", 0],
      );
      const rows = (await auditSince(mark)).filter((row) => row.entity_type === "BIN");
      assert.deepEqual(
        pluckAll(rows, "action_type", "warehouse_id", "user_id"),
        Array(3).fill(["CREATE", warehouse_id, clerk.username]),
      );
    });

    it("make the first Staging bin the default receiving bin", async () => {
      await db.run("delete from app_settings where key = 'default_receiving_bin'");
      const [first, second] = [code("B"), code("B")];
      await load("bins", [
        { bin_code: code("B"), zone_id },
        { bin_code: first, zone_id, bin_type: "Staging" },
        { bin_code: second, zone_id, bin_type: "Staging" },
      ]);
      const { value } = await service.admin.ok("GET", "/api/admin/settings/default_receiving_bin");
      const { bin } = await service.admin.ok("GET", `/api/admin/bins/${value}`);
      assert.equal(bin.bin_code, first);
    });

    it("are refused without a zone, in an unknown or ambiguous one, and twice in a warehouse", async () => {
      const twice = code("B");
      const answer = await load("bins", [
        { bin_code: code("B") },
        { bin_code: code("B"), zone: "NOWHERE" },
        { bin_code: code("B"), zone_id: 999_999 },
        { bin_code: code("B"), zone: "ZN" },
        { bin_code: code("B"), zone_id, warehouse_id: elsewhere },
        { bin_code: code("B"), zone_id, bin_type: "Shelf" },
        { bin_code: twice, zone_id },
        { bin_code: twice, zone: "ZN", warehouse_id },
        { bin_code: twice, zone: "ZN", warehouse_id: elsewhere },
        { bin_code: code("B"), zone_id, max_units: "0" },
        { bin_code: code("B"), zone_id, max_weight_lbs: "heavy" },
        { bin_code: code("B"), zone_id, max_volume_cuft: -1 },
      ]);
      assert.deepEqual(refusals(answer), [
        "1 zone: required",
        "2 zone: NOWHERE not found",
        "3 zone: 999999 not found",
        "4 zone: ZN is not unique; give a warehouse_id or a zone_id",
        `5 zone: ${zone_id} not found`,
        '6 bin_type: Invalid option: expected one of "Pickable"|"PickableStaging"|"Staging"',
        `8 Duplicate bin code: ${twice} already exists in this warehouse`,
        "10 max_units: Too small: expected number to be >=1",
        "11 max_weight_lbs: Invalid input: expected number, received string",
        "12 max_volume_cuft: Too small: expected number to be >=0",
      ]);
      assert.deepEqual(refusals(await load("bins", [{ bin_code: twice, zone_id }])), [
        `1 Duplicate bin code: ${twice} already exists in this warehouse`,
      ]);
    });

    it("of a name that several warehouses have go to the warehouse of the import", async () => {
      const bin_code = code("B");
      await load("bins", [{ bin_code, zone: "ZN" }], service.admin, { warehouse_id: elsewhere });
      const { bins } = await service.admin.ok("GET", `/api/admin/bins?q=${bin_code}&warehouse_id=${elsewhere}`);
      assert.equal(bins.length, 1);
    });

    it("are for whoever may make one, too, and nothing else is", async () => {
      const builder = await service.user({ page_keys: ["bins"], warehouse_ids: [warehouse_id] });
      const made = await load("bins", [{ bin_code: code("B"), zone: "ZN" }], builder);
      assert.equal(made.imported, 1);
      assert.deepEqual(refusals(await load("bins", [{ bin_code: code("B"), zone: "FAR" }], builder)), [
        "1 zone: FAR not found",
      ]);
      for (const path of [`${ROUTE}/items`, `${ROUTE}/inventory-adjustments`, `${ROUTE}/BINS`])
        assert.equal((await builder.post(path, { records: [{}] })).code, "permission_denied", path);
      const picker = await service.user({ warehouse_ids: [warehouse_id] });
      assert.equal((await picker.post(`${ROUTE}/bins`, { records: [{}] })).code, "permission_denied");
    });

    it("are refused a user in the zones of other warehouses", async () => {
      assert.deepEqual(refusals(await load("bins", [{ bin_code: code("B"), zone: "FAR" }], clerk)), [
        "1 zone: FAR not found",
      ]);
    });
  });

  describe("inventory adjustments", () => {
    let bin_id: number;
    before(async () => {
      bin_id = await fixtures.bin(warehouse_id, { code: "SHELF" });
      await fixtures.bin(elsewhere, { code: "SHELF" });
      await fixtures.bin(elsewhere, { code: "FAR" });
    });

    const at = (sku: string, qty: unknown, fields: object = {}) => ({
      sku,
      warehouse: main,
      bin: "SHELF",
      qty,
      ...fields,
    });
    const onHand = (item_id: number) =>
      db.value<number>("select sum(quantity_on_hand) as units from inventory where item_id = $1 and bin_id = $2", [
        item_id,
        bin_id,
      ]);

    it("change stock in the order of the file, each with its record, audit row and event", async () => {
      const { item_id, sku } = await fixtures.item();
      const mark = await auditMark();
      const answer = await load(
        "inventory-adjustments",
        [at(sku, "10", { memo: "found" }), at(sku, "-4"), at(sku, 1)],
        clerk,
      );
      assert.deepEqual([answer.imported, answer.errors], [3, []]);
      assert.equal(await onHand(item_id), 7);
      const records = await db.rows(
        `select quantity_change, reason_code, reason_detail, a.status, adjusted_by,
                count(*) filter (where event_type = 'inventoryadjusted.completed'
                  and (event_data(e)->>'quantity_delta')::int = quantity_change
                    and event_data(e)->>'reason_code' = reason_code) as events
         from inventory_adjustments a
         left join integration_events e on e.entity_type = 'inventory_adjustment' and e.entity_id = adjustment_id
         where item_id = $1 group by adjustment_id order by adjustment_id`,
        [item_id],
      );
      const record = {
        reason_code: "CORRECTION",
        reason_detail: null,
        status: "APPROVED",
        adjusted_by: clerk.username,
        events: 1,
      };
      assert.deepEqual(records, [
        { ...record, quantity_change: 10, reason_detail: "found" },
        { ...record, quantity_change: -4 },
        { ...record, quantity_change: 1 },
      ]);
      const rows = await auditSince(mark);
      assert.deepEqual(
        rows.map((row) => [
          row.action_type,
          row.entity_type,
          row.entity_id,
          row.warehouse_id,
          row.details.quantity_change,
        ]),
        [10, -4, 1].map((change) => ["ADJUST", "ITEM", item_id, warehouse_id, change]),
      );
      await assertEventsMatchSchemas();
    });

    it("are refused one by one when too little lies there, and the rest still counts", async () => {
      const { item_id, sku } = await fixtures.item();
      const answer = await load("inventory-adjustments", [
        at(sku, -1),
        at(sku, 5),
        at(sku, -6),
        at(sku, -5),
        at(sku, -1),
        at(sku, 2),
      ]);
      assert.deepEqual(refusals(answer), [
        "1 Insufficient quantity in SHELF: 0 available, 1 requested",
        "3 Insufficient quantity in SHELF: 5 available, 6 requested",
        "5 Insufficient quantity in SHELF: 0 available, 1 requested",
      ]);
      assert.equal(await onHand(item_id), 2);
    });

    it("take reserved units last, of many rows at once", async () => {
      const items = await Promise.all([fixtures.item(), fixtures.item()]);
      await load(
        "inventory-adjustments",
        items.map(({ sku }) => at(sku, 10)),
      );
      const order = (so_number: string, quantity_ordered: number) =>
        service.admin.ok("POST", "/api/admin/sales-orders", {
          so_number,
          warehouse_id,
          lines: items.map(({ item_id }) => ({ item_id, quantity_ordered })),
        });
      const [older, younger] = [await order("SO-OLDER", 4), await order("SO-YOUNGER", 5)];
      const answer = await load(
        "inventory-adjustments",
        items.map(({ sku }) => at(sku, -7)),
      );
      assert.equal(answer.imported, 2);
      const allocated = (order: { sales_order: { so_id: number } }) =>
        db.rows("select quantity_allocated as units from sales_order_lines where so_id = $1", [
          order.sales_order.so_id,
        ]);
      assert.deepEqual(await allocated(older), [{ units: 3 }, { units: 3 }]);
      assert.deepEqual(await allocated(younger), [{ units: 0 }, { units: 0 }]);
      await assertInvariants();
    });

    it("are refused with codes that stand for nothing, or a quantity that is none", async () => {
      const { sku } = await fixtures.item();
      const answer = await load("inventory-adjustments", [
        at("NONE", 1),
        at(sku, 1, { warehouse: "NONE" }),
        at(sku, 1, { bin: "FAR" }),
        at(sku, 0),
        at(sku, 1.5),
        at(sku, "many"),
        at(sku, 1_000_001),
        at(sku, undefined),
        at(sku, 1, { memo: "x".repeat(501) }),
        at(sku, 1, { memo: "=1" }),
      ]);
      assert.deepEqual(refusals(answer), [
        "1 sku: NONE not found",
        "2 warehouse: NONE not found",
        `3 bin: FAR not found in ${main}`,
        "4 qty: must not be zero",
        "5 qty: Invalid input: expected int, received number",
        '6 qty: "many" has to be digits alone, such as 1000',
        "7 qty: Too big: expected number to be <=1000000",
        "8 qty: required",
        "9 memo: Too big: expected string to have <=500 characters",
        "10 memo: must not be a formula: with = + - @, a tab or a carriage return first, or = behind a separator",
      ]);
    });

    it("are refused a user in other warehouses", async () => {
      const { sku } = await fixtures.item();
      assert.deepEqual(
        refusals(await load("inventory-adjustments", [at(sku, 1, { warehouse: branch }), at(sku, 1)], clerk)),
        ["1 Access denied for this warehouse"],
      );
    });

    it("come in 5000 at once, with their events", async () => {
      const items = await Promise.all(Array.from({ length: 50 }, () => fixtures.item()));
      const records = Array.from({ length: 5000 }, (_, i) =>
        at(items[i % 50]?.sku as string, i >= 100 && i % 3 === 0 ? -1 : 2),
      );
      const events = async () => (await db.value<number>("select count(*) as n from integration_events")) as number;
      const before = await events();
      const answer = await load("inventory-adjustments", records);
      assert.deepEqual([answer.imported, answer.errors], [5000, []]);
      assert.equal((await events()) - before, 5000);
    });
  });
});
