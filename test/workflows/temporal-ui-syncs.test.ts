import { syncWorkflowId } from "../../src/connectors/sync.js";
import { ListShop, openSyncing } from "../support/list-shop.js";
import type { TestService } from "../support/service.js";
import { endsCancelled, TIME, temporalUi } from "../support/temporal-ui.js";

/** Syncs of connectors, in Temporal's own UI, as in temporal-ui-messages.test.ts. */
describe("the Temporal UI shows of a sync:", function () {
  this.timeout(120_000);
  const ui = temporalUi();
  let service: TestService;
  let shop: ListShop;
  const waitsFor = (CONNECTOR_RETRY_DELAY_MS: string) => {
    before(async () => {
      service = await openSyncing({ CONNECTOR_RETRY_DELAY_MS });
    });
    after(() => service.close());
    beforeEach(async () => {
      shop = await ListShop.open(service);
    });
    afterEach(() => shop.close());
  };
  const gone = () => ({ status: 404, body: { error: "no such shop" } });
  const WHY = /HTTP status 404: no such shop/;
  /** Starts it; gives the workflow's id. */
  async function started(): Promise<string> {
    await shop.start();
    return syncWorkflowId(shop.key("items"));
  }
  const titled = (what: string) => new RegExp(`items of list-shop for C${shop.warehouse_id}${what}`);

  describe("when the next attempt comes soon", () => {
    waitsFor("50");

    it("how far it is, and what it did in the end", async () => {
      let release = () => {};
      const secondPage = new Promise<void>((resolve) => {
        release = resolve;
      });
      shop.server.usual = async (request) => {
        if (request.path.includes("cursor=")) await secondPage;
        return shop.answer(request);
      };
      const id = await started();
      await ui.look("sync-running", id, {
        list: ["RUNNING", "connectorSync", "syncing", `C${shop.warehouse_id}`],
        page: ["Page 2"],
        details: [titled(": 1 page\\(s\\) with 3 record\\(s\\) read"), "3 written", "admin asked for it", "page 2"],
      });
      release();
      await ui.check("sync-completed", id, {
        list: ["COMPLETED", "completed"],
        details: [titled(" has ended: completed"), /3 page\(s\) with 7 record\(s\) read.*7 written/],
      });
    });

    it("that it failed, and why", async () => {
      shop.server.usual = gone;
      await ui.check("sync-failed", await started(), {
        list: ["FAILED", "connectorSync", "failed"],
        page: [/all 3 attempts failed, the last one: .*404: no such shop/, "Page 1, attempt 3 of 3"],
        details: [titled(" has ended: failed"), WHY, "the cause is mended, and the sync started again"],
      });
    });
  });

  describe("when the next attempt comes in an hour", () => {
    waitsFor("3600000");

    it("why it is tried again, and when; and that it was ended there", async () => {
      shop.server.usual = gone;
      const id = await started();
      await ui.check("sync-retrying", id, {
        list: ["RUNNING", "retrying", `C${shop.warehouse_id}`],
        page: [/404: no such shop: attempt 2 of 3 at/],
        details: [/nothing is read yet, then the source failed/, WHY, /attempt 2 of 3 at/, TIME],
      });
      await ui.requestCancellation(id);
      await endsCancelled(id);
      await ui.check("sync-cancelled-in-ui", id, {
        list: ["CANCELED", "cancelled"],
        details: ["cancellation was requested in the Temporal UI", "the next sync begins where the last complete one"],
      });
    });
  });
});
