import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { cancelTransferByOperator } from "../../activities/transfers/index.js";
import type { Caller } from "../support/caller.js";
import * as fixtures from "../support/fixtures.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import { confirm, submitted, testSites, transferOrder, walk } from "../support/transfers.js";
import { releasesOf, statusOf, waitingOrder } from "../support/waiting.js";

describe("orders that wait for stock that a transfer order holds or brings", () => {
  const service = testService({ worker: true });
  const at = testSites();
  let ann: Caller;
  beforeEach(async () => {
    ann = await service.user({ role: "ADMIN" });
  });
  afterEach(() => assertInvariants());

  /** A transfer order that holds all 10 units there are, and an order that waits for 4 of them. */
  async function held() {
    const item = await at.goods(10);
    const order = await transferOrder(ann, at, [{ item_id: item.item_id, quantity: 10 }]);
    const { so_id } = await waitingOrder(at.source, [{ item_id: item.item_id, quantity: 4 }]);
    return { ...item, ...order, so_id };
  }
  type Held = Awaited<ReturnType<typeof held>>;

  async function assertReleased(so_id: number) {
    assert.equal(await statusOf(so_id), "OPEN");
    assert.deepEqual(
      (await releasesOf(so_id)).map(({ payload }) => payload.source),
      ["transfer"],
    );
  }

  const frees: Record<string, (order: Held) => Promise<unknown>> = {
    "is cancelled": ({ path }) => ann.ok("POST", `${path}/cancel`),
    "is deleted": ({ path }) => ann.ok("DELETE", path),
    "has a line short-closed": ({ path, lines }) => ann.ok("POST", `${path}/lines/${lines[0]?.to_line_id}/short-close`),
    "is cancelled in the Temporal UI": ({ to_id }) => cancelTransferByOperator(to_id, randomUUID()),
    "is cancelled while it is picked": async ({ path, to_id }) => {
      const { tasks } = await walk(ann, to_id);
      await confirm(ann, tasks[0] as (typeof tasks)[0], 10 - 1);
      await ann.ok("POST", `${path}/cancel`);
    },
  };
  for (const [what, free] of Object.entries(frees)) {
    it(`are opened when it ${what}`, async () => {
      const order = await held();
      await free(order);
      await assertReleased(order.so_id);
    });
  }

  it("wait on when its walk is cancelled: it holds the units as before", async () => {
    const { to_id, so_id } = await held();
    const { batch_id, tasks } = await walk(ann, to_id);
    await confirm(ann, tasks[0] as (typeof tasks)[0], 10);
    await ann.ok("POST", "/api/picking/cancel-batch", { batch_id });
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
  });

  it("wait on while what arrived is in Staging, and are opened when it is put away", async () => {
    const { path, to_approval_id, item } = await submitted(service, at);
    const { so_id } = await waitingOrder(at.destination, [{ item_id: item.item_id, quantity: 10 }]);
    await ann.ok("POST", `${path}/approvals/${to_approval_id}/approve`);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
    const to_bin_id = await fixtures.bin(at.destination);
    const put = { item_id: item.item_id, from_bin_id: at.staging, to_bin_id, quantity: 10 };
    await ann.ok("POST", "/api/transfers/move", put);
    await assertReleased(so_id);
  });

  it("of the source wait on when the units left it", async () => {
    const { path, to_approval_id, item } = await submitted(service, at);
    const { so_id } = await waitingOrder(at.source, [{ item_id: item.item_id, quantity: 11 }]);
    await ann.ok("POST", `${path}/approvals/${to_approval_id}/approve`);
    assert.equal(await statusOf(so_id), "WAITING_STOCK");
  });
});
