import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { command } from "../../activities/command.js";
import { outboundSlugs } from "../../src/auth/tokens/scope.js";
import { events, eventTypes, payloadSchema } from "../../src/platform/events/catalog.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { age, EVENTS, error, newest, poll, told } from "../support/polling.js";
import { openService, testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";

describe("events, for those who poll,", () => {
  const service = testService();
  let north: number;
  let reader: Caller;
  before(async () => {
    north = await fixtures.warehouse();
    reader = await token();
  });

  const token = async (fields: object = {}) =>
    (
      await tokenCaller(service, {
        ...{ event_types: eventTypes, endpoints: [...outboundSlugs] },
        warehouse_ids: [north],
        ...fields,
      })
    ).caller;

  describe("the catalog", () => {
    it("lists the types that the token may see", async () => {
      const { types } = await reader.ok("GET", `${EVENTS}/types`);
      assert.deepEqual(
        types,
        eventTypes.map((event_type) => ({ event_type, versions: [1], aggregate_type: events[event_type].aggregate })),
      );
      const shipping = await token({ event_types: ["ship.confirmed"] });
      const few = await shipping.ok("GET", `${EVENTS}/types`);
      assert.deepEqual(few, {
        types: [{ event_type: "ship.confirmed", versions: [1], aggregate_type: "sales_order" }],
      });
    });

    it("publishes the schema of each", async () => {
      for (const type of eventTypes) {
        const answer = await reader.get(`${EVENTS}/schema/${type}/1`);
        assert.equal(answer.status, 200);
        assert.match(answer.headers.get("content-type") ?? "", /^application\/schema\+json/);
        assert.deepEqual(answer.body, payloadSchema(type));
      }
    });

    it("has no other type or version", async () => {
      for (const wrong of [
        ...["ship.confirmed/2", "ship.confirmed/01", "ship.confirmed/x"],
        ...["ship.lost/1", "toString/1", "__proto__/1"],
      ])
        assert.deepEqual(
          told(await reader.get(`${EVENTS}/schema/${wrong}`)),
          error(404, "unknown_event_type_or_version"),
          wrong,
        );
    });
  });

  describe("ids of other systems", () => {
    const ours = () => randomUUID();
    const maps = (canonical_id: string, type: string, source_id: string) =>
      db.run(
        `with shop as (insert into inbound_source_systems_allowlist values ('shop', 'connector') on conflict do nothing)
         insert into cross_system_mappings (source_system, source_type, source_id, canonical_type, canonical_id, shared)
         values ('shop', $2, $3, $2, $1, true)`,
        [canonical_id, type, source_id],
      );
    const numbered = async (payload: object) => {
      await db.run(
        `insert into integration_events (event_type, aggregate_type, aggregate_external_id, entity_type, entity_id,
          warehouse_id,
                                         source_txn_id, payload)
         values ('ship.confirmed', 'sales_order', $1, 'sales_order', 1, $2, gen_random_uuid(), $3)`,
        [ours(), north, JSON.stringify(payload)],
      );
      await age();
      const { body } = await poll(reader, { after: (await newest()) - 1 });
      return body.events[0].data;
    };

    it("stand in the data, at every depth, where one is known", async () => {
      const [order, item, user] = [ours(), ours(), ours()];
      const other = `${ours()}-pkg-1`;
      await maps(order, "sales_order", "4711");
      await maps(item, "item", `a "kettle" \\ näh`);
      const packages = (item_external_id: string) => [
        {
          package_external_id: other,
          lines: [
            { item_external_id, quantity_packed: 1 },
            { item_external_id: user, quantity_packed: 2 },
          ],
        },
      ];
      assert.deepEqual(
        await numbered({
          sales_order_external_id: order,
          completed_by_user_external_id: user,
          packages: packages(item),
        }),
        {
          sales_order_external_id: "4711",
          completed_by_user_external_id: user,
          packages: packages(`a "kettle" \\ näh`),
        },
      );
    });

    it("are not looked for in texts, nor in what only looks like an id", async () => {
      const item = ours();
      await maps(item, "item", "known");
      const dashes = item.replace(/^../, "--");
      const data = {
        item_external_id: item,
        note: `"item_external_id":"${item}"`,
        ...{ bin_external_id: `${item.slice(0, -1)}z`, lot_external_id: dashes, to_external_id: `${item} ` },
        ...{ from_external_id: "", line_external_id: null, name: `_external_id":"${item}` },
      };
      assert.deepEqual(await numbered(data), { ...data, item_external_id: "known" });
    });

    it("are the earliest where there are several", async () => {
      const item = ours();
      await maps(item, "item", "first");
      await maps(item, "item", "second");
      const data = await numbered({ item_external_id: item });
      assert.deepEqual(data, { item_external_id: "first" });
    });

    it("stand in no other field, and in no text that looks like one", async () => {
      const item = ours();
      await maps(item, "item", "theirs");
      const data = {
        item_id: item,
        note: `"item_external_id": "${item}"`,
        changes: [{ field: "x_external_id", old_value: item }],
        parent_external_id: null,
      };
      assert.deepEqual(await numbered(data), data);
    });
  });
});

describe("SERVICE_VALIDATE_EVENT_SCHEMAS", () => {
  /** How many events there are after a command that emits one without any data. */
  const emitted = async (on: "yes" | "no") => {
    const service = await openService({ env: { SERVICE_VALIDATE_EVENT_SCHEMAS: on } });
    try {
      const by = systemActor(randomUUID());
      await command("test.emit", by, {}, async (tx) => {
        await tx.run("insert into connectors values ('erp', 'ERP')");
        tx.emit({
          ...{ type: "ship.confirmed", aggregateId: randomUUID() },
          ...{ entity: "sales_order", entityId: 1, warehouseId: 1 },
          data: {} as never,
        });
      }).catch((error: Error) => assert.equal(error.name, "ZodError"));
      return await db.row<{ events: number; connectors: number }>(
        "select (select count(*) from integration_events) as events, (select count(*) from connectors) as connectors",
      );
    } finally {
      await service.close();
    }
  };

  it("undoes what caused an event that does not fit its schema", async () =>
    assert.deepEqual(await emitted("yes"), { events: 0, connectors: 0 }));

  it("takes every event as it is when it is off", async () =>
    assert.deepEqual(await emitted("no"), { events: 1, connectors: 1 }));
});
