import { warehouse } from "../support/fixtures.js";
import { loadTestConnectors, retriedPush } from "../support/push-rows.js";
import { openService, type TestService } from "../support/service.js";
import { codeOf } from "../support/shown-floor.js";
import { endsCancelled, TIME, temporalUi } from "../support/temporal-ui.js";

/** What shops are told of shipments, in Temporal's own UI, as in temporal-ui-messages.test.ts. */
describe("the Temporal UI shows of a shipment that a shop is told of:", function () {
  this.timeout(120_000);
  const ui = temporalUi();
  let service: TestService;
  let warehouse_id: number;
  const waitsFor = (CONNECTOR_RETRY_DELAY_MS: string) => {
    before(async () => {
      await loadTestConnectors();
      service = await openService({ worker: true, env: { CONNECTOR_RETRY_DELAY_MS } });
      warehouse_id = await warehouse();
    });
    after(() => service.close());
  };
  const pushTo = (connector: string, columns?: string) => retriedPush(service, warehouse_id, connector, columns);
  const WHY = "This worker has no connector gone that can be told of shipments";

  describe("when the next attempt comes soon", () => {
    waitsFor("100");

    it("that it was told, that it could not be, and that there was nothing to tell", async () => {
      await ui.check("push-pushed", (await pushTo("one-way-shop")).id, {
        list: ["COMPLETED", "fulfillmentPush", "pushed"],
        details: [/the shipment of SO-\S+ has ended: pushed/, "one-way-shop took it"],
      });
      await ui.check("push-failed", (await pushTo("gone")).id, {
        list: ["FAILED", "fulfillmentPush", "failed"],
        page: [/gone was not told of the shipment of SO-\S+: /, WHY],
        details: [/the shipment of SO-\S+ has ended: failed/, WHY, "have it tried again: POST"],
      });
      await ui.check("push-skipped", (await pushTo("one-way-shop", "kind = 'void'")).id, {
        list: ["COMPLETED", "skipped"],
        details: [/the void of a shipment of SO-\S+ has ended: skipped/, "was never pushed"],
      });
    });
  });

  describe("when the next attempt comes in an hour", () => {
    waitsFor("3600000");

    it("why it is tried again, and when; and that it was given up there", async () => {
      const { id } = await pushTo("gone");
      await ui.look("push-retrying", id, {
        list: ["RUNNING", "fulfillmentPush", "retrying", await codeOf(warehouse_id)],
        page: [/attempt 1 failed: This worker has no connector gone/],
        details: [/the shipment of SO-\S+ waits for its next attempt/, WHY, /attempt 2 of 3 at/, TIME],
      });
      await ui.pressCancel(id);
      await endsCancelled(id);
      await ui.check("push-cancelled-in-ui", id, {
        list: ["CANCELED", "cancelled"],
        details: ["cancellation was requested in the Temporal UI", "have it tried again: POST"],
      });
    });
  });
});
