import assert from "node:assert/strict";
import { clearPayloads, forgetRefusals } from "../../activities/maintenance/inbound-retention.js";
import { taskQueue, temporalClient } from "../../api/http/workflow-updates.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { fresh, push, sender, useTestMappings } from "../support/inbound.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";

describe("what other systems pushed", () => {
  const service = testService({ worker: true });
  let shop: Caller & { token_id: number };
  let clock: Caller;
  /** Of every warehouse that there is. */
  let reader: Caller;
  let here: number;
  let there: number;
  before(async () => {
    await useTestMappings();
    shop = await sender(service);
    clock = await sender(service, { source_system: "clock" });
    [here, there] = [await warehouse(), await warehouse()];
    reader = await service.user({ page_keys: ["inbound"], warehouse_ids: [here, there] });
  });

  const path = "/api/admin/inbound/activity";
  const vendor = (version: number, id: string, by = shop) => push(by, "vendors", id, version, { vendor_name: id });
  const list = async (query = "") =>
    (await reader.ok("GET", `${path}?${query}`)).rows as {
      resource: string;
      external_id: string;
      external_version: string;
      status: string;
      inbound_id: number;
    }[];
  const versions = (rows: { external_version: string; status: string }[]) =>
    rows.map((row) => `${row.external_version} ${row.status}`);

  /** Two versions that were taken, an older one and one that names nobody. */
  async function story() {
    const id = fresh("story");
    await vendor(1, id);
    await vendor(3, id);
    await vendor(2, id);
    const lines = [{ item_id: "unknown", quantity_ordered: 1 }];
    await push(shop, "purchase_orders", id, 4, { po_number: id, lines });
    await push(shop, "items", id, 5, {});
    return id;
  }
  const of = (id: string, rows: Awaited<ReturnType<typeof list>>) => rows.filter((row) => row.external_id === id);

  it("is listed over all resources, the newest first, with what was refused", async () => {
    const id = await story();
    assert.deepEqual(versions(of(id, await list())), [
      "5 rejected",
      "4 lookup_miss",
      "2 stale_version",
      "3 applied",
      "1 superseded",
    ]);
    const [first] = await list("limit=1&status=applied");
    assert.deepEqual(Object.keys(first ?? {}), [
      "resource",
      "inbound_id",
      "source_system",
      "external_id",
      "external_version",
      "canonical_id",
      "received_at",
      "status",
      "superseded_at",
      "ingested_via_token_id",
    ]);
  });

  it("is filtered by status, in both families of words", async () => {
    const id = await story();
    const by = async (status: string) => versions(of(id, await list(`status=${status}`)));
    assert.deepEqual(await by("accepted"), ["3 applied", "1 superseded"]);
    assert.deepEqual(await by("applied"), ["3 applied"]);
    assert.deepEqual(await by("superseded"), ["1 superseded"]);
    assert.deepEqual(await by("stale_version"), ["2 stale_version"]);
    assert.deepEqual(await by("lookup_miss"), ["4 lookup_miss"]);
    assert.deepEqual(await by("rejected"), ["5 rejected"]);
  });

  it("is filtered by source system, resource and time", async () => {
    const id = await story();
    await push(clock, "vendors", id, "2026-01-01", { vendor_name: id });
    const count = async (query: string) => of(id, await list(query)).length;
    assert.equal(await count("source_system=clock"), 1);
    assert.equal(await count("resource=purchase_orders"), 1);
    assert.equal(await count("resource=vendors"), 4);
    const [row] = await db.rows<{ received_at: string }>(
      "select received_at from inbound_vendors where external_id = $1 and external_version = '3'",
      [id],
    );
    const at = encodeURIComponent(row?.received_at ?? "");
    assert.equal(await count(`resource=vendors&since=${at}`), 3);
    assert.equal(await count(`resource=vendors&until=${at}`), 2);
    assert.equal(await count("until=2020-01-01T00:00:00Z"), 0);
  });

  it("is asked for in words that there are: 400 says which", async () => {
    const refused = async (query: string) => {
      const { status, body } = await reader.get(`${path}?${query}`);
      assert.equal(status, 400);
      return body;
    };
    const resource = await refused("resource=parcels");
    assert.equal(resource.error, "unknown_resource");
    assert.ok(resource.valid.includes("sales_orders"));
    const status = await refused("status=lost");
    assert.equal(status.error, "unknown_status");
    assert.ok(status.valid.includes("stale_version"));
    for (const query of ["limit=0", "since=yesterday"]) assert.equal((await refused(query)).error, "validation_error");
  });

  it("is shown one by one with what came and what it became", async () => {
    const id = fresh("one");
    const { body } = await vendor(1, id);
    const shown = await reader.ok("GET", `${path}/vendors/${body.inbound_id}`);
    assert.deepEqual(shown.source_payload, { vendor_name: id });
    assert.deepEqual(shown.canonical_payload, { vendor_name: id, email: null });
    assert.equal(shown.ingested_via_token_id, shop.token_id);
    const unknown = await reader.get(`${path}/vendors/${body.inbound_id + 1000}`);
    assert.deepEqual([unknown.status, unknown.body], [404, { error: "not_found" }]);
  });

  it("is shown when it was refused, with what came and what the sender was told", async () => {
    const id = fresh("refused");
    await vendor(3, id);
    const stale = (await vendor(2, id)).body;
    const lines = [{ item_id: "unknown", quantity_ordered: 1 }];
    const missed = (await push(shop, "purchase_orders", id, 4, { po_number: id, lines })).body;
    const rejected = (await push(shop, "items", id, 5, { sku: "\u00fc" })).body;
    const rows = of(id, await list());
    const shown = async (status: string) => {
      const row = rows.find((one) => one.status === status) ?? assert.fail(status);
      const { source_payload, canonical_payload, refusal, ...rest } = await reader.ok(
        "GET",
        `${path}/${row.resource}/${row.inbound_id}`,
      );
      assert.deepEqual(rest, row);
      return { source_payload, canonical_payload, refusal };
    };
    assert.deepEqual(await shown("stale_version"), {
      ...{ source_payload: { vendor_name: id }, canonical_payload: null, refusal: stale },
    });
    assert.equal(stale.current_version, "3");
    assert.deepEqual(await shown("lookup_miss"), {
      ...{ source_payload: { po_number: id, lines }, canonical_payload: null, refusal: missed },
    });
    assert.equal(missed.missing.source_id, "unknown");
    assert.deepEqual(await shown("rejected"), {
      ...{ source_payload: { sku: "\u00fc" }, canonical_payload: null, refusal: rejected },
    });
    assert.match(rejected.message, /item_name/);
    assert.equal((await shown("applied")).refusal, null);
  });

  it("has an id of its own among all of its resource, and the payload once for each refused version", async () => {
    const id = fresh("again");
    await vendor(3, id);
    for (let i = 0; i < 3; i++) await vendor(2, id);
    await vendor(1, id);
    await vendor(4, id);
    const rows = of(id, await list());
    assert.equal(new Set(rows.map(({ inbound_id }) => inbound_id)).size, 6);
    const payloads = await Promise.all(
      rows.map(async ({ inbound_id, external_version }) => {
        const { source_payload } = await reader.ok("GET", `${path}/vendors/${inbound_id}`);
        return `${external_version} ${source_payload === null ? "gone" : "kept"}`;
      }),
    );
    assert.deepEqual(payloads, ["4 kept", "1 kept", "2 kept", "2 gone", "2 gone", "3 kept"]);
  });

  describe("is seen by users of some warehouses", () => {
    let clerk: Caller;
    let both: Caller;
    before(async () => {
      clerk = await service.user({ page_keys: ["inbound"], warehouse_ids: [here] });
      both = await sender(service, { warehouse_ids: [here, there] });
    });
    const numbers = { sales_orders: "so_number", purchase_orders: "po_number" };
    type Orders = keyof typeof numbers;
    const order = (kind: Orders, id: string, version: number, warehouse_id: number, more = {}) =>
      push(both, kind, id, version, { [numbers[kind]]: id, warehouse_id, ...more });
    const seen = async (by: Caller, query = "") =>
      (await by.ok("GET", `${path}?limit=500&${query}`)).rows as Awaited<ReturnType<typeof list>>;

    for (const kind of ["sales_orders", "purchase_orders"] as const)
      it(`where the ${kind} are theirs now, refused versions too`, async () => {
        const [own, foreign] = [fresh("own"), fresh("foreign")];
        const ours = await order(kind, own, 1, here);
        const others = await order(kind, foreign, 1, there);
        await order(kind, own, 3, here);
        await order(kind, own, 2, here);
        await order(kind, own, 4, here, { status: "nonsense" });
        await order(kind, foreign, 0, there);
        const nowhere = fresh("never");
        await order(kind, nowhere, 1, here, { status: "nonsense" });
        const rows = await seen(clerk);
        assert.deepEqual(versions(of(own, rows)), ["4 rejected", "2 stale_version", "3 applied", "1 superseded"]);
        assert.deepEqual(of(foreign, rows), []);
        assert.deepEqual(versions(of(own, await seen(clerk, `resource=${kind}`))), versions(of(own, rows)));
        const at = (answer: { body: { inbound_id: number } }) => `${path}/${kind}/${answer.body.inbound_id}`;
        const shown = await clerk.ok("GET", at(ours));
        assert.equal(shown.source_payload[numbers[kind]], own);
        const [refused, never] = [await seen(service.admin, "status=stale_version"), await seen(service.admin)];
        const refusedOf = (external_id: string) => of(external_id, [...refused, ...never]).at(0)?.inbound_id;
        for (const inbound_id of [others.body.inbound_id, refusedOf(foreign), refusedOf(nowhere)]) {
          const hidden = await clerk.get(`${path}/${kind}/${inbound_id}`);
          assert.deepEqual([hidden.status, hidden.body], [404, { error: "not_found" }]);
          assert.equal((await service.admin.get(`${path}/${kind}/${inbound_id}`)).status, 200);
        }
        for (const { inbound_id } of of(own, rows)) await clerk.ok("GET", `${path}/${kind}/${inbound_id}`);
        await order(kind, own, 5, there);
        assert.deepEqual(of(own, await seen(clerk)), []);
        assert.equal((await clerk.get(at(ours))).status, 404);
      });

    it("not what belongs to no warehouse, which only those of all see, inactive ones too", async () => {
      const id = fresh("vendor");
      const { body } = await vendor(1, id);
      await vendor(0, id);
      const one = `${path}/vendors/${body.inbound_id}`;
      assert.deepEqual(of(id, await seen(clerk)), []);
      assert.deepEqual(await seen(clerk, "resource=vendors"), []);
      assert.equal((await clerk.get(one)).status, 404);
      const nowhere = await service.user({ page_keys: ["inbound"] });
      assert.deepEqual(await seen(nowhere), []);
      assert.equal((await nowhere.get(one)).status, 404);
      for (const all of [reader, service.admin]) {
        assert.equal(of(id, await seen(all)).length, 2);
        assert.equal((await all.get(one)).status, 200);
      }
      const closed = await warehouse();
      await db.run("update warehouses set is_active = false where warehouse_id = $1", [closed]);
      assert.deepEqual(of(id, await seen(reader)), []);
      await db.run("delete from warehouses where warehouse_id = $1", [closed]);
      assert.equal(of(id, await seen(reader)).length, 2);
    });
  });

  describe("and is kept for a time", () => {
    const age = (table: string, id: string, days: number) =>
      db.run(`update ${table} set received_at = now() - make_interval(days => $2) where external_id = $1`, [id, days]);
    /** Records of a connector that were refused so many days ago. */
    const refusedRecords = (days: Record<string, number>) =>
      db.run(
        `insert into connector_refusals (connector_name, warehouse_id, sync_type, external_id, external_version, record,
                                         error_kind, error_message, first_refused_at)
         select 'example', (select min(warehouse_id) from warehouses), 'items', id, '1', '{}', 'rejected', 'no SKU',
                now() - make_interval(days => days)
         from jsonb_each_text($1) as d (id, text), lateral (select text::int as days) n`,
        [JSON.stringify(days)],
      );
    const syncRuns = (days: Record<string, number>) =>
      db.run(
        `insert into sync_runs (run_id, connector_name, warehouse_id, sync_type, workflow_id, status, started_at,
                                ended_at)
         select gen_random_uuid(), 'example', (select min(warehouse_id) from warehouses), 'items', id, 'completed',
                now() - make_interval(days => days), now()
         from jsonb_each_text($1) as d (id, text), lateral (select text::int as days) n`,
        [JSON.stringify(days)],
      );
    const runs = () =>
      db.rows<{
        resource: string;
        status: string;
        rows_nullified: number;
        retention_days: number;
        error_message: string | null;
      }>(
        `select resource, status, rows_nullified, retention_days, error_message from inbound_cleanup_runs
          order by run_id`,
      );

    it("by a workflow, which clears old payloads and refusals and leaves a row for each resource", async () => {
      const [old, recent] = [await story(), await story()];
      await age("inbound_vendors", old, 91);
      await age("inbound_refusals", old, 91);
      await age("inbound_vendors", recent, 89);
      await refusedRecords({ old: 91, recent: 89 });
      await syncRuns({ old: 91, recent: 89 });
      const cleared = await temporalClient().workflow.execute("maintenance", {
        ...{ taskQueue, workflowId: `retention-${taskQueue}` },
        args: ["inbound-retention"],
      });
      assert.deepEqual(cleared, {
        ...{ customers: 0, items: 0, vendors: 2 },
        ...{ purchase_orders: 0, sales_orders: 0, refusals: 3, connector_refusals: 1, sync_runs: 1 },
        passed_over: 0,
      });
      assert.deepEqual(await db.rows("select workflow_id from sync_runs"), [{ workflow_id: "recent" }]);
      assert.deepEqual(await db.rows("select external_id from connector_refusals"), [{ external_id: "recent" }]);
      assert.deepEqual(versions(of(old, await list())), ["3 applied", "1 superseded"]);
      const payloads = (id: string) =>
        db.column<boolean>("select source_payload is not null as kept from inbound_vendors where external_id = $1", [
          id,
        ]);
      assert.deepEqual(await payloads(old), [false, false]);
      assert.deepEqual(await payloads(recent), [true, true]);
      const [, , vendors] = await runs();
      assert.deepEqual(vendors, {
        ...{ resource: "vendors", status: "succeeded", rows_nullified: 2 },
        ...{ retention_days: 90, error_message: null },
      });
      const [row] = of(old, await list("status=applied"));
      const shown = await reader.ok("GET", `${path}/vendors/${row?.inbound_id}`);
      assert.equal(shown.source_payload, null);
      assert.ok(shown.canonical_payload);
    });

    it("in batches, and says of a run that was cut off that it was", async () => {
      await db.run(
        `insert into inbound_items (source_system, external_id, external_version, canonical_id, canonical_payload,
          source_payload,
                                    answer, received_at, ingested_via_token_id)
         select 'shop', 'old-' || n, '1', gen_random_uuid(), '{}', '{}', '{}', now() - interval '8 days', $1
         from generate_series(1, 4500) n`,
        [shop.token_id],
      );
      await db.run("insert into inbound_cleanup_runs (resource, retention_days) values ('items', 7)");
      assert.equal((await clearPayloads(7)).items, 4500);
      assert.equal(await forgetRefusals(7), 0);
      assert.deepEqual(
        pluckAll(
          (await runs()).filter((run) => run.resource === "items" && run.retention_days === 7),
          "status",
          "rows_nullified",
        ),
        [
          ["failed", 0],
          ["succeeded", 4500],
        ],
      );
    });

    it("and one resource that fails is noted, and does not keep the others", async () => {
      await db.run("alter table inbound_items rename to inbound_items_away");
      try {
        await assert.rejects(clearPayloads(9), /inbound_items/);
      } finally {
        await db.run("alter table inbound_items_away rename to inbound_items");
      }
      const of9 = (await runs()).filter((run) => run.retention_days === 9);
      assert.deepEqual(pluck(of9, "status"), ["succeeded", "failed", "succeeded", "succeeded", "succeeded"]);
      assert.match(of9[1]?.error_message ?? "", /inbound_items/);
    });
  });
});
