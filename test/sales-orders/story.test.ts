import assert from "node:assert/strict";
import type { StoryEntry } from "../../src/sales-orders/story.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";

describe("the story of a sales order", () => {
  let service: TestService;
  before(async () => {
    service = await openService({ env: { SERVICE_TEMPORAL_UI_URL: "https://temporal.example.com" } });
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

  it("is for who has the page, in own warehouses", async () => {
    const { so_id } = await salesOrder(await warehouse(), []);
    const clerk = await service.user({ page_keys: ["sales-orders"], warehouse_ids: [await warehouse()] });
    const stranger = await service.user({ warehouse_ids: [await warehouse()] });
    assert.equal((await clerk.get(`/api/admin/sales-orders/${so_id}/story`)).code, "warehouse_denied");
    assert.equal((await clerk.get("/api/admin/sales-orders/2000000000/story")).code, "so_not_found");
    assert.equal((await stranger.get(`/api/admin/sales-orders/${so_id}/story`)).code, "permission_denied");
  });
});
