import assert from "node:assert/strict";
import { writeSourceRecord } from "../../activities/connectors/records.js";
import { pushVoids } from "../../activities/shipping/push-voids.js";
import type { Connector, SourceRecord } from "../../src/connectors/connector.js";
import { connectorOf } from "../../src/connectors/registry.js";
import { statusAndError } from "../support/caller.js";
import { CONNECTORS, connectorWarehouse, loadTestConnectors } from "../support/connectors.js";
import { db } from "../support/db.js";
import { failedPush } from "../support/push-rows.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";

const ONE = "https://one.example.com";
const OTHER = "https://other.example.com";

describe("a connector that is led to another shop", () => {
  const service = testService();
  let warehouse_id: number;
  let connector: Connector;
  before(async () => {
    await loadTestConnectors();
    connector = connectorOf("probe") ?? assert.fail("no connector");
  });
  beforeEach(async () => {
    warehouse_id = await connectorWarehouse();
    assert.equal((await lead(ONE)).status, 200);
  });

  const lead = (shop_url: string, address_of?: string) =>
    service.admin.post(`${CONNECTORS}/probe/credentials`, {
      warehouse_id,
      credentials: { shop_url, token: "tok_5c0ffee" },
      ...(address_of && { address_of }),
    });
  const product = (id: string, version: string, values: Record<string, string>): SourceRecord => ({
    resource: "items",
    external_id: id,
    external_version: version,
    values,
    payload: {},
  });
  const write = async (record: SourceRecord) => (await writeSourceRecord(connector, warehouse_id, record)).done;
  const nameOf = (sku: string) => db.value<string>("select item_name from items where sku = $1", [sku]);
  const read = (watermark: string) =>
    db.run(
      "insert into sync_state (connector_name, warehouse_id, sync_type, watermark) values ('probe', $1, 'items', $2)",
      [warehouse_id, watermark],
    );
  const watermark = () =>
    db.value<string | null>("select watermark from sync_state where warehouse_id = $1", [warehouse_id]);

  it("asks, and changes nothing until it is answered", async () => {
    const mug = `MUG-${unique()}`;
    await write(product("12", "1", { sku: mug, item_name: "Mug" }));
    const { status, code, body } = await lead(OTHER);
    assert.deepEqual([status, code], [409, "shop_changed"]);
    const { shop_before, shop_after, linked_items, linked_orders } = body;
    assert.deepEqual(
      { shop_before, shop_after, linked_items, linked_orders },
      { shop_before: "one.example.com", shop_after: "other.example.com", linked_items: 1, linked_orders: 0 },
    );
    assert.equal(await write(product("12", "1", { sku: mug, item_name: "Mug" })), "known");
    assert.equal((await lead(ONE)).status, 200);
  });

  it("is another one by its path, too, but not by its scheme's case or a slash", async () => {
    await write(product("12", "1", { sku: `MUG-${unique()}`, item_name: "Mug" }));
    assert.equal((await lead("https://one.example.com/")).status, 200);
    assert.equal((await lead("https://one.example.com/second")).status, 409);
  });

  it("does not ask while nothing came from it", async () => {
    assert.equal((await lead(OTHER)).status, 200);
    assert.equal((await lead(ONE)).status, 200);
  });

  it("begins anew: an id of the other shop is another item, and its sync reads everything", async () => {
    const [mug, chainsaw] = [`MUG-${unique()}`, `SAW-${unique()}`];
    await write(product("12", "5", { sku: mug, item_name: "Mug" }));
    await read("2026-05-01T00:00:00Z");
    assert.equal((await lead(OTHER, "another_shop")).status, 200);
    assert.equal(await watermark(), null);
    assert.equal(await write(product("12", "1", { sku: chainsaw, item_name: "Chainsaw" })), "written");
    assert.deepEqual([await nameOf(mug), await nameOf(chainsaw)], ["Mug", "Chainsaw"]);
  });

  it("finds what was linked, once it is led back", async () => {
    const [mug, chainsaw] = [`MUG-${unique()}`, `SAW-${unique()}`];
    await write(product("12", "5", { sku: mug, item_name: "Mug" }));
    await lead(OTHER, "another_shop");
    await write(product("12", "1", { sku: chainsaw, item_name: "Chainsaw" }));
    assert.equal((await lead(ONE, "another_shop")).status, 200);
    assert.equal(await write(product("12", "6", { sku: mug, item_name: "Large mug" })), "written");
    assert.deepEqual([await nameOf(mug), await nameOf(chainsaw)], ["Large mug", "Chainsaw"]);
  });

  it("keeps its links where it only has another address", async () => {
    const mug = `MUG-${unique()}`;
    await write(product("12", "5", { sku: mug, item_name: "Mug" }));
    await read("2026-05-01T00:00:00Z");
    assert.equal((await lead(OTHER, "same_shop")).status, 200);
    assert.notEqual(await watermark(), null);
    assert.equal(await write(product("12", "6", { sku: mug, item_name: "Large mug" })), "written");
    assert.equal(await nameOf(mug), "Large mug");
    assert.equal((await lead(OTHER)).status, 200);
  });

  it("is remembered while no credentials are stored", async () => {
    await write(product("12", "5", { sku: `MUG-${unique()}`, item_name: "Mug" }));
    await service.admin.call("DELETE", `${CONNECTORS}/probe/credentials`, { warehouse_id });
    assert.equal((await lead(OTHER)).status, 409);
  });

  it("of an earlier release is known by its stored address", async () => {
    await write(product("12", "5", { sku: `MUG-${unique()}`, item_name: "Mug" }));
    await db.run("delete from connector_shops where warehouse_id = $1", [warehouse_id]);
    assert.equal((await lead(OTHER)).status, 409);
  });

  it("forgets what was refused of the shop before", async () => {
    await write(product("12", "5", { sku: `MUG-${unique()}`, item_name: "Mug" }));
    await db.run(
      `insert into connector_refusals (connector_name, warehouse_id, sync_type, external_id, external_version, record,
                                       error_kind, error_message)
       values ('probe', $1, 'items', '13', '1', '{}', 'constraint_violation', 'sku')`,
      [warehouse_id],
    );
    await lead(OTHER, "another_shop");
    assert.equal(await db.row("select from connector_refusals where warehouse_id = $1", [warehouse_id]), undefined);
  });

  it("is told nothing of the orders of the shop before, until it is led back", async () => {
    await write(product("12", "5", { sku: `MUG-${unique()}`, item_name: "Mug" }));
    const [failed, pushed] = [await failedPush(warehouse_id, "probe"), await failedPush(warehouse_id, "probe")];
    await db.run("update fulfillment_pushes set status = 'pushed' where push_id = $1", [pushed]);
    await lead(OTHER, "another_shop");
    const retried = await service.admin.post(`/api/admin/connector-pushes/${failed}/retry`);
    assert.deepEqual(statusAndError(retried), [409, "Only a failed push can be tried again, this one is skipped"]);
    await db.run(
      `update item_fulfillments set status = 'VOIDED', voided_at = now()
       where fulfillment_id = (select fulfillment_id from fulfillment_pushes where push_id = $1)`,
      [pushed],
    );
    const voids = async () => {
      const row = await db.row<{ so_id: number }>("select so_id from fulfillment_pushes where push_id = $1", [pushed]);
      return pushVoids(db, row?.so_id as number);
    };
    assert.equal(await voids(), 0);
    await lead(ONE, "another_shop");
    assert.equal(await voids(), 1);
  });

  it("reads everything again where that is asked for", async () => {
    await read("2026-05-01T00:00:00Z");
    const reset = (full?: boolean) => service.admin.post(`${CONNECTORS}/probe/sync-reset`, { warehouse_id, full });
    assert.equal((await reset()).status, 200);
    assert.notEqual(await watermark(), null);
    const { status, body } = await reset(true);
    assert.deepEqual([status, body.rows_reset], [200, 0]);
    assert.equal(await watermark(), null);
    const row = await db.row<{ details: { full: boolean } }>(
      `select details from audit_log where action_type = 'SYNC_RESET' and warehouse_id = $1
       order by log_id desc limit 1`,
      [warehouse_id],
    );
    assert.equal(row?.details.full, true);
  });
});
