import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { startApi } from "../support/api-process.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { endRole, killRoles } from "../support/roles.js";
import { createDatabase, databaseUrl, onServer } from "../support/servers.js";
import { SNAPSHOT, scanWith } from "../support/snapshots.js";
import { tokenCaller } from "../support/tokens.js";

const ROWS = 60;
const UNLIMITED = { SNAPSHOT_RATE_LIMIT_PER_MINUTE: "0" };

describe("a scan that two API processes serve", function () {
  this.timeout(60_000);
  const name = `t_${randomUUID().replaceAll("-", "")}`;
  const tokenPepper = randomUUID();
  let one: Awaited<ReturnType<typeof startApi>>;
  let other: typeof one;
  let warehouse_id: number;

  before(async () => {
    await createDatabase(name);
    connect(databaseUrl(name), 2);
    [one, other] = await Promise.all([
      startApi(databaseUrl(name), tokenPepper, UNLIMITED),
      startApi(databaseUrl(name), tokenPepper, UNLIMITED),
    ]);
    warehouse_id = await fixtures.warehouse();
    const bin_id = await fixtures.bin(warehouse_id);
    for (let i = 0; i < ROWS; i++) {
      const { item_id } = await fixtures.item();
      await fixtures.stock(warehouse_id, bin_id, item_id, i);
    }
  });
  after(async () => {
    killRoles();
    await disconnect();
    await onServer(`drop database ${name} with (force)`);
  });

  /** One partner, at either process. */
  async function partner(): Promise<[Caller, Caller]> {
    const { plaintext } = await tokenCaller(
      { config: { tokenPepper }, anyone: one.caller },
      { warehouse_ids: [warehouse_id], endpoints: ["snapshot.inventory"] },
    );
    const headers = { "x-wms-token": plaintext };
    return [one.caller.with(headers), other.caller.with(headers)];
  }
  const units = (rows: { quantity_on_hand: number }[]) => rows.map((row) => row.quantity_on_hand);
  const onHand = async () => units(await db.rows("select quantity_on_hand from inventory order by item_id"));

  it("has each row once, as of its beginning, though they take turns and the stock changes", async () => {
    const before = await onHand();
    const { rows } = await scanWith(await partner(), warehouse_id, 7, () =>
      db.run("update inventory set quantity_on_hand = quantity_on_hand + 1"),
    );
    assert.deepEqual(units(rows), before);
    assert.notDeepEqual(await onHand(), before);
  });

  it("is the only one of its token in both", async () => {
    const [here, there] = await partner();
    const path = `${SNAPSHOT}?warehouse_id=${warehouse_id}&limit=7`;
    assert.equal((await here.get(path)).status, 200);
    assert.equal((await there.get(path)).status, 429);
  });

  it("begins once, of many requests to both", async () => {
    const callers = await partner();
    const path = `${SNAPSHOT}?warehouse_id=${warehouse_id}&limit=7`;
    const answers = await Promise.all(
      [...callers, ...callers, ...callers, ...callers].map((caller) => caller.get(path)),
    );
    const begun = answers.filter(({ status }) => status === 200);
    assert.equal(begun.length, 1);
  });

  it("goes on in one when the other is killed", async () => {
    const [here, there] = await partner();
    const path = `${SNAPSHOT}?warehouse_id=${warehouse_id}&limit=50`;
    const first = await here.ok("GET", path);
    await endRole(one.api, "SIGKILL");
    const { rows } = await there.ok("GET", `${path}&cursor=${first.next_cursor}`);
    assert.deepEqual(units([...first.rows, ...rows]), await onHand());
  });
});
