import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { item, warehouse } from "../support/fixtures.js";
import { boxBody, newBox, PARCELS } from "../support/parcels.js";
import { testService } from "../support/service.js";
import { pickedOrder } from "../support/walk.js";

const BOXES = "/api/admin/boxes";

describe("boxes", () => {
  const service = testService();
  let packer: Caller;
  let here: number;
  before(async () => {
    here = await warehouse();
    packer = await service.user({ warehouse_ids: [here] });
  });

  it("are added, changed, taken out of use and deleted", async () => {
    const body = boxBody({ cost_minor: 85, cost_currency: "EUR" });
    const made = await service.admin.ok("POST", BOXES, body);
    const { box_id, created_at, updated_at, ...rest } = made;
    assert.deepEqual(rest, { ...body, is_active: true });
    const changed = await service.admin.ok("PUT", `${BOXES}/${box_id}`, { height_in: 6.25, max_weight_lbs: null });
    assert.deepEqual([changed.height_in, changed.max_weight_lbs, changed.length_in], [6.25, null, 10]);
    await service.admin.ok("PUT", `${BOXES}/${box_id}`, { is_active: false });
    const codes = async (query: string) =>
      (await service.admin.ok("GET", `${BOXES}?q=${body.box_code}${query}`)).boxes.map(
        (box: { box_code: string }) => box.box_code,
      );
    assert.deepEqual([await codes(""), await codes("&active=true")], [[body.box_code], []]);
    assert.match((await service.admin.ok("DELETE", `${BOXES}/${box_id}`)).message, /deleted/);
    assert.deepEqual(await codes(""), []);
  });

  it("are shown to packers as long as they are in use, the smallest first", async () => {
    const large = await newBox(service.admin, { length_in: 900 });
    const small = await newBox(service.admin, { length_in: 0.01 });
    const gone = await newBox(service.admin);
    await service.admin.ok("PUT", `${BOXES}/${gone.box_id}`, { is_active: false });
    const { boxes } = await packer.ok("GET", "/api/packing/boxes");
    const ids = boxes.map((box: { box_id: number }) => box.box_id);
    assert.deepEqual([ids[0], ids.at(-1), ids.includes(gone.box_id)], [small.box_id, large.box_id, false]);
  });

  it("are refused twice under one code, with half a cost, unknown, or to be deleted once they were used", async () => {
    const is = (answer: { status: number; code?: string }, status: number, code: string) =>
      assert.deepEqual([answer.status, answer.code], [status, code]);
    const { box_id, box_code } = await newBox(service.admin);
    const other = await newBox(service.admin);
    is(await service.admin.post(BOXES, boxBody({ box_code })), 409, "box_exists");
    is(await service.admin.put(`${BOXES}/${other.box_id}`, { box_code }), 409, "box_exists");
    is(await service.admin.post(BOXES, boxBody({ cost_minor: 5 })), 400, "box_cost");
    is(await service.admin.put(`${BOXES}/${box_id}`, { cost_currency: "EUR" }), 400, "box_cost");
    is(await service.admin.put(`${BOXES}/999999`, { height_in: 1 }), 404, "box_not_found");
    is(await service.admin.delete(`${BOXES}/999999`), 404, "box_not_found");
    const { so_id } = await pickedOrder(service.admin, here, [{ item: await item(), quantity: 1 }]);
    await packer.ok("POST", PARCELS, { so_id, box_id });
    is(await service.admin.delete(`${BOXES}/${box_id}`), 409, "box_in_use");
  });
});
