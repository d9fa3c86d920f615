import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { collectAvailability } from "../../activities/outbound/channels/collect.js";
import { transaction } from "../../src/platform/db/db.js";
import { floor } from "../support/change.js";
import { CHANNELS, channel as newChannel } from "../support/channels.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

const WAITS_TO_NOTE = "select from pg_locks where relation = any('{items, inventory}'::regclass[]) and not granted";

describe("the availability that channels are told", () => {
  const service = testService({ worker: true });
  let warehouse_id: number;
  let bin_id: number;
  let category: string;
  beforeEach(async () => {
    warehouse_id = await fixtures.warehouse();
    bin_id = await fixtures.bin(warehouse_id);
    category = randomUUID();
  });
  afterEach(() => db.run("update channels set status = 'revoked', pause_reason = null, whole_after = null"));

  const collect = async () => {
    while (await collectAvailability());
  };
  const categorize = (item_id: number, name: string | null = category) =>
    db.run("update items set category = $2 where item_id = $1", [item_id, name]);
  async function item(units = 5) {
    const made = await fixtures.item();
    await categorize(made.item_id);
    if (units > 0) await fixtures.stock(warehouse_id, bin_id, made.item_id, units);
    return made;
  }
  const channel = async (sku_scope: object = { categories: [category] }): Promise<string> =>
    (await newChannel(service.admin, { sku_scope })).channel_id;
  interface Row {
    item_id: number;
    sku: string;
    available: number;
    version: number;
    in_scope: boolean;
    dirty: boolean;
  }
  /** What the channel has been, or is to be told of the SKUs that items have. */
  const rows = (id: string) =>
    db.rows<Row>(
      `select item_id, sku, available, version, in_scope, due_at is not null as dirty
       from channel_items join items using (item_id, sku) where channel_id = $1 order by item_id`,
      [id],
    );
  const told = async (id: string) => {
    await collect();
    return (await rows(id)).map(({ available, version }) => [available, version]);
  };
  const noted = () => db.value<number>("select count(*) as n from availability_changes");

  it("is what is on hand and allocated to nobody, where it can be picked", async () => {
    const { item_id } = await item(5);
    await fixtures.stock(warehouse_id, bin_id, item_id, 4, "LOT");
    await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id, { type: "PickableStaging" }), item_id, 30);
    await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id, { type: "Staging" }), item_id, 200);
    const closed = await fixtures.bin(warehouse_id);
    await fixtures.stock(warehouse_id, closed, item_id, 1_000);
    await db.run("update bins set is_active = false where bin_id = $1", [closed]);
    await db.run("update inventory set quantity_allocated = 2 where item_id = $1 and lot_number = 'LOT'", [item_id]);
    assert.deepEqual(await told(await channel()), [[37, 1]]);
  });

  it("is that of the warehouses of the scope, and of all where it names none", async () => {
    const { item_id } = await item(5);
    const other = await fixtures.warehouse();
    await fixtures.stock(other, await fixtures.bin(other), item_id, 40);
    const all = await channel();
    const one = await channel({ categories: [category], warehouse_ids: [warehouse_id] });
    assert.deepEqual(await told(all), [[45, 1]]);
    assert.deepEqual(await told(one), [[5, 1]]);
  });

  it("is of the items of the scope", async () => {
    const [a, b, c] = [await item(), await item(), await item()];
    await categorize(c.item_id, "Other");
    const bySku = await channel({ skus: [a.sku, c.sku] });
    const byBoth = await channel({ skus: [a.sku, c.sku], categories: [category] });
    const everything = await channel({});
    await collect();
    const skus = async (id: string) => (await rows(id)).map(({ sku }) => sku);
    assert.deepEqual(await skus(bySku), [a.sku, c.sku]);
    assert.deepEqual(await skus(byBoth), [a.sku]);
    for (const { sku } of [a, b, c]) assert.ok((await skus(everything)).includes(sku));
  });

  it("tells that there is nothing of an item, unless it is archived", async () => {
    await item(0);
    const archived = await item(0);
    await db.run("update items set is_active = false where item_id = $1", [archived.item_id]);
    assert.deepEqual(await told(await channel()), [[0, 1]]);
  });

  it("goes on page by page where there are more items than one page has", async () => {
    await db.run(
      `insert into items (sku, item_name, category) select $1 || n, 'Mug', $1 from generate_series(1, 5001) n`,
      [category],
    );
    const id = await channel();
    assert.equal(await collectAvailability(), true);
    await collect();
    const found = await rows(id);
    assert.equal(found.length, 5_001);
    assert.ok(found.every(({ version, dirty }) => version === 1 && dirty));
  });

  describe("follows", () => {
    let id: string;
    let item_id: number;
    beforeEach(async () => {
      ({ item_id } = await item(5));
      id = await channel();
      assert.deepEqual(await told(id), [[5, 1]]);
    });

    it("stock that comes, goes and is allocated", async () => {
      for (const [set, expected] of [
        ["quantity_on_hand = 9", 9],
        ["quantity_allocated = 4", 5],
        ["quantity_on_hand = 6", 2],
        ["quantity_allocated = 0", 6],
      ] as const) {
        await db.run(`update inventory set ${set} where item_id = $1`, [item_id]);
        assert.equal((await told(id))[0]?.[0], expected);
      }
      await fixtures.stock(warehouse_id, await fixtures.bin(warehouse_id), item_id, 3);
      assert.deepEqual(await told(id), [[9, 6]]);
      await db.run("delete from inventory where item_id = $1", [item_id]);
      assert.deepEqual(await told(id), [[0, 7]]);
    });

    it("nothing that leaves it as it is: a pick of what was allocated writes nothing at all", async () => {
      await db.run("update inventory set quantity_allocated = 3 where item_id = $1", [item_id]);
      await collect();
      const before = await rows(id);
      await db.run(
        `update inventory set quantity_on_hand = quantity_on_hand - 3, quantity_allocated = 0 where item_id = $1`,
        [item_id],
      );
      assert.equal(await noted(), 0);
      await db.run("update inventory set quantity_on_hand = quantity_on_hand + 1 where item_id = $1", [item_id]);
      await db.run("update inventory set quantity_on_hand = quantity_on_hand - 1 where item_id = $1", [item_id]);
      assert.equal(await noted(), 2);
      await collect();
      assert.deepEqual(await rows(id), before);
    });

    it("bins that become others, and are opened or closed", async () => {
      for (const [set, expected] of [
        ["bin_type = 'Staging'", [0, 2]],
        ["bin_type = 'PickableStaging'", [5, 3]],
        ["is_active = false", [0, 4]],
        ["is_active = true", [5, 5]],
      ] as const) {
        await db.run(`update bins set ${set} where bin_id = $1`, [bin_id]);
        assert.deepEqual(await told(id), [expected]);
      }
    });

    it("items that are made, renamed, and come into the scope or leave it", async () => {
      await db.run("update items set sku = $2 where item_id = $1", [item_id, `${category}-new`]);
      await collect();
      const [renamed] = await rows(id);
      assert.deepEqual([renamed?.sku, renamed?.version], [`${category}-new`, 2]);
      await categorize(item_id, "Other");
      assert.deepEqual(await told(id), [[0, 3]]);
      assert.equal((await rows(id))[0]?.in_scope, false);
      await db.run("update inventory set quantity_on_hand = 9 where item_id = $1", [item_id]);
      assert.deepEqual(await told(id), [[0, 3]]);
      await categorize(item_id);
      assert.deepEqual(await told(id), [[9, 4]]);
      await item(0);
      assert.deepEqual(await told(id), [
        [9, 4],
        [0, 1],
      ]);
    });

    it("a scope that becomes narrower: what it leaves out is not available any more", async () => {
      const other = await item(3);
      assert.deepEqual(await told(id), [
        [5, 1],
        [3, 1],
      ]);
      await service.admin.ok("PATCH", `${CHANNELS}/${id}`, { sku_scope: { skus: [other.sku] } });
      assert.deepEqual(await told(id), [
        [0, 2],
        [3, 2],
      ]);
      const { channels } = await service.admin.ok("GET", CHANNELS);
      assert.equal(channels.find((c: { channel_id: string }) => c.channel_id === id).item_count, 1);
    });

    it("a change that commits after a later one was taken", async () => {
      const other = await item(3);
      const late = await fixtures.item();
      await categorize(late.item_id);
      await transaction(async (tx) => {
        await tx.run("update inventory set quantity_on_hand = 8 where item_id = $1", [item_id]);
        await db.run("update inventory set quantity_on_hand = 4 where item_id = $1", [other.item_id]);
        await collect();
        assert.equal((await rows(id))[0]?.available, 5);
      });
      await collect();
      assert.deepEqual(pluck(await rows(id), "available"), [8, 4, 0]);
    });
  });

  it("forgets what is deleted", async () => {
    const { item_id } = await item(0);
    const id = await channel();
    await collect();
    assert.equal((await rows(id)).length, 1);
    await service.admin.ok("DELETE", `/api/admin/items/${item_id}`);
    await collect();
    assert.deepEqual(await rows(id), []);
  });

  it("of paused and revoked channels is not followed, and nothing piles up", async () => {
    const { item_id } = await item(5);
    const id = await channel();
    await collect();
    await service.admin.ok("PATCH", `${CHANNELS}/${id}`, { status: "paused" });
    await db.run("update inventory set quantity_on_hand = 6 where item_id = $1", [item_id]);
    assert.deepEqual(await told(id), [[5, 1]]);
    assert.equal(await noted(), 0);
    await service.admin.ok("PATCH", `${CHANNELS}/${id}`, { status: "active" });
    assert.deepEqual(await told(id), [[6, 2]]);
    await service.admin.ok("DELETE", `${CHANNELS}/${id}`);
    await db.run("update inventory set quantity_on_hand = 7 where item_id = $1", [item_id]);
    assert.deepEqual(await told(id), [[6, 2]]);
  });

  it("is noted of stock and of items only while a channel is active", async () => {
    const { item_id } = await item(5);
    const noting = async () => {
      const triggers = await db.rows<{ on: boolean }>(
        `select distinct tgenabled <> 'D' as on from pg_trigger
         where tgname like any('{inventory_availability_%, items_availability_%}')`,
      );
      assert.equal(triggers.length, 1);
      return triggers[0]?.on;
    };
    // While the worker's own round or anybody's write holds the table, noting ends with a later round.
    const ends = () =>
      until(async () => {
        await db.run("update inventory set quantity_on_hand = quantity_on_hand + 1 where item_id = $1", [item_id]);
        await collect();
        return !(await noting());
      });
    const id = await channel();
    assert.equal(await noting(), true);
    await service.admin.ok("PATCH", `${CHANNELS}/${id}`, { status: "paused" });
    await ends();
    await service.admin.ok("PATCH", `${CHANNELS}/${id}`, { status: "active" });
    assert.equal(await noting(), true);
    await service.admin.ok("DELETE", `${CHANNELS}/${id}`);
    await ends();
    await db.run("update inventory set quantity_on_hand = 6 where item_id = $1", [item_id]);
    await item(1);
    assert.equal(await noted(), 0);
  });

  it("includes what was being written while the channel was made or resumed", async () => {
    const { item_id } = await item(5);
    const written = async (units: number, act: () => Promise<string>) => {
      let acting: Promise<string> | undefined;
      await transaction(async (tx) => {
        await tx.run("update inventory set quantity_on_hand = $2 where item_id = $1", [item_id, units]);
        acting = act();
        await until(async () => (await db.rows(WAITS_TO_NOTE)).length > 0);
      });
      return acting as Promise<string>;
    };
    const id = await written(7, () => channel());
    assert.deepEqual(await told(id), [[7, 1]]);
    const resume = async (status: string) => {
      await service.admin.ok("PATCH", `${CHANNELS}/${id}`, { status });
      return id;
    };
    await resume("paused");
    await written(8, () => resume("active"));
    assert.deepEqual(await told(id), [[8, 2]]);
  });

  it("includes an item that was being renamed while the channel was resumed", async () => {
    const { item_id } = await item(5);
    const id = await channel();
    await collect();
    await service.admin.ok("PATCH", `${CHANNELS}/${id}`, { status: "paused" });
    const sku = randomUUID();
    let resumed: Promise<unknown> | undefined;
    await transaction(async (tx) => {
      await tx.run("update items set sku = $2 where item_id = $1", [item_id, sku]);
      resumed = service.admin.ok("PATCH", `${CHANNELS}/${id}`, { status: "active" });
      await until(async () => (await db.rows(WAITS_TO_NOTE)).length > 0);
    });
    await resumed;
    await collect();
    assert.equal((await rows(id))[0]?.sku, sku);
  });

  it("is right after whatever happens on the floor", async () => {
    const id = await channel({ warehouse_ids: [warehouse_id] });
    await collect();
    const at = await floor(service, warehouse_id);
    const { by } = at;
    const goods = await at.expected();
    const { po_id, item_id, bin_id: into } = goods;
    const steps: (() => Promise<unknown>)[] = [
      () => by.ok("POST", "/api/receiving/receive", { po_id, items: [{ item_id, bin_id: into, quantity: 3 }] }),
      () => at.order(),
      () => at.wave(),
      () => at.picked(),
      () => at.expected(),
    ];
    for (const step of steps) {
      await step();
      await collect();
      const wrong = await db.rows(
        `select * from (
           select i.item_id, coalesce(sum(v.quantity_on_hand - v.quantity_allocated)
                    filter (where b.is_active and b.bin_type <> 'Staging'), 0) as available
           from items i join inventory v using (item_id) join bins b using (bin_id)
           where v.warehouse_id = $2 group by i.item_id) a
         full join (select item_id, available from channel_items where channel_id = $1) t using (item_id)
         where a.available <> coalesce(t.available, -1) or a.item_id is null and t.available <> 0`,
        [id, warehouse_id],
      );
      assert.deepEqual(wrong, []);
    }
  });

  it("is taken by one process at a time, and by each whole", async () => {
    const id = await channel();
    const made = await Promise.all(Array.from({ length: 40 }, () => item(1)));
    await Promise.all([collect(), collect(), collect(), collect()]);
    await collect();
    assert.equal((await rows(id)).length, made.length);
    assert.equal(await noted(), 0);
  });
});
