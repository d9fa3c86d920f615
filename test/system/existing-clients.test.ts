import assert from "node:assert/strict";
import type { z } from "zod";
import { routes } from "../../api/routes.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { nameOf } from "../support/operations.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { tokenCaller } from "../support/tokens.js";
import { delivery, numberedEvent, subscribe, WEBHOOKS } from "../support/webhooks.js";

/** The parameters of these names, of all routes whose query has one. */
const parametersOf = (fields: string[]) =>
  routes.flatMap((route) => {
    const { shape = {} } = (route.query ?? {}) as { shape?: Record<string, z.ZodType> };
    return Object.entries(shape)
      .filter(([field]) => fields.includes(field))
      .map(([field, schema]) => ({ name: nameOf(route), field, parse: (text: string) => schema.parse(text) }));
  });

/** What programs that were written against this interface rely on, beyond what the specification says. */
describe("existing clients", () => {
  const service = testService({ worker: true });
  let admin: Caller;
  before(async () => {
    admin = service.admin;
  });

  it("show a scanner's home, and receive into the right bin, for a USER without any page", async () => {
    const [warehouse_id, other] = [await fixtures.warehouse(), await fixtures.warehouse()];
    const [own, foreign] = [await fixtures.bin(warehouse_id), await fixtures.bin(other)];
    const user = await service.user({ warehouse_ids: [warehouse_id] });
    for (const path of [
      `admin/dashboard?warehouse_id=${warehouse_id}`,
      ...["default_receiving_bin", "allow_over_receiving"].map((key) => `admin/settings/${key}`),
      ...[`admin/bins?warehouse_id=${warehouse_id}`, `admin/bins/${own}`, "v1/dashboard/preferences"],
      ...["received", "shipping-health"].map((view) => `v1/dashboard/${view}?warehouse_id=${warehouse_id}`),
    ])
      assert.notEqual((await user.get(`/api/${path}`)).status, 403, path);
    for (const path of [
      ...[`admin/dashboard?warehouse_id=${other}`, `admin/bins/${foreign}`, `admin/bins?warehouse_id=${other}`],
      ...["admin/settings", "admin/settings/picking_ticket_company_name", "v1/dashboard/productivity"],
      `v1/dashboard/received?warehouse_id=${other}`,
    ])
      assert.equal((await user.get(`/api/${path}`)).status, 403, path);
    const { bins } = await user.ok("GET", "/api/admin/bins?per_page=1000");
    assert.deepEqual(pluck(bins, "bin_id"), [own]);
  });

  it("save the settings of a fresh installation as they read them", async () => {
    const { settings } = await admin.ok("GET", "/api/admin/settings");
    const all = Object.fromEntries(settings.map(({ key, value }: { key: string; value: string }) => [key, value]));
    const saved = await admin.put("/api/admin/settings", { settings: { ...all, default_receiving_bin: "" } });
    assert.deepEqual([saved.status, saved.body.message], [200, "Settings updated"]);
  });

  it("count an empty bin", async () => {
    const warehouse_id = await fixtures.warehouse();
    const count = async () => {
      const bin_ids = [await fixtures.bin(warehouse_id)];
      return { bin_ids, made: () => admin.ok("POST", "/api/inventory/cycle-count/create", { warehouse_id, bin_ids }) };
    };
    const empty = await (await count()).made();
    const answer = await admin.post("/api/inventory/cycle-count/submit", {
      count_id: empty.counts[0].count_id,
      lines: [],
    });
    assert.deepEqual([answer.status, answer.body.status], [200, "COMPLETED"]);
    const { bin_ids, made } = await count();
    await fixtures.stock(warehouse_id, bin_ids[0] as number, (await fixtures.item()).item_id, 5);
    const { counts } = await made();
    const refused = await admin.post("/api/inventory/cycle-count/submit", { count_id: counts[0].count_id, lines: [] });
    assert.deepEqual([refused.status, refused.code], [400, "no_lines"]);
  });

  it("read all counts at once, and the fields of a warehouse beside `warehouse`", async () => {
    const [warehouse_id, other] = [await fixtures.warehouse(), await fixtures.warehouse()];
    const bin_id = await fixtures.bin(warehouse_id);
    await db.run(
      `insert into cycle_counts (warehouse_id, bin_id, status)
       select $1, $2, 'COMPLETED' from generate_series(1, 1001)`,
      [warehouse_id, bin_id],
    );
    const { cycle_counts } = await admin.ok("GET", `/api/admin/cycle-counts?warehouse_id=${warehouse_id}`);
    assert.equal(cycle_counts.length, 1_001);
    const { warehouse, zones, ...flat } = await admin.ok("GET", `/api/admin/warehouses/${other}`);
    assert.deepEqual([flat, zones], [warehouse, []]);
  });

  it("filter vendors by whether they are active, and are told what is missing", async () => {
    await admin.ok("POST", "/api/admin/vendors", { vendor_name: "Gone", is_active: false });
    await admin.ok("POST", "/api/admin/vendors", { vendor_name: "Here" });
    for (const [active, name] of [
      [true, "Here"],
      [false, "Gone"],
    ]) {
      const { vendors } = await admin.ok("GET", `/api/admin/vendors?active=${active}`);
      assert.deepEqual(pluck(vendors, "vendor_name"), [name]);
    }
    const { body } = await admin.post("/api/admin/bins", { zone_id: 1, bin_code: "B", bin_barcode: "B" });
    const type = body.details.find(({ loc }: { loc: string[] }) => loc[0] === "bin_type")?.type;
    assert.equal(type, "missing");
  });

  it("are told of the columns of an import that nobody knows", async () => {
    const { sku } = await fixtures.item();
    const { body } = await admin.post("/api/admin/import/items", {
      items: [
        { sku: `${sku}-1`, item_name: "Mug", colour: "red", quantity: "" },
        { sku: `${sku}-2`, item_name: "Bowl", colour: "" },
      ],
    });
    assert.deepEqual([body.imported, body.errors], [1, [{ row: 1, error: "unknown column(s): colour" }]]);
  });

  it("send integers as text of digits, in lists and nested records too", async () => {
    const warehouse_id = await fixtures.warehouse();
    const { item_id, sku } = await fixtures.item();
    const line = { item_id: `${item_id}`, quantity_ordered: "5" };
    const order = {
      po_number: `PO-${sku}`,
      warehouse_id: `${warehouse_id}`,
      lines: [line, { ...line, line_number: 2 }],
    };
    const { status, body } = await admin.post("/api/admin/purchase-orders", order);
    assert.equal(status, 200, JSON.stringify(body));
    const { lines } = body;
    assert.deepEqual(pluck(lines, "quantity_ordered"), [5, 5]);
    for (const quantity_ordered of ["0x10", "1.6e1", "+16", " 16", "16.0", "", "-5", "\uff15"]) {
      const lines = [{ item_id, quantity_ordered }];
      const refused = await admin.post("/api/admin/purchase-orders", { ...order, po_number: "PO-odd", lines });
      assert.deepEqual([refused.status, refused.body.error], [400, "validation_error"], quantity_ordered);
    }
    assert.equal((await admin.put(`/api/admin/items/${item_id}`, { weight_lbs: "5" })).status, 400);
  });

  it("write the labels of a bin as they read them", async () => {
    const warehouse_id = await fixtures.warehouse();
    const bin_id = await fixtures.bin(warehouse_id);
    const labels = { row_num: "01", level_num: "B", position_num: 7 };
    assert.equal((await admin.put(`/api/admin/bins/${bin_id}`, labels)).status, 200);
    const { bin } = await admin.ok("GET", `/api/admin/bins/${bin_id}`);
    assert.deepEqual([bin.row_num, bin.level_num, bin.position_num], ["01", "B", "7"]);
    const { row_num, level_num, position_num } = bin;
    assert.equal((await admin.put(`/api/admin/bins/${bin_id}`, { row_num, level_num, position_num })).status, 200);
  });

  it("search with blanks around the text", async () => {
    const { sku } = await fixtures.item();
    for (const q of [sku, ` ${sku} `, "   "]) {
      const { items } = await admin.ok("GET", `/api/admin/items?q=${encodeURIComponent(q)}`);
      assert.ok(
        items.some((item: { sku: string }) => item.sku === sku),
        `"${q}"`,
      );
    }
    for (const { name, field, parse } of parametersOf(["q", "search"]))
      assert.equal(parse(" mug "), "mug", `${field} of ${name}`);
  });

  it("ask for more rows than a list gives at most", async () => {
    const { per_page } = await admin.ok("GET", "/api/admin/items?per_page=2000");
    assert.equal(per_page, 1000);
    for (const list of ["inbound/activity", "inter-warehouse-transfers", "webhook-errors"]) {
      const { status, body } = await admin.get(`/api/admin/${list}?limit=99999`);
      assert.deepEqual([status, body.limit ?? 500], [200, 500], list);
    }
    assert.equal((await admin.get("/api/admin/pos/sales-orders?per_page=99999")).status, 400);
    for (const { name, field, parse } of parametersOf(["limit", "per_page"]))
      if (name.includes(" /api/admin/") && name !== "get /api/admin/pos/sales-orders")
        assert.ok(Number(parse("99999")) < 99_999, `${field} of ${name}`);
  });

  it("sort by what their tables show", async () => {
    const { entries } = await admin.ok("GET", "/api/admin/audit-log?sort_by=nope&sort_direction=sideways");
    const usual = await admin.ok("GET", "/api/admin/audit-log");
    assert.deepEqual(entries, usual.entries);
  });

  it("find the bin that an item goes to in the list of items", async () => {
    const warehouse_id = await fixtures.warehouse();
    const [usual, better] = [await fixtures.bin(warehouse_id), await fixtures.bin(warehouse_id)];
    const { item_id, sku } = await fixtures.item();
    const codes = await db.rows<{ bin_code: string }>(
      "select bin_code from bins where bin_id in ($1, $2) order by bin_id",
      [usual, better],
    );
    const shown = async () => (await admin.ok("GET", `/api/admin/items?q=${sku}`)).items[0].default_bin_code;
    await admin.ok("PUT", `/api/admin/items/${item_id}`, { default_bin_id: usual });
    assert.equal(await shown(), codes[0]?.bin_code);
    await admin.ok("POST", "/api/admin/preferred-bins", { item_id, bin_id: better, priority: 1 });
    assert.equal(await shown(), codes[1]?.bin_code);
  });

  it("edit a webhook without a change, and read how far it lags from the first", async () => {
    await admin.ok("POST", "/api/admin/connector-registry", { connector_id: "erp", display_name: "ERP" });
    const { subscription_id } = await admin.ok("POST", "/api/admin/webhooks", {
      ...{ connector_id: "erp", display_name: "ERP" },
      delivery_url: "https://receiver.example.com/hook",
    });
    const path = `/api/admin/webhooks/${subscription_id}`;
    const { status, body } = await admin.patch(path, {});
    assert.deepEqual([status, body.display_name], [200, "ERP"]);
    assert.equal((await admin.ok("GET", `${path}/stats?window=1h`)).current_lag, 0);
  });

  it("find in the audit log what was purged, demoted, or approved by its own counter", async () => {
    const { subscription_id } = await subscribe(admin);
    await delivery(subscription_id, { status: "dlq", event_id: await numberedEvent() });
    const path = `${WEBHOOKS}/${subscription_id}`;
    await admin.ok("POST", `${path}/rotate-secret`);
    await admin.ok("POST", `${path}/replay-batch`, { acknowledge_large_replay: true, filter: { status: "failed" } });
    await admin.ok("DELETE", path);
    await db.run("update webhook_deliveries set status = 'failed', completed_at = now() where subscription_id = $1", [
      subscription_id,
    ]);
    await admin.ok("DELETE", `${path}?purge=true`);
    const rows = await db.rows<{ action_type: string; details: Record<string, unknown> }>(
      "select action_type, details from audit_log where details->>'subscription_id' = $1 order by log_id",
      [subscription_id],
    );
    const of = (action: string) => rows.find(({ action_type }) => action_type === action)?.details ?? {};
    assert.match(String(of("WEBHOOK_SECRET_ROTATE").demoted_secret_expires_at), /^20/);
    assert.equal(of("WEBHOOK_DELIVERY_REPLAY_BATCH").acknowledge_large_replay, true);
    const { status_before, deliveries_purged } = of("WEBHOOK_SUBSCRIPTION_DELETE_HARD");
    assert.deepEqual([status_before, deliveries_purged], ["revoked", 1]);

    const warehouse_id = await fixtures.warehouse();
    const bin_id = await fixtures.bin(warehouse_id);
    await fixtures.stock(warehouse_id, bin_id, (await fixtures.item()).item_id, 10);
    const { counts } = await admin.ok("POST", "/api/inventory/cycle-count/create", { warehouse_id, bin_ids: [bin_id] });
    const { count_id } = counts[0];
    const { lines } = await admin.ok("GET", `/api/inventory/cycle-count/${count_id}`);
    const counted = lines.map(({ count_line_id }: { count_line_id: number }) => ({
      count_line_id,
      counted_quantity: 9,
    }));
    const { summary } = await admin.ok("POST", "/api/inventory/cycle-count/submit", { count_id, lines: counted });
    const decisions = summary.adjustments.map(({ adjustment_id }: { adjustment_id: number }) => ({
      ...{ adjustment_id, action: "approve" },
    }));
    await admin.ok("POST", "/api/admin/adjustments/review", { decisions });
    const own = await db.row<{ details: object }>(
      "select details from audit_log where action_type = 'SELF_APPROVED_COUNT'",
    );
    assert.deepEqual(own?.details, {
      adjustment_ids: decisions.map((one: { adjustment_id: number }) => one.adjustment_id),
    });
  });

  it("name a kind of inbound record that there is not", async () => {
    const { status, body } = await admin.get("/api/admin/inbound/activity/widgets/1");
    assert.deepEqual([status, body.error], [400, "unknown_resource"]);
  });

  it("read schemas with a title, and sorted catalogs", async () => {
    const catalog = await admin.ok("GET", "/api/admin/scope-catalog");
    for (const key of ["event_types", "endpoints", "inbound_resources"])
      assert.deepEqual(catalog[key], [...catalog[key]].sort(), key);
    const reader = await tokenCaller(service, { endpoints: ["events.schema"], event_types: ["ship.confirmed"] });
    const schema = await reader.caller.ok("GET", "/api/v1/events/schema/ship.confirmed/1");
    assert.equal(schema.title, "Payload of ship.confirmed");
  });

  it("are told numbers where the warehouse of a request contradicts itself", async () => {
    const [one, other] = [await fixtures.warehouse(), await fixtures.warehouse()];
    const user = await service.user({ warehouse_ids: [one, other], page_keys: ["bins"] });
    const { status, body } = await user.post(`/api/admin/bins?warehouse_id=${one}`, { warehouse_id: other });
    assert.deepEqual([status, body.sources], [400, { query: one, body: other }]);
  });

  it("in a browser ask from the usual origins, and read the headers that they go by", async () => {
    const from = (origin: string) => service.anyone.with({ origin });
    const asking = { "access-control-request-method": "POST", "access-control-request-headers": "idempotency-key" };
    const preflight = await from("http://localhost:5173").with(asking).call("OPTIONS", "/api/auth/login");
    assert.equal(preflight.status, 204);
    const allowed = (name: string) => preflight.headers.get(`access-control-allow-${name}`);
    assert.deepEqual(
      [allowed("origin"), allowed("credentials"), allowed("headers")],
      ["http://localhost:5173", "true", "idempotency-key"],
    );
    const { headers } = await from("http://localhost:5173").get("/api/health");
    const exposed = headers.get("access-control-expose-headers")?.split(",");
    assert.deepEqual(exposed, ["Retry-After", "X-Idempotent-Replay", "X-Request-ID", "X-Service-Workflow-Id"]);
    const stranger = await from("http://evil.example").with(asking).call("OPTIONS", "/api/auth/login");
    assert.equal(stranger.headers.get("access-control-allow-origin"), null);
  });

  it("behind a proxy that speaks TLS are told to stay with it", async () => {
    const { headers } = await service.anyone.with({ "x-forwarded-proto": "https" }).get("/api/health");
    assert.match(headers.get("strict-transport-security") ?? "", /max-age/);
  });
});
