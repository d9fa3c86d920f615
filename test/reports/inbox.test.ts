import assert from "node:assert/strict";
import { type InboxKind, inboxKinds } from "../../src/reports/inbox/shapes.js";
import { insertApproval } from "../support/agent-requests.js";
import type { Caller } from "../support/caller.js";
import {
  closedParcel,
  insertAccount,
  insertCollection,
  insertLabel,
  trackedParcel,
} from "../support/carrier-requests.js";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { insertPrinter, insertPrintJob } from "../support/printing-requests.js";
import { failedPush } from "../support/push-rows.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";
import { unique } from "../support/unique.js";
import { delivery, subscribe } from "../support/webhooks.js";

const INBOX = "/api/admin/inbox";
const MARK = `${INBOX}/mark`;

/** Something that needs a person, and SQL after which it does not any more. */
interface Trouble {
  record_id: string | number;
  ends: string;
}

describe("the inbox", () => {
  const service = testService({ worker: true });
  let admin: Caller;
  let warehouse_id: number;
  let bin_id: number;
  let item_id: number;
  beforeEach(async () => {
    admin = service.admin;
    warehouse_id = await fixtures.warehouse();
    bin_id = await fixtures.bin(warehouse_id);
    item_id = (await fixtures.item()).item_id;
  });

  const read = (query = "", by = admin) => by.ok("GET", `${INBOX}?warehouse_id=${warehouse_id}${query}`);
  const part = async (kind: InboxKind, query = "", by = admin) => (await read(`&kind=${kind}${query}`, by)).parts[0];
  const ids = async (kind: InboxKind, query = "", by = admin) =>
    ((await part(kind, query, by))?.entries ?? []).map(({ record_id }: { record_id: string }) => record_id);
  const mark = (kind: InboxKind, record_id: string | number, said: object, by = admin) =>
    by.ok("PUT", MARK, { kind, record_id: String(record_id), ...said });

  async function order(set: string): Promise<number> {
    const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 3 }]);
    await db.run(`update sales_orders set ${set} where so_id = $1`, [so_id]);
    return so_id;
  }
  /** An order of five in a wave, for which a picker finds one in the first bin, and others have so many. */
  async function shortInWave(elsewhere: number) {
    const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 5 }]);
    await fixtures.stock(warehouse_id, bin_id, item_id, 5);
    const picker = await service.user({ warehouse_ids: [warehouse_id] });
    const { batch_id, first_pick } = await picker.ok("POST", "/api/picking/wave-create", {
      ...{ so_ids: [so_id], warehouse_id },
    });
    const more = await fixtures.bin(warehouse_id);
    await fixtures.stock(warehouse_id, more, item_id, elsewhere);
    const { pick_task_id } = first_pick;
    const report = { pick_task_id, quantity_available: 1 };
    const { replacements } = await picker.ok("POST", "/api/picking/short", report);
    return { so_id, batch_id, picker, replacements };
  }
  const ofOrder = async (set: string, ends: string): Promise<Trouble> => {
    const so_id = await order(set);
    return { record_id: so_id, ends: `update sales_orders set ${ends} where so_id = ${so_id}` };
  };
  async function over(received: number) {
    const { po_id } = await fixtures.purchaseOrder(warehouse_id, [{ item_id, quantity: 2 }]);
    await db.run("update purchase_order_lines set quantity_received = $2 where po_id = $1", [po_id, received]);
    await db.run(
      `insert into item_receipts (po_id, item_id, bin_id, warehouse_id, quantity_received) values ($1, $2, $3, $4, $5)`,
      [po_id, item_id, bin_id, warehouse_id, received],
    );
    return po_id;
  }
  const refusal = (external_id: string) =>
    db.row<{ inbound_id: number }>(
      `insert into inbound_refusals (resource, source_system, external_id, external_version, status, error_kind)
       values ('items', 'shop', $1, '1', 'rejected', 'validation_error') returning inbound_id`,
      [external_id],
    );
  async function webhook(status = "active", pause_reason: string | null = null): Promise<string> {
    const { subscription_id } = await subscribe(admin);
    await db.run("update webhook_subscriptions set status = $2, pause_reason = $3 where subscription_id = $1", [
      ...[subscription_id, status, pause_reason],
    ]);
    return subscription_id;
  }

  /** A parcel that left ten days ago, of which its carrier said something just now. */
  async function ofParcel(set: string): Promise<Trouble> {
    const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
    const parcel_id = await trackedParcel(so_id, warehouse_id);
    const ofIt = `where parcel_id = ${parcel_id}`;
    await db.run(`update parcel_trackings set heard_at = now(), ${set} ${ofIt}`);
    return { record_id: `${so_id}/${parcel_id}`, ends: `update parcel_trackings set ended_at = now() ${ofIt}` };
  }

  /** One of each kind. */
  const troubles: Record<InboxKind, () => Promise<Trouble>> = {
    late_order: () => ofOrder("ship_by_date = current_date - 2", "ship_by_date = current_date + 5"),
    short_pick: async () => {
      const { so_id } = await shortInWave(3);
      return { record_id: so_id, ends: `update pick_batch_orders set active = false where so_id = ${so_id}` };
    },
    short_order: async () => {
      const so_id = await order("status = 'PICKED', picked_at = now()");
      return { record_id: so_id, ends: `update sales_orders set short_accepted_at = now() where so_id = ${so_id}` };
    },
    held_order: () => ofOrder("hold_reason = 'differs_from_shop'", "hold_reason = null"),
    order_in_review: () => ofOrder("status = 'FRAUD_REVIEW'", "status = 'OPEN'"),
    over_received: async () => {
      const record_id = await over(5);
      return { record_id, ends: `update purchase_order_lines set quantity_ordered = 5 where po_id = ${record_id}` };
    },
    adjustment: async () => {
      const record_id = await fixtures.pendingAdjustment(warehouse_id, bin_id, item_id, -2);
      return {
        record_id,
        ends: `update inventory_adjustments set status = 'REJECTED' where adjustment_id = ${record_id}`,
      };
    },
    count_variance: async () => {
      const count_id = await db.value<number>(
        "insert into cycle_counts (warehouse_id, bin_id, status) values ($1, $2, 'VARIANCE') returning count_id",
        [warehouse_id, bin_id],
      );
      const adjustment_id = await fixtures.pendingAdjustment(warehouse_id, bin_id, item_id, 4);
      const ofCount = `cycle_count_id = ${count_id}`;
      await db.run(`update inventory_adjustments set ${ofCount} where adjustment_id = $1`, [adjustment_id]);
      return {
        record_id: count_id as number,
        ends: `update inventory_adjustments set status = 'APPROVED' where ${ofCount}`,
      };
    },
    agent_approval: async () => {
      const record_id = await insertApproval({ warehouse_ids: [warehouse_id], page_key: "vendors" });
      const set = "status = 'EXPIRED', ended_at = now()";
      return { record_id, ends: `update agent_approvals set ${set} where approval_id = ${record_id}` };
    },
    transfer_approval: async () => {
      const to_id = await db.value<number>(
        `insert into transfer_orders (to_number, source_warehouse_id, destination_warehouse_id)
         values ($1, $2, $3) returning to_id`,
        [`TO-${unique()}`, await fixtures.warehouse(), warehouse_id],
      );
      await db.run("insert into transfer_order_approvals (to_id, submitted_by) values ($1, 'ann')", [to_id]);
      return { record_id: to_id as number, ends: `delete from transfer_order_approvals where to_id = ${to_id}` };
    },
    expiring_stock: async () => {
      const record_id = await fixtures.stock(warehouse_id, bin_id, item_id, 6, "L1");
      await db.run("update inventory set expiry_date = current_date + 3 where inventory_id = $1", [record_id]);
      return { record_id, ends: `update inventory set quantity_on_hand = 0 where inventory_id = ${record_id}` };
    },
    inspection: async () => {
      const record_id = await db.value<number>(
        `insert into inspections (item_id, warehouse_id, quantity, reason, opened_by)
         values ($1, $2, 2, 'broken', 'ann') returning inspection_id`,
        [item_id, warehouse_id],
      );
      return {
        record_id: record_id as number,
        ends: `update inspections set closed_at = now() where inspection_id = ${record_id}`,
      };
    },
    recall: async () => {
      const record_id = await db.value<number>(
        "insert into recalls (reason, opened_by) values ('glass', 'ann') returning recall_id",
        [],
      );
      return {
        record_id: record_id as number,
        ends: `update recalls set closed_at = now(), closed_by = 'ann' where recall_id = ${record_id}`,
      };
    },
    refused_push: async () => {
      const external_id = `X${unique()}`;
      await refusal(external_id);
      const again = await refusal(external_id);
      return {
        record_id: `items/${again?.inbound_id}`,
        ends: `
          with source as (insert into inbound_source_systems_allowlist (source_system, kind)
                          values ('shop', 'manual_import')
                          on conflict do nothing)
          insert into inbound_items (source_system, external_id, external_version, canonical_id, canonical_payload,
            answer, received_at)
          values ('shop', '${external_id}', '2', gen_random_uuid(), '{}', '{}', now() + interval '1 second')`,
      };
    },
    refused_record: async () => {
      const record_id = await db.value<number>(
        `insert into connector_refusals (connector_name, warehouse_id, sync_type, external_id, external_version, record,
           error_kind, error_message)
         values ('example', $1, 'items', 'X1', '1', '{}', 'validation_error', 'No SKU') returning refusal_id`,
        [warehouse_id],
      );
      return {
        record_id: record_id as number,
        ends: `delete from connector_refusals where refusal_id = ${record_id}`,
      };
    },
    failed_sync: async () => {
      await db.run(
        `insert into sync_state (connector_name, warehouse_id, sync_type, sync_status, last_error_at,
           last_error_message, consecutive_errors) values ('example', $1, 'orders', 'error', now(), '401', 3)`,
        [warehouse_id],
      );
      return {
        record_id: `example/${warehouse_id}/orders`,
        ends: `update sync_state set sync_status = 'idle' where warehouse_id = ${warehouse_id}`,
      };
    },
    failed_push: async () => {
      const record_id = await failedPush(warehouse_id);
      return { record_id, ends: `update fulfillment_pushes set status = 'pushed' where push_id = ${record_id}` };
    },
    paused_webhook: async () => {
      const record_id = await webhook("paused", "dlq_ceiling");
      return {
        record_id,
        ends: `update webhook_subscriptions set pause_reason = 'manual' where subscription_id = '${record_id}'`,
      };
    },
    dead_letters: async () => {
      const record_id = await webhook();
      await delivery(record_id, { status: "dlq" });
      return { record_id, ends: `delete from webhook_deliveries where subscription_id = '${record_id}'` };
    },
    paused_channel: async () => {
      const record_id = `ch-${unique()}`.toLowerCase();
      await db.run(
        `insert into channels (channel_id, display_name, delivery_url, status, pause_reason)
         values ($1, 'Shop', 'https://93.184.216.34/', 'paused', 'pending_ceiling')`,
        [record_id],
      );
      return { record_id, ends: `update channels set pause_reason = 'manual' where channel_id = '${record_id}'` };
    },
    label_failed: async () => {
      const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
      const parcel_id = await closedParcel(so_id);
      await db.run(
        `insert into label_purchases (parcel_id, warehouse_id, purchase_number, status, last_error, refusal,
           requested_by, completed_at)
         values ($1, $2, 1, 'failed', 'Address not found', 'address_refused', 'ann', now())`,
        [parcel_id, warehouse_id],
      );
      return {
        record_id: so_id,
        ends: `update label_purchases set status = 'cancelled' where parcel_id = ${parcel_id}`,
      };
    },
    parcel_exception: () => ofParcel("status = 'exception', status_at = now()"),
    parcel_late: () => ofParcel("status = 'in_transit', expected_day = current_date - 4, last_scan_at = now()"),
    parcel_lost: () => ofParcel("status = 'in_transit', last_scan_at = now() - interval '9 days'"),
    not_collected: async () => {
      const { so_id } = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity: 1 }]);
      const parcel_id = await closedParcel(so_id);
      const account_id = await insertAccount(warehouse_id);
      const purchase_id = await insertLabel(parcel_id, account_id);
      await db.run("update label_purchases set collection_id = $2, left_behind_at = now() where purchase_id = $1", [
        ...[purchase_id, await insertCollection(account_id)],
      ]);
      return {
        record_id: so_id,
        ends: `update label_purchases set status = 'voided' where purchase_id = ${purchase_id}`,
      };
    },
    print_failed: async () => {
      const record_id = await insertPrintJob(await insertPrinter(warehouse_id));
      return { record_id, ends: `update print_jobs set status = 'cancelled' where job_id = ${record_id}` };
    },
  };

  for (const kind of inboxKinds)
    it(`has an entry of ${kind} until it is settled`, async () => {
      const { record_id, ends } = await troubles[kind]();
      const { total, entries } = await part(kind);
      const entry = entries.find((one: { record_id: string }) => one.record_id === String(record_id));
      assert.ok(entry, `${kind} ${record_id} among ${JSON.stringify(entries)}`);
      assert.ok(total > 0 && entry.label && entry.since);
      assert.deepEqual([entry.taken_by, entry.snoozed_until], [null, null]);
      await db.run(ends);
      assert.ok(!(await ids(kind)).includes(String(record_id)), "it is still there");
    });

  it("says which parcel of an order a carrier left behind", async () => {
    const { record_id } = await troubles.not_collected();
    const { entries } = await part("not_collected");
    const entry = entries.find((one: { record_id: string }) => one.record_id === String(record_id));
    assert.match(entry.label, / \/ 1$/);
  });

  it("says of each entry what it is about", async () => {
    const { record_id } = await troubles.expiring_stock();
    const { since, ...entry } = (await part("expiring_stock")).entries[0];
    const [sku, bin_code, due] = [
      await db.value("select sku from items where item_id = $1", [item_id]),
      await db.value("select bin_code from bins where bin_id = $1", [bin_id]),
      await db.value("select expiry_date::text from inventory where inventory_id = $1", [record_id]),
    ];
    assert.ok(since);
    assert.deepEqual(entry, {
      ...{ record_id: String(record_id), label: sku, name: bin_code, detail: "L1", units: 6, due, warehouse_id },
      ...{ reason: null, taken_by: null, snoozed_until: null },
    });
  });

  it("does not name orders that were over-received no further than ordered", async () => {
    const po_id = await over(2);
    assert.ok(!(await ids("over_received")).includes(String(po_id)));
  });

  it("has the kinds that the caller has the pages for, of the caller's warehouses", async () => {
    const elsewhere = await fixtures.warehouse();
    const held = await order("hold_reason = 'differs_from_shop'");
    await troubles.paused_webhook();
    const clerk = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["sales-orders"] });
    const { parts, total } = await clerk.ok("GET", INBOX);
    assert.deepEqual(
      parts.map(({ kind }: { kind: InboxKind }) => kind),
      [
        ...["late_order", "short_pick", "short_order", "held_order", "agent_approval", "label_failed"],
        ...["parcel_exception", "parcel_late", "parcel_lost", "not_collected"],
      ],
    );
    assert.equal(total, 1);
    assert.equal(parts[3].entries[0].record_id, String(held));
    const stranger = await service.user({ warehouse_ids: [elsewhere], page_keys: ["sales-orders", "inbound"] });
    assert.equal((await stranger.ok("GET", INBOX)).total, 0);
    assert.equal((await stranger.get(`${INBOX}?warehouse_id=${warehouse_id}`)).code, "warehouse_denied");
    const none = await service.user({ warehouse_ids: [warehouse_id] });
    assert.deepEqual(await none.ok("GET", INBOX), { total: 0, parts: [] });
    const refused = await stranger.put(MARK, { kind: "held_order", record_id: String(held), taken: true });
    assert.equal(refused.code, "inbox_entry_not_found");
  });

  it("says of an order that was picked short what is missing", async () => {
    const so_id = await order("status = 'PICKED', picked_at = now()");
    await db.run("update sales_order_lines set quantity_allocated = 1, quantity_picked = 1 where so_id = $1", [so_id]);
    const sku = await db.value<string>("select sku from items where item_id = $1", [item_id]);
    assert.equal((await part("short_order")).entries[0].detail, `2 × ${sku}`);
  });

  it("says at once what a wave lacks, and what is to be decided once it has ended", async () => {
    const { so_id, batch_id, picker, replacements } = await shortInWave(3);
    const sku = await db.value<string>("select sku from items where item_id = $1", [item_id]);
    assert.equal((await part("short_pick")).entries[0].detail, `1 × ${sku}`);
    assert.deepEqual(await ids("short_order"), []);
    const [{ pick_task_id }] = replacements;
    await picker.ok("POST", "/api/picking/short", { pick_task_id, quantity_available: 2 });
    assert.equal((await part("short_pick")).entries[0].detail, `2 × ${sku}`);
    await picker.ok("POST", "/api/picking/complete-batch", { batch_id });
    assert.deepEqual([await ids("short_pick"), await ids("short_order")], [[], [String(so_id)]]);
  });

  it("does not name a pick that came up short where other bins have the rest", async () => {
    const { replacements } = await shortInWave(4);
    assert.equal(replacements.length, 1);
    assert.deepEqual(await ids("short_pick"), []);
  });

  it("shows the oldest entries first, as many as asked for, and counts them all", async () => {
    const days = [1, 3, 2];
    const soIds = [];
    for (const day of days) soIds.push(await order(`ship_by_date = current_date - ${day + 1}`));
    const { total, entries } = await part("late_order", "&limit=2");
    assert.equal(total, 3);
    assert.deepEqual(
      entries.map(({ record_id }: { record_id: string }) => Number(record_id)),
      [soIds[1], soIds[2]],
    );
  });

  it("lets somebody take an entry, and another take it over or give it back, audited", async () => {
    const so_id = await order("hold_reason = 'differs_from_shop'");
    const [ann, ben] = [
      await service.user({ warehouse_ids: [warehouse_id], page_keys: ["sales-orders"] }),
      await service.user({ warehouse_ids: [warehouse_id], page_keys: ["sales-orders"] }),
    ];
    const since = await auditMark();
    const taken = await mark("held_order", so_id, { taken: true }, ann);
    assert.deepEqual(taken, {
      ...{ kind: "held_order", record_id: String(so_id), taken_by: ann.username, snoozed_until: null },
    });
    assert.deepEqual(await ids("held_order", "&mine=true", ann), [String(so_id)]);
    assert.deepEqual(await ids("held_order", "&mine=true", ben), []);
    assert.equal((await mark("held_order", so_id, { taken: true }, ben)).taken_by, ben.username);
    assert.deepEqual(await ids("held_order", "&mine=true", ann), []);
    assert.equal((await mark("held_order", so_id, { taken: false }, ann)).taken_by, null);
    assert.deepEqual(await ids("held_order", "&mine=true", ben), []);
    const rows = (await auditSince(since)).filter(({ entity_type }) => entity_type === "INBOX_ENTRY");
    assert.deepEqual(
      rows.map(({ action_type, details }) => [action_type, (details as { taken_by: unknown }).taken_by]),
      [
        ["UPDATE", { old: null, new: ann.username }],
        ["UPDATE", { old: ann.username, new: ben.username }],
        ["UPDATE", { old: ben.username, new: null }],
      ],
    );
  });

  it("puts an entry off until a time, and shows it again before on request", async () => {
    const so_id = await order("status = 'FRAUD_REVIEW'");
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await mark("order_in_review", so_id, { taken: true });
    const { taken_by, snoozed_until } = await mark("order_in_review", so_id, { snoozed_until: tomorrow });
    assert.deepEqual([taken_by, new Date(snoozed_until).toISOString()], [admin.username, tomorrow]);
    assert.deepEqual(await ids("order_in_review"), []);
    assert.deepEqual(await ids("order_in_review", "&snoozed=true"), [String(so_id)]);
    await mark("order_in_review", so_id, { snoozed_until: null });
    assert.deepEqual(await ids("order_in_review"), [String(so_id)]);
    assert.deepEqual(await ids("order_in_review", "&mine=true"), [String(so_id)]);
    await mark("order_in_review", so_id, { snoozed_until: tomorrow });
    await db.run("update inbox_marks set snoozed_until = now() - interval '1 second' where record_id = $1", [
      String(so_id),
    ]);
    assert.deepEqual(await ids("order_in_review"), [String(so_id)]);
  });

  it("forgets what was said of a record that needs a person anew", async () => {
    const { record_id } = await troubles.paused_webhook();
    await mark("paused_webhook", record_id, { taken: true });
    const said = async () =>
      (await part("paused_webhook")).entries.find((one: { record_id: string }) => one.record_id === record_id).taken_by;
    assert.equal(await said(), admin.username);
    await db.run("update webhook_subscriptions set updated_at = now() where subscription_id = $1", [record_id]);
    assert.equal(await said(), null);
  });

  it("refuses what is not there, and times that have passed or are too far away, and changes nothing", async () => {
    const so_id = await order("hold_reason = 'differs_from_shop'");
    const entry = { kind: "held_order", record_id: String(so_id) };
    const code = async (body: object) => (await admin.put(MARK, body)).code;
    const at = (ms: number) => ({ ...entry, snoozed_until: new Date(Date.now() + ms).toISOString() });
    assert.equal(await code(at(-60_000)), "snooze_out_of_range");
    assert.equal(await code(at(31 * 86_400_000)), "snooze_out_of_range");
    assert.equal(await code({ ...entry, record_id: "999999999", taken: true }), "inbox_entry_not_found");
    assert.equal(await code({ ...entry, kind: "late_order", taken: true }), "inbox_entry_not_found");
    assert.equal(await code(entry), "validation_error");
    assert.equal(await code({ ...entry, kind: "nothing", taken: true }), "validation_error");
    const { taken_by, snoozed_until } = (await part("held_order")).entries[0];
    assert.deepEqual([taken_by, snoozed_until], [null, null]);
  });
});
