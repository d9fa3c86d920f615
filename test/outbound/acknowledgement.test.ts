import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { ACK, consumerGroup, EVENTS, error, happened, newest, partner, poll, told } from "../support/polling.js";
import { testService } from "../support/service.js";

describe("an acknowledgement", () => {
  const service = testService();
  let north: number;
  let south: number;
  /** May see everything of both warehouses. */
  let reader: Caller;
  before(async () => {
    north = await fixtures.warehouse();
    south = await fixtures.warehouse();
    await consumerGroup("erp");
    reader = await token();
  });

  const epochNow = async () => (await reader.ok("GET", EVENTS)).epoch as string;
  const token = (fields?: object) => partner(service, [north, south], fields);

  const byPost = (caller: Caller, consumer_group: string, cursor: number) =>
    caller.post(ACK, { consumer_group, cursor });
  const byGet = (caller: Caller, consumer_group: string, cursor: number | string) =>
    caller.get(`${ACK}?consumer_group=${consumer_group}&cursor=${cursor}`);

  const beyond = async (cursor: number) => {
    const resume_after = await newest();
    const detail = `The newest event is ${resume_after}, below ${cursor}`;
    return error(400, "cursor_beyond_horizon", { detail, epoch: await epochNow(), resume_after });
  };

  for (const [name, ack] of [
    ["by POST", byPost],
    ["by GET", byGet],
  ] as const) {
    it(`${name} moves the group forward, and never back`, async () => {
      const group = await consumerGroup("erp");
      const [first, second] = (await happened(["ship.confirmed", north], ["ship.confirmed", north])) as [
        number,
        number,
      ];
      const epoch = await epochNow();
      const at = (last_cursor: number) => [200, { consumer_group: group, epoch, last_cursor }];
      assert.deepEqual(told(await ack(reader, group, first)), at(first));
      assert.deepEqual(told(await ack(reader, group, first)), at(first));
      assert.deepEqual(told(await ack(reader, group, second)), at(second));
      assert.deepEqual(told(await ack(reader, group, 0)), at(second));
      const { body } = await poll(reader, { consumer_group: group });
      assert.deepEqual(body, { events: [], next_cursor: second, epoch });
    });

    it(`${name} is refused by name`, async () => {
      await happened(["ship.confirmed", north]);
      const group = await consumerGroup("erp");
      for (const cursor of [(await newest()) + 1, Number.MAX_SAFE_INTEGER])
        assert.deepEqual(told(await ack(reader, group, cursor)), await beyond(cursor));
      assert.deepEqual(told(await ack(reader, "nobody", 1)), error(404, "consumer_group_not_found"));
      const foreign = await consumerGroup("shop");
      assert.deepEqual(told(await ack(reader, foreign, 1)), error(403, "consumer_group_scope_violation"));
      const invalid = await consumerGroup("erp", { event_types: [] });
      assert.deepEqual(told(await ack(reader, invalid, 1)), error(409, "subscription_invalid"));
      const blind = await token({ warehouse_ids: [] });
      assert.deepEqual(told(await ack(blind, group, await newest())), error(403, "ack_scope_violation"));
    });
  }

  it("may be of the largest cursor that there is, which lies beyond", async () => {
    const group = await consumerGroup("erp");
    const largest = "9223372036854775807";
    const refused = await beyond(Number.MAX_SAFE_INTEGER);
    assert.deepEqual(told(await byGet(reader, group, largest)), refused);
    const body = `{"consumer_group": "${group}", "cursor": ${largest}}`;
    assert.deepEqual(told(await reader.post(ACK, body)), refused);
  });

  it("takes nothing else than a group and a cursor", async () => {
    for (const body of [
      ...[{}, { consumer_group: "x" }, { consumer_group: "x", cursor: -1 }],
      ...[
        { consumer_group: "x", cursor: 1.5 },
        { consumer_group: "x", cursor: "1" },
      ],
      ...[
        { consumer_group: "x".repeat(65), cursor: 1 },
        { consumer_group: "x", cursor: 2 ** 64 },
      ],
      { consumer_group: "x", cursor: 1, warehouse_id: 1 },
    ]) {
      const { status, body: refused } = await reader.post(ACK, body);
      assert.deepEqual([status, refused.error], [400, "validation_error"], JSON.stringify(body));
    }
    const { status } = await byGet(reader, "x", "-1");
    assert.equal(status, 400);
  });

  it("passes no event that the group is for and the token may not see", async () => {
    const only = async (subscription: object, caller: Caller) => {
      const group = await consumerGroup("erp", subscription);
      const start = await newest();
      await db.run("update consumer_groups set last_cursor = $2 where consumer_group_id = $1", [group, start]);
      const [, second, third] = (await happened(
        ["ship.confirmed", north],
        ["pick.confirmed", south],
        ["ship.confirmed", north],
      )) as [number, number, number];
      const statuses = [];
      for (const cursor of [second - 1, second, third]) statuses.push((await byPost(caller, group, cursor)).status);
      return statuses;
    };
    const ships = { event_types: ["ship.confirmed"] };
    const northern = await token({ warehouse_ids: [north] });
    const shipping = await token(ships);
    assert.deepEqual(await only({}, reader), [200, 200, 200]);
    assert.deepEqual(await only({}, northern), [200, 403, 403]);
    assert.deepEqual(await only({}, shipping), [200, 403, 403]);
    assert.deepEqual(await only(ships, northern), [200, 200, 200]);
    assert.deepEqual(await only(ships, shipping), [200, 200, 200]);
    assert.deepEqual(await only({ warehouse_ids: [north] }, northern), [200, 200, 200]);
    const picks = { event_types: ["pick.confirmed"] };
    assert.deepEqual(await only(picks, northern), [200, 403, 403]);
  });

  it("of many at once leaves the furthest", async () => {
    const group = await consumerGroup("erp");
    const all = await happened(...Array(20).fill(["ship.confirmed", north] as const));
    const answers = await Promise.all(all.map((event_id) => byPost(reader, group, event_id)));
    for (const [i, { body }] of answers.entries()) assert.ok(body.last_cursor >= (all[i] as number));
    const { body } = await byPost(reader, group, 0);
    assert.equal(body.last_cursor, all.at(-1));
  });
});
