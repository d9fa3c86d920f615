import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { assertFitsEpcis } from "../support/epcis.js";
import { warehouse } from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { pickedFromStock, receiving, serialItem } from "../support/serials.js";
import { testService } from "../support/service.js";

/** docs/recall.md, For authorities and partners */
describe("the life of a unit as an EPCIS document", () => {
  const service = testService();

  async function shipped(serial: string) {
    const here = await warehouse();
    const goods = await serialItem(here, "at_receipt");
    await service.admin.ok("POST", "/api/receiving/receive", receiving(goods, [serial], {}));
    const { so_id, so_number } = await pickedFromStock(service.admin, goods, 1);
    const pack = { so_id, scanned_barcode: goods.sku, serial_number: serial };
    await service.admin.ok("POST", "/api/packing/verify", pack);
    await service.admin.ok("POST", "/api/packing/complete", { so_id });
    await service.admin.ok("POST", "/api/shipping/fulfill", { so_id, carrier: "UPS", tracking_number: "1Z-9" });
    const { serials } = await service.admin.ok("GET", `/api/admin/serials?item_id=${goods.item_id}`);
    const { serial_id, external_id } = serials[0];
    return { here, goods, so_number, external_id, path: `/api/admin/serials/${serial_id}/epcis` };
  }

  it("has what happened to it, and fits the published schema", async () => {
    const { path, so_number, goods } = await shipped("LIFE-1");
    const { body, headers } = await service.admin.get(path);
    assert.equal(headers.get("content-type"), "application/ld+json; charset=utf-8");
    assert.match(String(headers.get("content-disposition")), /filename="epcis-LIFE-1.jsonld"/);
    assertFitsEpcis(body);
    const events = body.epcisBody.eventList;
    assert.deepEqual(pluck(events, "bizStep"), ["receiving", "packing", "shipping"]);
    assert.deepEqual(pluck(events, "action"), ["ADD", "OBSERVE", "OBSERVE"]);
    const upc = String(await db.value("select upc from items where item_id = $1", [goods.item_id]));
    const named = `https://id.gs1.org/01/${upc.padStart(14, "0")}/21/LIFE-1`;
    for (const { epcList } of events) assert.deepEqual(epcList, [named], "as a GS1 label does");
    const [received, , sent] = events;
    assert.deepEqual(pluck(received.bizTransactionList, "type"), ["po"]);
    assert.deepEqual(pluck(sent.bizTransactionList, "type"), ["po", "desadv"]);
    assert.deepEqual([sent["wes:document"], sent["wes:tracking_number"]], [so_number, "1Z-9"]);
    const again = await service.admin.ok("GET", path);
    assert.deepEqual(again.epcisBody, body.epcisBody);
  });

  it("names it by its id where no label could", async () => {
    const { path, external_id } = await shipped("a number of the old house");
    const { body } = await service.admin.get(path);
    assertFitsEpcis(body);
    assert.deepEqual(body.epcisBody.eventList[0].epcList, [`urn:uuid:${external_id}`]);
  });

  it("is there for those who see the warehouse", async () => {
    const { path } = await shipped("HIDDEN-1");
    const elsewhere = await service.user({ warehouse_ids: [await warehouse()], page_keys: ["inventory"] });
    const refused = await elsewhere.get(path);
    assert.deepEqual([refused.status, refused.code], [404, "serial_not_found"]);
    assert.equal((await service.admin.get("/api/admin/serials/2000000000/epcis")).status, 404);
  });
});
