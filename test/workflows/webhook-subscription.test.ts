import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import {
  type Attempted,
  deliveryWorkflowId,
  type StuckDelivery,
  type Turn,
} from "../../src/outbound/webhooks/delivery.js";
import { until } from "../support/until.js";
import { workflowEnvironment } from "../support/workflow-environment.js";

describe("the workflow of a webhook subscription", () => {
  const run = workflowEnvironment();

  const stuck = (): StuckDelivery => ({
    ...{ subscription_id: "s-1", first_delivery_id: randomInt(2 ** 40) },
    ...{ event_id: 42, event_type: "ship.confirmed" },
  });
  const partner = {
    readPartner: async () => ({ display_name: "Acme", connector_id: null, failure: null }),
  };
  /** Turns that end like this, one after the other. */
  function turns(...outcomes: Turn[]) {
    let asked = 0;
    return { deliverInOrder: async () => outcomes[asked++] as Turn };
  }

  it("goes on turn after turn until one says that nothing is to be sent any more", async () => {
    const ends = ["paused", "revoked", "deleted", "disabled"] as const;
    const asked: string[] = [];
    /** Of the subscription that is named as it ends. */
    const deliverInOrder = async (id: string): Promise<Turn> => {
      asked.push(id);
      const turns = asked.filter((one) => one === id).length;
      return turns < 3 ? {} : { ended: id as (typeof ends)[number] };
    };
    await run({ deliverInOrder }, async ({ start }) => {
      for (const id of ends) {
        const handle = await start("webhookSubscription", [id]);
        assert.deepEqual(await handle.result(), {
          ...{ subscription_id: id, ended: id },
        });
      }
    });
    assert.equal(asked.length, 12);
  });

  it("gives a failed delivery a process of its own, and goes on when that has ended", async () => {
    const delivery = stuck();
    const { deliverInOrder } = turns({ stuck: delivery }, { ended: "paused" });
    const attemptDelivery = async (): Promise<Attempted> => ({ ended: "succeeded" });
    await run({ ...partner, deliverInOrder, attemptDelivery }, async (running) => {
      const handle = await running.start("webhookSubscription", ["s-1"]);
      assert.equal((await handle.result()).ended, "paused");
      const child = running.client.workflow.getHandle(deliveryWorkflowId(delivery.first_delivery_id));
      assert.deepEqual(await child.result(), { event_id: 42, ended: "succeeded" });
      assert.equal(await (await child.describe()).staticSummary(), "Event 42 (ship.confirmed)");
    });
  });

  it("stops the failed delivery when its rows changed, and looks at them", async () => {
    const delivery = stuck();
    const { deliverInOrder } = turns({ stuck: delivery }, { ended: "revoked" });
    let attempts = 0;
    const attemptDelivery = async (): Promise<Attempted> => {
      attempts++;
      return { next: { attempt: 2, wait_ms: 7_200_000 } };
    };
    await run({ ...partner, deliverInOrder, attemptDelivery }, async (running) => {
      const handle = await running.start("webhookSubscription", ["s-1"]);
      await until(() => attempts === 1);
      await handle.signal("changed");
      assert.equal((await handle.result()).ended, "revoked");
      const child = running.client.workflow.getHandle(deliveryWorkflowId(delivery.first_delivery_id));
      assert.deepEqual(await child.result(), {
        ...{ event_id: 42, ended: "stopped" },
      });
    });
  });

  it("looks once more when it was told of a change during the turn that ended it", async () => {
    let asked = 0;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const deliverInOrder = async (): Promise<Turn> => {
      asked++;
      await finished;
      return { ended: "paused" };
    };
    await run({ deliverInOrder }, async ({ start }) => {
      const handle = await start("webhookSubscription", ["s-1"]);
      await until(() => asked === 1);
      await handle.signal("changed");
      finish();
      assert.equal((await handle.result()).ended, "paused");
    });
    assert.equal(asked, 2);
  });
});
