import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { channelFloor } from "../support/channel-floor.js";
import type { ChannelSink } from "../support/channel-sink.js";
import { CHANNELS } from "../support/channels.js";
import { db } from "../support/db.js";
import { senderEnv } from "../support/deliveries.js";
import * as fixtures from "../support/fixtures.js";
import { type ListedItem, ListShop, openSyncing } from "../support/list-shop.js";
import type { TestService } from "../support/service.js";
import { until } from "../support/until.js";

describe("a channel is told of changes that are none of stock", () => {
  let service: TestService;
  let sink: ChannelSink;
  let warehouse_id: number;
  // Before those of the floor, which stops the shop.
  afterEach(() => sink.assertVersionsRise());
  const floor = channelFloor(() => openSyncing(senderEnv));
  beforeEach(() => {
    ({ service, sink, warehouse_id } = floor.at());
    floor.start();
  });

  /** An item with 10 units. */
  async function stocked() {
    const made = await fixtures.item();
    await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), made.item_id, 10);
    return made;
  }
  const publish = (sku_scope: object = { warehouse_ids: [warehouse_id] }) => floor.publish({ sku_scope });
  const told = (sku: string, available: number) => until(() => sink.latest().get(sku)?.available === available, 30_000);
  const put = (path: string, body: object) => service.admin.ok("PUT", `/api/admin/${path}`, body);
  const fresh = () => `SKU-${randomUUID()}`;

  it("an item that gets another SKU at the desk: the old one is not available any more", async () => {
    const { item_id, sku } = await stocked();
    await publish();
    await told(sku, 10);
    const renamed = fresh();
    await put(`items/${item_id}`, { sku: renamed });
    await told(renamed, 10);
    await told(sku, 0);
    await put(`items/${item_id}`, { sku });
    await told(sku, 10);
    await told(renamed, 0);
  });

  it("an item that gets another SKU by a sync", async () => {
    const shop = await ListShop.open(service, 1);
    const [one] = shop.items as [ListedItem];
    await shop.sync();
    const item = await db.row<{ item_id: number }>("select item_id from items where sku = $1", [one.sku]);
    await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), item?.item_id as number, 10);
    await publish();
    const before = one.sku;
    await told(before, 10);
    Object.assign(one, { sku: fresh(), version: "2" });
    await shop.sync();
    await told(one.sku, 10);
    await told(before, 0);
    await shop.close();
  });

  it("two items that swap their SKUs: each goes on above the version of its SKU", async () => {
    const [one, other] = [await stocked(), await stocked()];
    await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), other.item_id, 5);
    const category = fresh();
    const ids = [one.item_id, other.item_id];
    await db.run("update items set category = $2 where item_id = any($1)", [ids, category]);
    const { channel_id } = await publish({ categories: [category] });
    await told(one.sku, 10);
    await told(other.sku, 15);
    await db.run("update inventory set quantity_on_hand = 11 where item_id = $1", [one.item_id]);
    await told(one.sku, 11);
    await put(`items/${one.item_id}`, { sku: fresh() });
    await put(`items/${other.item_id}`, { sku: one.sku });
    await put(`items/${one.item_id}`, { sku: other.sku });
    await told(one.sku, 15);
    await told(other.sku, 11);
    const counted = async () =>
      (await service.admin.ok("GET", CHANNELS)).channels.find(
        (c: { channel_id: string }) => c.channel_id === channel_id,
      );
    assert.equal((await counted()).item_count, 2);
  });

  it("an SKU that goes to an item which the channel does not want", async () => {
    const [one, other] = [await stocked(), await stocked()];
    const category = fresh();
    await db.run("update items set category = $2 where item_id = $1", [one.item_id, category]);
    await publish({ categories: [category] });
    await told(one.sku, 10);
    const renamed = fresh();
    await put(`items/${one.item_id}`, { sku: renamed });
    await put(`items/${other.item_id}`, { sku: one.sku });
    await told(renamed, 10);
    await told(one.sku, 0);
  });

  it("an SKU that was changed while the channel was paused", async () => {
    const { item_id, sku } = await stocked();
    const { channel_id } = await publish();
    await told(sku, 10);
    await service.admin.ok("PATCH", `${CHANNELS}/${channel_id}`, { status: "paused" });
    const renamed = fresh();
    await put(`items/${item_id}`, { sku: renamed });
    await service.admin.ok("PATCH", `${CHANNELS}/${channel_id}`, { status: "active" });
    await told(renamed, 10);
    await told(sku, 0);
  });

  for (const paused of [false, true])
    it(`an item that is deleted${paused ? " while the channel is paused" : ""}, and made anew`, async () => {
      const { item_id, sku } = await stocked();
      const { channel_id } = await publish();
      await told(sku, 10);
      const set = (status: string) => service.admin.ok("PATCH", `${CHANNELS}/${channel_id}`, { status });
      if (paused) await set("paused");
      await db.run("update inventory set quantity_on_hand = 0 where item_id = $1", [item_id]);
      await service.admin.ok("DELETE", `/api/admin/items/${item_id}`);
      if (paused) await set("active");
      await told(sku, 0);
      const again = await service.admin.ok("POST", "/api/admin/items", { sku, item_name: sku });
      await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), again.item_id, 3);
      await told(sku, 3);
    });

  it("an item that is archived, and active again", async () => {
    const { item_id, sku } = await stocked();
    await publish();
    await told(sku, 10);
    await put(`items/${item_id}`, { is_active: false });
    await told(sku, 0);
    await put(`items/${item_id}`, { is_active: true });
    await told(sku, 10);
  });

  it("a warehouse that is out of use, and in use again", async () => {
    const { sku } = await stocked();
    await publish();
    await told(sku, 10);
    await put(`warehouses/${warehouse_id}`, { is_active: false });
    await told(sku, 0);
    await put(`warehouses/${warehouse_id}`, { is_active: true });
    await told(sku, 10);
  });
});
