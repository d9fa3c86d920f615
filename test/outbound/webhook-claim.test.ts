import assert from "node:assert/strict";
import { notSent } from "../../activities/outbound/sending/wire.js";
import { claim, type Delivery } from "../../activities/outbound/webhooks/sending/claim.js";
import {
  type Ended,
  failDeliveries,
  releaseClaims,
  resultOf,
  settleNow,
} from "../../activities/outbound/webhooks/sending/settle.js";
import { connect, disconnect } from "../../src/platform/db/db.js";
import { db } from "../support/db.js";
import { rowsOf } from "../support/deliveries.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { delivery, subscribe } from "../support/webhooks.js";

describe("taking the next events for a webhook", () => {
  const service = testService({ worker: false });

  const EVENTS = 200_000;
  const BEHIND = 10;

  it("reads those, however many there were before", async () => {
    const { subscription_id } = await subscribe(service.admin);
    await db.run(
      `with numbered as (update sequencer_state set last_no = last_no + $1 where name = 'events'
        returning last_no - $1 as before)
       insert into integration_events (event_id, event_type, aggregate_type, aggregate_external_id, entity_type,
         entity_id,
                                       warehouse_id, source_txn_id, envelope, visible_at)
       select before + n, 'ship.confirmed', 'sales_order', gen_random_uuid(), 'sales_order', n, 1 + n % 40,
         gen_random_uuid(), '{}',
              now() - interval '1 day'
       from numbered, generate_series(1, $1::int) n`,
      [EVENTS],
    );
    await db.run("vacuum analyze integration_events");
    const stands = await db.row<{ version: string; newest: number }>(
      `update webhook_subscriptions set scanned_event_id = last_no - $2, updated_at = clock_timestamp()
       from sequencer_state where subscription_id = $1 and name = 'events'
         returning updated_at as version, last_no as newest`,
      [subscription_id, BEHIND],
    );
    const newest = stands?.newest as number;
    // What a connection has read is counted when it says so.
    await disconnect();
    connect(service.config.databaseUrl, 1);
    const before = await eventsRead();
    const { deliveries } = await claim({
      subscriptionId: subscription_id,
      ...{ ended: [], unsent: [], ordering: "subscription", filter: {}, scanned: 0, most: 16 },
      ...{ version: stands?.version as string, due: newest },
    });
    assert.deepEqual(
      pluck(deliveries, "event_id"),
      Array.from({ length: BEHIND }, (_, n) => newest - BEHIND + 1 + n),
    );
    const read = (await eventsRead()) - before;
    assert.ok(read >= BEHIND && read < 10 * BEHIND, `${read} were read`);
  });

  describe("by a sender that has lost its lock", () => {
    let subscription_id: string;
    let lost: Delivery;
    const result = (): Ended => resultOf(lost.delivery_id, notSent(""));
    const fail = (failure = result()) =>
      failDeliveries(subscription_id, [lost], { before: [], failures: [failure], unsent: [] }, 60_000);
    const rows = async () =>
      (await rowsOf(subscription_id)).map(({ attempt_number, status }) => `${attempt_number} ${status}`);
    beforeEach(async () => {
      subscription_id = (await subscribe(service.admin)).subscription_id;
      const delivery_id = await delivery(subscription_id, { status: "in_flight" });
      lost = { delivery_id, first_delivery_id: delivery_id, attempt_number: 1, event_id: 1, event: null };
    });

    it("schedules no second retry of what failed twice", async () => {
      await settleNow(subscription_id, [result()], []);
      await fail();
      assert.deepEqual(await rows(), ["1 failed"]);
    });

    it("schedules none of what another one has delivered meanwhile", async () => {
      await settleNow(subscription_id, [{ ...result(), status: "succeeded" }], []);
      await fail();
      assert.deepEqual(await rows(), ["1 succeeded"]);
    });

    it("stores what it sent, and what another one sent of what it gives back", async () => {
      await releaseClaims(subscription_id);
      await settleNow(subscription_id, [{ ...result(), status: "succeeded" }], []);
      assert.deepEqual(await rows(), ["1 succeeded"]);
    });

    it("schedules a retry of those of a batch alone that nobody has delivered meanwhile", async () => {
      const delivery_id = await delivery(subscription_id, { status: "in_flight" });
      const other = { ...lost, delivery_id, first_delivery_id: delivery_id };
      await settleNow(subscription_id, [{ ...result(), status: "succeeded" }], []);
      const failures = [result(), { ...result(), delivery_id }];
      await failDeliveries(subscription_id, [lost, other], { before: [], failures, unsent: [] }, 60_000);
      assert.deepEqual(await rows(), ["1 succeeded", "1 failed", "2 pending"]);
    });

    it("schedules one retry of what failed and was released since", async () => {
      await releaseClaims(subscription_id);
      await fail();
      assert.deepEqual(await rows(), ["1 failed", "2 pending"]);
    });
  });

  /** How often an event was read, by any index or without. */
  async function eventsRead(): Promise<number> {
    await db.run("select pg_stat_force_next_flush()");
    const stats = await db.row<{ read: number }>(
      `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables
        where relname = 'integration_events'`,
    );
    return stats?.read as number;
  }
});
