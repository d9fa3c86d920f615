import assert from "node:assert/strict";
import { type Caller, statusAndBody } from "../support/caller.js";
import * as fixtures from "../support/fixtures.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { queuedBehindLock } from "../support/queued-behind-lock.js";
import { auditMark, auditSince } from "../support/records.js";
import type { TestService } from "../support/service.js";
import { openTwoWarehouses } from "../support/two-warehouses.js";

const ZONES = "/api/admin/zones";

describe("a zone", () => {
  let service: TestService;
  let keeper: Caller;
  let warehouse_id: number;
  let elsewhere: number;
  before(async () => {
    ({ service, user: keeper, warehouse_id, elsewhere } = await openTwoWarehouses(["zones"]));
  });
  after(() => service.close());

  let count = 0;
  const make = (fields: object = {}) =>
    service.admin.ok("POST", ZONES, {
      warehouse_id,
      zone_code: `Z-${++count}`,
      zone_name: "Aisle A",
      zone_type: "STORAGE",
      ...fields,
    });
  const listed = async (zone_id: number) => {
    const { zones } = await service.admin.ok("GET", `${ZONES}?per_page=1000`);
    const found = zones.find((zone: { zone_id: number }) => zone.zone_id === zone_id);
    if (!found) return undefined;
    const { warehouse_code, ...zone } = found;
    return zone;
  };

  it("changes what is sent of it, and audits what that was", async () => {
    const zone = await make();
    const mark = await auditMark();
    const path = `${ZONES}/${zone.zone_id}`;
    const saved = await keeper.put(path, {
      zone_name: " Aisle B ",
      zone_type: "QUALITY",
      is_active: false,
      zone_code: zone.zone_code,
    });
    const changed = { ...zone, zone_name: "Aisle B", zone_type: "QUALITY", is_active: false };
    assert.deepEqual([saved.status, saved.body], [200, changed]);
    assert.deepEqual(await listed(zone.zone_id), changed);
    await keeper.ok("PUT", path, { zone_name: "Aisle B" });
    assert.deepEqual(await auditSince(mark), [
      {
        action_type: "UPDATE",
        entity_type: "ZONE",
        entity_id: zone.zone_id,
        user_id: keeper.username,
        warehouse_id,
        details: {
          changed: {
            zone_name: { old: "Aisle A", new: "Aisle B" },
            zone_type: { old: "STORAGE", new: "QUALITY" },
            is_active: { old: true, new: false },
          },
        },
      },
    ]);
  });

  it("keeps a code of its own within its warehouse", async () => {
    const [first, second] = [await make(), await make()];
    const { zone_code } = first;
    const refused = await service.admin.put(`${ZONES}/${second.zone_id}`, { zone_code });
    assert.deepEqual(statusAndBody(refused), [
      400,
      { error: `Duplicate zone code: ${zone_code} already exists in this warehouse` },
    ]);
    const far = await make({ warehouse_id: elsewhere });
    await service.admin.ok("PUT", `${ZONES}/${far.zone_id}`, { zone_code });
  });

  it("that is not there is 404, for an edit and for a deletion", async () => {
    const path = `${ZONES}/999999`;
    for (const missing of [await keeper.put(path, { zone_name: "X" }), await keeper.delete(path)])
      assert.deepEqual([missing.status, missing.body], [404, { error: "Zone not found" }]);
  });

  it("is deleted once no bin stands in it", async () => {
    const bin_id = await fixtures.bin(warehouse_id);
    const { bin } = await service.admin.ok("GET", `/api/admin/bins/${bin_id}`);
    const path = `${ZONES}/${bin.zone_id}`;
    const refused = await keeper.delete(path);
    assert.deepEqual(statusAndBody(refused), [
      409,
      { error: `Zone ${bin.zone_name} cannot be deleted: bin(s) are assigned to it` },
    ]);
    await service.admin.ok("DELETE", `/api/admin/bins/${bin_id}`);
    const mark = await auditMark();
    assert.deepEqual(statusAndBody(await keeper.delete(path)), [200, { message: `Zone ${bin.zone_name} deleted` }]);
    assert.equal(await listed(bin.zone_id), undefined);
    assert.equal((await keeper.delete(path)).status, 404);
    assert.deepEqual(pluckAll(await auditSince(mark), "action_type", "entity_id"), [["DELETE", bin.zone_id]]);
  });

  it("and a bin that comes into it meanwhile: the first wins, the other is refused with the reason", async () => {
    const lock = "select from zones where zone_id = $1 for update";
    const both = async () => {
      const { zone_id } = await make();
      const addBin = () =>
        service.admin.post("/api/admin/bins", {
          ...{ zone_id, warehouse_id, bin_code: `in ${zone_id}` },
          ...{ bin_barcode: "B", bin_type: "Pickable" },
        });
      const remove = () => service.admin.delete(`${ZONES}/${zone_id}`);
      return { zone_id, addBin, remove };
    };
    const first = await both();
    const binFirst = await queuedBehindLock(lock, [first.zone_id], first.addBin, first.remove);
    assert.deepEqual(pluck(binFirst, "status"), [201, 409]);
    const second = await both();
    const [deleted, refused] = await queuedBehindLock(lock, [second.zone_id], second.remove, second.addBin);
    assert.equal(deleted?.status, 200);
    assert.deepEqual(
      [refused?.status, refused?.body.error],
      [400, `Zone ${second.zone_id} not found in this warehouse`],
    );
  });
});
