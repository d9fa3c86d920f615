import assert from "node:assert/strict";
import { sequenceAll } from "../../activities/outbound/sequencer.js";
import type { StoryEntry } from "../../src/sales-orders/story.js";
import { db } from "../support/db.js";
import { senderEnv, subscribe } from "../support/deliveries.js";
import { bin, item, salesOrder, stock, warehouse } from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { testService } from "../support/service.js";
import { walked } from "../support/walk.js";

describe("the story of a sales order", () => {
  const service = testService({ env: { ...senderEnv, SERVICE_TEMPORAL_UI_URL: "https://temporal.example.com" } });

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

  it("tells who released its wave, whoever picks it", async () => {
    const warehouse_id = await warehouse();
    const { item_id } = await item();
    await stock(warehouse_id, await bin(warehouse_id), item_id, 5);
    const { so_id } = await salesOrder(warehouse_id, [{ item_id, quantity: 2 }]);
    await service.admin.ok("POST", "/api/admin/waves/release", { warehouse_id });
    const picker = await service.user({ warehouse_ids: [warehouse_id] });
    const waveOf = async () => {
      const { entries } = await service.admin.ok("GET", `/api/admin/sales-orders/${so_id}/story`);
      return entries.find(({ kind }: StoryEntry) => kind === "wave") as StoryEntry;
    };
    const released = await waveOf();
    assert.equal(released.by, service.admin.username);
    // Nobody picks it, so no process is there to be looked at.
    assert.equal(released.workflow_id, null);
    const { batch_id } = await picker.ok("POST", "/api/picking/next-batch", { warehouse_id });
    assert.deepEqual(released.details, { batch_id });
    assert.deepEqual(await waveOf(), { ...released, workflow_id: `pick-wave-${batch_id}` });
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

  it("begins with where the order came from, and names who did what", async () => {
    await useTestMappings();
    const warehouse_id = await warehouse();
    const token_name = fresh("ERP ");
    const shop = await sender(service, { warehouse_ids: [warehouse_id], token_name });
    const { external_id } = await pushedItem(shop);
    const so_number = fresh("SO");
    const lines = [{ item_id: external_id, quantity_ordered: 1 }];
    for (const [version, memo] of [
      [1, ""],
      [2, "Ring twice"],
    ] as const)
      await push(shop, "sales_orders", so_number, version, { so_number, memo, lines });
    const order = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [so_number]);
    const path = `/api/admin/sales-orders/${order?.so_id}`;
    const clerk = await service.user({
      page_keys: ["sales-orders"],
      warehouse_ids: [warehouse_id],
      full_name: "Ann M.",
    });
    await clerk.ok("POST", `${path}/cancel`);

    const { entries } = await service.admin.ok("GET", `${path}/story`);
    const told = (entries as StoryEntry[]).filter(({ kind }) => kind === "audit").reverse();
    assert.deepEqual(
      told.map(({ name, by_name, details }) => [name, by_name, details?.source_system, details?.external_id]),
      [
        ["CREATE", token_name, "shop", so_number],
        ["UPDATE", token_name, "shop", so_number],
        ["CANCEL", "Ann M.", undefined, undefined],
      ],
    );
    const { sales_order, next_step } = await service.admin.ok("GET", path);
    assert.deepEqual([sales_order.created_by_name, next_step.message], [token_name, "Cancelled by Ann M."]);
    const { entries: log } = await service.admin.ok("GET", "/api/admin/audit-log?action_type=UPDATE&per_page=1");
    assert.equal(log[0].actor_name, token_name);
  });

  it("says of an import and of a backorder what they are, and names bins and items", async () => {
    const warehouse_id = await warehouse();
    const mug = await item();
    const bin_id = await bin(warehouse_id);
    await stock(warehouse_id, bin_id, mug.item_id, 5);
    const so_number = fresh("SO");
    await service.admin.ok("POST", "/api/admin/import/sales-orders", {
      records: [{ so_number, sku: mug.sku, quantity: 3, warehouse_id }],
    });
    const order = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [so_number]);
    const so_id = order?.so_id as number;
    const path = `/api/admin/sales-orders/${so_id}`;
    const { lines } = await service.admin.ok("GET", path);
    const cut = { lines: [{ so_line_id: lines[0].so_line_id, short_qty: 1 }] };
    const { backorder_so } = await service.admin.ok("POST", `${path}/partial-fulfill`, cut);
    await walked(service.admin, warehouse_id, { so_id }, []);
    const audited = async (id: number) => {
      const { entries } = await service.admin.ok("GET", `/api/admin/sales-orders/${id}/story`);
      return (entries as StoryEntry[]).filter(({ kind }) => kind === "audit").reverse();
    };
    const [first, , picked] = await audited(so_id);
    assert.deepEqual([first?.name, first?.details?.source], ["CREATE", "import"]);
    const { bin_code } = (await db.row<{ bin_code: string }>("select bin_code from bins where bin_id = $1", [
      bin_id,
    ])) as { bin_code: string };
    assert.deepEqual([picked?.name, picked?.details?.bin_code, picked?.details?.sku], ["PICK", bin_code, mug.sku]);
    const [opened] = await audited(backorder_so.so_id);
    assert.deepEqual([opened?.name, opened?.details?.parent_so_number], ["CREATE", so_number]);
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
