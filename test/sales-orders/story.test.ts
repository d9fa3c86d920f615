import assert from "node:assert/strict";
import { sequenceAll } from "../../activities/maintenance/sequencer.js";
import { db } from "../../src/db/db.js";
import type { StoryEntry } from "../../src/sales-orders/story.js";
import { senderEnv, subscribe } from "../support/deliveries.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";

describe("the story of a sales order", () => {
  let service: TestService;
  before(async () => {
    service = await openService({ env: { ...senderEnv, SERVICE_TEMPORAL_UI_URL: "https://temporal.example.com" } });
  });
  after(() => service.close());

  it("tells what happened, newest first, with the workflows that can be watched", async () => {
    const warehouse_id = await warehouse();
    const { item_id } = await item();
    const bin_id = await bin(warehouse_id);
    await stock(warehouse_id, bin_id, item_id, 5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 2 }]);
    const path = `/api/admin/sales-orders/${so_id}`;
    assert.deepEqual((await service.admin.ok("GET", `${path}/story`)).entries, []);

    const { lines } = await service.admin.ok("GET", path);
    const [{ so_line_id }] = lines;
    await service.admin.ok("POST", `${path}/admin-pick`, { lines: [{ so_line_id, bin_id, quantity: 2 }] });
    await service.admin.ok("POST", `${path}/admin-ship`);
    const { entries, workflows_url } = await service.admin.ok("GET", `${path}/story`);
    const kinds = entries.map(({ kind, name }: StoryEntry) => (kind === "audit" ? name : kind));
    assert.deepEqual([...kinds].sort(), ["PICK", "SHIP", "shipment", "wave"]);
    assert.ok(kinds.indexOf("SHIP") < kinds.indexOf("PICK"));
    const wave: StoryEntry = entries.find(({ kind }: StoryEntry) => kind === "wave");
    assert.match(wave.workflow_id ?? "", /^pick-wave-\d+$/);
    assert.equal(workflows_url, "https://temporal.example.com/namespaces/default/workflows/");
  });

  it("tells its events, and the attempts to send them to partners", async () => {
    const warehouse_id = await warehouse();
    const { item_id } = await item();
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 2 }]);
    const { so_id: other } = await salesOrder(warehouse_id, []);
    const path = `/api/admin/sales-orders/${so_id}`;
    await service.admin.ok("PUT", path, { memo: "Ring twice" });
    await service.admin.ok("PUT", `/api/admin/sales-orders/${other}`, { memo: "Ring once" });
    await sequenceAll();
    const fields = { display_name: "A partner" };
    const { subscription_id } = await subscribe(service.admin, "http://127.0.0.1:9/", fields);
    await db.run(
      `insert into webhook_deliveries (delivery_id, subscription_id, event_id, attempt_number, first_delivery_id,
                                       status, attempted_at, completed_at, error_kind)
       overriding system value
       select event_id * 10 + n, $1, event_id, n, case n when 2 then event_id * 10 + 1 end,
              'failed', now(), now(), 'timeout'
       from integration_events, generate_series(1, 2) n`,
      [subscription_id],
    );
    const { entries } = await service.admin.ok("GET", `${path}/story`);
    const [event, ...more] = entries.filter(({ kind }: StoryEntry) => kind === "event");
    assert.deepEqual([event.name, more], ["salesorderedit.completed", []]);
    const deliveries: StoryEntry[] = entries.filter(({ kind }: StoryEntry) => kind === "delivery");
    const { event_id } = event.details;
    assert.deepEqual(
      deliveries.map(({ name, state, details, workflow_id }) => [name, state, details, workflow_id]).sort(),
      [
        ["A partner", "failed", { event_id, attempt: 1, error: "timeout" }, null],
        ["A partner", "failed", { event_id, attempt: 2, error: "timeout" }, `webhook-delivery-${event_id}1`],
      ],
    );
  });

  it("is for who has the page, in own warehouses", async () => {
    const { so_id } = await salesOrder(await warehouse(), []);
    const clerk = await service.user({ page_keys: ["sales-orders"], warehouse_ids: [await warehouse()] });
    const stranger = await service.user({ warehouse_ids: [await warehouse()] });
    assert.equal((await clerk.get(`/api/admin/sales-orders/${so_id}/story`)).code, "warehouse_denied");
    assert.equal((await clerk.get("/api/admin/sales-orders/2000000000/story")).code, "so_not_found");
    assert.equal((await stranger.get(`/api/admin/sales-orders/${so_id}/story`)).code, "permission_denied");
  });
});
