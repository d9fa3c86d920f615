import assert from "node:assert/strict";
import { type Caller, statusAndBody, statusAndError } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { auditMark, auditSince } from "../support/records.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const WAREHOUSES = "/api/admin/warehouses";
const ZONES = "/api/admin/zones";
const BINS = "/api/admin/bins";

describe("warehouses, zones and bins", () => {
  let service: TestService;
  let keeper: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  before(async () => {
    ({ service, user: keeper, warehouse_id, elsewhere } = await openTwoWarehouses(["warehouses", "zones", "bins"]));
  });
  after(() => service.close());

  let count = 0;
  const code = (letter: string) => `${letter}-${++count}`;
  const zone = (fields: object = {}) => ({
    warehouse_id,
    zone_code: code("Z"),
    zone_name: "Aisle A",
    zone_type: "STORAGE",
    ...fields,
  });
  const zoneId = async (fields: object = {}) => (await service.admin.ok("POST", ZONES, zone(fields))).zone_id as number;
  const bin = (zone_id: number, fields: object = {}) => ({
    zone_id,
    warehouse_id,
    bin_code: code("B"),
    bin_barcode: `barcode ${count}`,
    bin_type: "Pickable",
    ...fields,
  });

  describe("a new warehouse", () => {
    it("is answered as a later read shows it, and is audited", async () => {
      const mark = await auditMark();
      const made = await service.admin.post(WAREHOUSES, {
        warehouse_code: "NORTH",
        warehouse_name: " North hall ",
        address: "1 Dock Road",
      });
      assert.equal(made.status, 201);
      const { warehouse_id: id, created_at, ...fields } = made.body;
      assert.deepEqual(fields, {
        warehouse_code: "NORTH",
        warehouse_name: "North hall",
        address: "1 Dock Road",
        is_active: true,
        closed_days: [],
        is_sandbox: false,
        timezone: null,
      });
      assert.deepEqual(await service.admin.ok("GET", `${WAREHOUSES}/${id}`), {
        ...made.body,
        warehouse: made.body,
        zones: [],
      });
      assert.deepEqual(await auditSince(mark), [
        {
          action_type: "CREATE",
          entity_type: "WAREHOUSE",
          entity_id: id,
          user_id: "admin",
          warehouse_id: id,
          details: { warehouse_code: "NORTH", warehouse_name: "North hall" },
        },
      ]);
    });

    it("needs a code of its own", async () => {
      const body = { warehouse_code: "TWICE", warehouse_name: "Hall" };
      await service.admin.ok("POST", WAREHOUSES, body);
      const again = await service.admin.post(WAREHOUSES, body);
      assert.deepEqual([again.status, again.body], [400, { error: "Duplicate warehouse code: TWICE already exists" }]);
    });
  });

  describe("the list of warehouses", () => {
    it("goes by id, page by page", async () => {
      const all = await service.admin.ok("GET", WAREHOUSES);
      const ids = all.warehouses.map((w: { warehouse_id: number }) => w.warehouse_id);
      assert.deepEqual(
        ids,
        [...ids].sort((a, b) => a - b),
      );
      const second = await service.admin.ok("GET", `${WAREHOUSES}?page=2&per_page=1`);
      assert.deepEqual(second, {
        warehouses: [all.warehouses[1]],
        total: all.total,
        page: 2,
        per_page: 1,
        pages: all.total,
      });
    });

    it("shows a user only its own, and refuses a read of another", async () => {
      const { warehouses } = await keeper.ok("GET", WAREHOUSES);
      assert.deepEqual(pluck(warehouses, "warehouse_id"), [warehouse_id]);
      assert.equal((await keeper.get(`${WAREHOUSES}/${elsewhere}`)).status, 403);
    });

    it("answers 404 for one that is not there", async () => {
      const missing = await service.admin.get(`${WAREHOUSES}/999999`);
      assert.deepEqual([missing.status, missing.body], [404, { error: "Warehouse not found" }]);
    });
  });

  describe("an edit of a warehouse", () => {
    const make = async () => {
      const warehouse_code = code("W");
      return service.admin.ok("POST", WAREHOUSES, { warehouse_code, warehouse_name: "Hall", address: "1 Dock Road" });
    };

    it("changes what is sent of it, and audits what that was", async () => {
      const made = await make();
      const mark = await auditMark();
      const path = `${WAREHOUSES}/${made.warehouse_id}`;
      const saved = await service.admin.put(path, { warehouse_name: " North ", address: null, is_active: false });
      const changed = { warehouse_name: "North", address: null, is_active: false };
      assert.deepEqual([saved.status, saved.body], [200, { ...made, ...changed }]);
      const { warehouse } = await service.admin.ok("GET", path);
      assert.deepEqual(warehouse, saved.body);
      assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "entity_type", "entity_id", "details"), [
        [
          "UPDATE",
          "WAREHOUSE",
          made.warehouse_id,
          {
            changed: {
              warehouse_name: { old: "Hall", new: "North" },
              address: { old: "1 Dock Road", new: null },
              is_active: { old: true, new: false },
            },
          },
        ],
      ]);
    });

    it("keeps codes apart", async () => {
      const [first, second] = [await make(), await make()];
      const path = `${WAREHOUSES}/${second.warehouse_id}`;
      const { warehouse_code } = first;
      const refused = await service.admin.put(path, { warehouse_code });
      assert.deepEqual(statusAndBody(refused), [
        400,
        { error: `Duplicate warehouse code: ${warehouse_code} already exists` },
      ]);
    });
  });

  describe("the deletion of a warehouse", () => {
    const remove = async (id: number) => {
      const answer = await service.admin.delete(`${WAREHOUSES}/${id}`);
      return [answer.status, answer.body.error ?? answer.body.message];
    };

    it("waits until stock, bins and zones are gone, in this order", async () => {
      const id = await fixtures.warehouse();
      const { warehouse } = await service.admin.ok("GET", `${WAREHOUSES}/${id}`);
      const why = (reason: string) => [400, `Warehouse ${warehouse.warehouse_code} cannot be deleted: ${reason}`];
      const bin_id = await fixtures.bin(id);
      const { item_id } = await fixtures.item();
      const inventory_id = await fixtures.stock(id, bin_id, item_id, 1);
      assert.deepEqual(await remove(id), why("it has existing inventory"));
      await db.run("update inventory set quantity_on_hand = 0 where inventory_id = $1", [inventory_id]);
      assert.deepEqual(await remove(id), why("it has bins"));
      await service.admin.ok("DELETE", `${BINS}/${bin_id}`);
      assert.deepEqual(await remove(id), why("it has zones"));
      const { zones } = await service.admin.ok("GET", `${ZONES}?warehouse_id=${id}`);
      await service.admin.ok("DELETE", `${ZONES}/${zones[0].zone_id}`);
      assert.deepEqual(await remove(id), [200, `Warehouse ${warehouse.warehouse_code} deleted`]);
      assert.deepEqual(await remove(id), [404, "Warehouse not found"]);
    });

    it("takes it from its users, and audits from whom", async () => {
      const [gone, kept] = [await fixtures.warehouse(), await fixtures.warehouse()];
      const user = await service.user({ warehouse_ids: [gone, kept] });
      const mark = await auditMark();
      assert.equal((await remove(gone))[0], 200);
      const left = await db.row("select warehouse_id, warehouse_ids from users where user_id = $1", [user.userId]);
      assert.deepEqual(left, { warehouse_id: kept, warehouse_ids: [kept] });
      const [row] = await auditSince(mark);
      assert.deepEqual([row?.action_type, row?.entity_id, row?.details.taken_from], ["DELETE", gone, [user.username]]);
    });

    it("is refused where orders name it, and then takes it from nobody", async () => {
      const id = await fixtures.warehouse();
      const user = await service.user({ warehouse_ids: [id] });
      await fixtures.salesOrder(id, []);
      const [status, error] = await remove(id);
      assert.equal(status, 409);
      assert.match(error, /orders name it; deactivate it instead$/);
      const left = await db.row<{ warehouse_ids: number[] }>("select warehouse_ids from users where user_id = $1", [
        user.userId,
      ]);
      assert.deepEqual(left?.warehouse_ids, [id]);
    });
  });

  it("a warehouse that is not there is 404 for an edit", async () => {
    const missing = await service.admin.put(`${WAREHOUSES}/999999`, { warehouse_name: "X" });
    assert.deepEqual([missing.status, missing.body], [404, { error: "Warehouse not found" }]);
  });

  describe("a new zone", () => {
    it("stands in its warehouse and in the list, and is audited", async () => {
      const mark = await auditMark();
      const body = zone();
      const made = await keeper.post(ZONES, body);
      assert.equal(made.status, 201);
      const { zone_id, ...fields } = made.body;
      assert.deepEqual(fields, { ...body, is_active: true });
      const { zones } = await keeper.ok("GET", `${WAREHOUSES}/${warehouse_id}`);
      assert.deepEqual(zones.at(-1), made.body);
      const list = await keeper.ok("GET", `${ZONES}?warehouse_id=${warehouse_id}`);
      const { warehouse_code, ...listed } = list.zones.at(-1);
      assert.deepEqual(listed, made.body);
      const [row] = await auditSince(mark);
      assert.deepEqual(
        [row?.action_type, row?.entity_type, row?.entity_id, row?.warehouse_id],
        ["CREATE", "ZONE", zone_id, warehouse_id],
      );
    });

    it("needs a code of its own within its warehouse", async () => {
      const body = zone();
      await service.admin.ok("POST", ZONES, body);
      const again = await service.admin.post(ZONES, body);
      assert.deepEqual(statusAndError(again), [
        400,
        `Duplicate zone code: ${body.zone_code} already exists in this warehouse`,
      ]);
      await service.admin.ok("POST", ZONES, { ...body, warehouse_id: elsewhere });
    });

    it("has one of the six types", async () => {
      for (const zone_type of ["STORAGE", "RECEIVING", "STAGING", "SHIPPING", "QUALITY", "DAMAGE"]) {
        assert.equal((await service.admin.post(ZONES, zone({ zone_type }))).status, 201);
      }
      const refused = await service.admin.post(ZONES, zone({ zone_type: "PICKING" }));
      assert.deepEqual([refused.status, refused.body.details[0].loc], [400, ["zone_type"]]);
    });

    it("is refused in a warehouse that is unknown or not the user's", async () => {
      const unknown = await service.admin.post(ZONES, zone({ warehouse_id: 999_999 }));
      assert.deepEqual([unknown.status, unknown.body], [400, { error: "Warehouse 999999 not found" }]);
      assert.equal((await keeper.post(ZONES, zone({ warehouse_id: elsewhere }))).status, 403);
    });
  });

  it("zones of other warehouses are not listed for a user", async () => {
    await zoneId();
    await zoneId({ warehouse_id: elsewhere });
    const { zones } = await keeper.ok("GET", ZONES);
    assert.ok(zones.length > 0);
    assert.ok(zones.every((z: { warehouse_id: number }) => z.warehouse_id === warehouse_id));
    assert.equal((await keeper.get(`${ZONES}?warehouse_id=${elsewhere}`)).status, 403);
  });

  describe("a new bin", () => {
    const NO_LIMITS = { max_units: null, max_weight_lbs: null, max_volume_cuft: null, is_reserve: false };
    it("is answered without its zone's name, read with it, and audited", async () => {
      const zone_id = await zoneId();
      const mark = await auditMark();
      const body = bin(zone_id, {
        bin_type: "PickableStaging",
        aisle: "A",
        row_num: 2,
        level_num: 0,
        position_num: 7,
        pick_sequence: 100,
        putaway_sequence: 5,
      });
      const made = await keeper.post(BINS, body);
      assert.equal(made.status, 201);
      const { bin_id, external_id, ...fields } = made.body;
      assert.deepEqual(fields, {
        ...body,
        row_num: "2",
        level_num: "0",
        position_num: "7",
        is_active: true,
        ...NO_LIMITS,
      });
      const { bin: read, inventory } = await keeper.ok("GET", `${BINS}/${bin_id}`);
      const { updated_at, warehouse_code, ...shown } = read;
      assert.deepEqual([shown, inventory], [{ ...made.body, zone_name: "Aisle A" }, []]);
      const [row] = await auditSince(mark);
      assert.deepEqual(
        [row?.action_type, row?.entity_type, row?.entity_id, row?.details],
        ["CREATE", "BIN", bin_id, { bin_code: body.bin_code, bin_type: "PickableStaging" }],
      );
    });

    it("has sequence 0 and no place unless they are given", async () => {
      const made = await service.admin.ok("POST", BINS, bin(await zoneId()));
      assert.deepEqual(
        [made.aisle, made.row_num, made.level_num, made.position_num, made.pick_sequence, made.putaway_sequence],
        [null, null, null, null, 0, 0],
      );
    });

    it("needs a code of its own within its warehouse", async () => {
      const body = bin(await zoneId());
      await service.admin.ok("POST", BINS, body);
      const again = await service.admin.post(BINS, body);
      assert.deepEqual(statusAndError(again), [
        400,
        `Duplicate bin code: ${body.bin_code} already exists in this warehouse`,
      ]);
    });

    it("is refused in a zone of another warehouse, in an unknown warehouse and in another user's", async () => {
      const far = await zoneId({ warehouse_id: elsewhere });
      const wrongZone = await service.admin.post(BINS, bin(far));
      assert.deepEqual([wrongZone.status, wrongZone.body.error], [400, `Zone ${far} not found in this warehouse`]);
      const unknown = await service.admin.post(BINS, bin(far, { warehouse_id: 999_999 }));
      assert.deepEqual([unknown.status, unknown.body.error], [400, "Warehouse 999999 not found"]);
      assert.equal((await keeper.post(BINS, bin(far, { warehouse_id: elsewhere }))).status, 403);
    });

    it("becomes the default receiving bin when it is the first Staging bin of the service", async () => {
      await db.run("delete from app_settings where key = 'default_receiving_bin'");
      const zone_id = await zoneId();
      await service.admin.ok("POST", BINS, bin(zone_id));
      const value = () => db.value<string>("select value from app_settings where key = 'default_receiving_bin'");
      assert.equal(await value(), undefined);
      const mark = await auditMark();
      const first = await service.admin.ok("POST", BINS, bin(zone_id, { bin_type: "Staging" }));
      assert.equal(await value(), String(first.bin_id));
      assert.deepEqual(pluck(await auditSince(mark), "entity_type"), ["BIN", "SETTING"]);
      await service.admin.ok("POST", BINS, bin(zone_id, { bin_type: "Staging" }));
      assert.equal(await value(), String(first.bin_id));
      await service.admin.ok("PUT", "/api/admin/settings", { settings: { default_receiving_bin: "" } });
      const next = await service.admin.ok("POST", BINS, bin(zone_id, { bin_type: "Staging" }));
      assert.equal(await value(), String(next.bin_id));
    });
  });

  it("a bin shows what lies in it, one line per item", async () => {
    const bin_id = await fixtures.bin(warehouse_id);
    const mug = await fixtures.item();
    await fixtures.stock(warehouse_id, bin_id, mug.item_id, 5);
    await fixtures.stock(warehouse_id, bin_id, mug.item_id, 3, "LOT-1");
    const { inventory } = await keeper.ok("GET", `${BINS}/${bin_id}`);
    assert.deepEqual(inventory, [
      { item_id: mug.item_id, sku: mug.sku, item_name: `Item ${mug.sku}`, quantity_on_hand: 8, quantity_allocated: 0 },
    ]);
  });

  it("a bin that is not there is 404, one of another warehouse 403", async () => {
    assert.deepEqual(statusAndBody(await keeper.get(`${BINS}/999999`)), [404, { error: "Bin 999999 not found" }]);
    assert.equal((await keeper.get(`${BINS}/word`)).status, 404);
    assert.equal((await keeper.get(`${BINS}/${await fixtures.bin(elsewhere)}`)).status, 403);
  });

  it("bins are found by warehouse, zone, type and part of code or barcode", async () => {
    const zone_id = await zoneId();
    const made = await service.admin.ok(
      "POST",
      BINS,
      bin(zone_id, { bin_code: "50%-off", bin_barcode: "XYZ-1", bin_type: "Staging" }),
    );
    const far = await fixtures.bin(elsewhere, { code: "50 off" });
    const ids = async (caller: Caller, query: string) =>
      (await caller.ok("GET", `${BINS}?${query}`)).bins.map((b: { bin_id: number }) => b.bin_id);
    assert.deepEqual(await ids(service.admin, `zone_id=${zone_id}`), [made.bin_id]);
    assert.deepEqual(await ids(service.admin, `zone_id=${zone_id}&bin_type=Pickable`), []);
    assert.deepEqual(await ids(service.admin, "q=yz-1"), [made.bin_id]);
    assert.deepEqual(await ids(service.admin, "q=50%25"), [made.bin_id]);
    assert.ok((await ids(service.admin, `warehouse_id=${elsewhere}`)).includes(far));
    assert.ok(!(await ids(keeper, "")).includes(far));
    assert.equal((await service.admin.get(`${BINS}?bin_type=Shelf`)).status, 400);
  });
});
