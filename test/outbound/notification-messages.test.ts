import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { warehouse } from "../support/fixtures.js";
import { destination, NOTIFICATIONS } from "../support/notifications.js";
import { pluck, pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";

interface Message {
  notification_id: number;
  event_type: string;
  status: string;
  due_at: string | null;
}

describe("the messages to a notification destination", () => {
  const service = testService();
  let user: Caller;
  let warehouse_id: number;
  let webhook_id: number;
  const url = `https://93.184.216.34/secret-${randomUUID()}`;
  beforeEach(async () => {
    warehouse_id = await warehouse();
    user = await service.user({ warehouse_ids: [warehouse_id], page_keys: ["notifications"] });
    webhook_id = (await destination(user, warehouse_id, { url, secret: "a-long-secret" })).webhook_id;
    const facts = JSON.stringify({ backorder_so_number: "SO-TOLD" });
    await db.run(
      `insert into notifications (webhook_id, event_type, facts, occurred_at, status, attempts, http_status, error_kind,
         error_detail, due_at, completed_at)
       values ($1, 'backorder.opened', $2, '2026-05-06T11:59:57Z', 'succeeded', 1, 200, null, null, now(), now()),
              ($1, 'backorder.cancelled', $2, now(), 'dlq', 8, 503, '5xx', 'HTTP status 503', now(), now()),
              ($1, 'test', '{}', now(), 'stopped', 0, null, null, null, now(), now()),
              ($1, 'backorder.fulfillable', $2, now(), 'pending', 2, null, 'timeout', 'No answer', now(), null)`,
      [webhook_id, facts],
    );
  });

  const pathOf = (query = "", id = webhook_id) => `${NOTIFICATIONS}/${id}/messages?${query}`;
  const list = async (query?: string): Promise<Message[]> => (await user.ok("GET", pathOf(query))).messages;
  const types = async (query?: string) => pluck(await list(query), "event_type");

  it("tell what was told, newest first, and what came of it", async () => {
    const rows = await list();
    assert.deepEqual(
      rows.map(({ event_type, status, due_at }) => [event_type, status, due_at !== null]),
      [
        ["backorder.fulfillable", "pending", true],
        ["test", "stopped", false],
        ["backorder.cancelled", "dlq", false],
        ["backorder.opened", "succeeded", false],
      ],
    );
    const { notification_id, created_at, completed_at, occurred_at, ...row } = rows[3] as Message &
      Record<"created_at" | "completed_at" | "occurred_at", string>;
    assert.ok(notification_id && created_at && completed_at);
    assert.equal(Date.parse(occurred_at), Date.parse("2026-05-06T11:59:57Z"));
    assert.deepEqual(row, {
      ...{ event_type: "backorder.opened", status: "succeeded", attempts: 1, http_status: 200 },
      ...{ error_kind: null, error_detail: null, due_at: null },
    });
    const { attempts, http_status, error_kind, error_detail } = rows[2] as Message & Record<string, unknown>;
    assert.deepEqual([attempts, http_status, error_kind, error_detail], [8, 503, "5xx", "HTTP status 503"]);
  });

  it("come in pages, in any order, by status, and as a file", async () => {
    assert.deepEqual(await types("per_page=3&page=2"), ["backorder.opened"]);
    assert.deepEqual(await types("sort=event_type&per_page=2"), ["backorder.cancelled", "backorder.fulfillable"]);
    assert.deepEqual(await types("status=dlq"), ["backorder.cancelled"]);
    assert.equal((await user.get(pathOf("status=lost"))).status, 400);
    const { body } = await user.with({ accept: "text/csv" }).get(pathOf("status=stopped"));
    const rows = parse(body, { columns: true }) as Record<string, string>[];
    assert.deepEqual(pluckAll(rows, "event_type", "attempts"), [["test", "0"]]);
  });

  it("say neither the URL, nor the secret, nor what is in them", async () => {
    const text = JSON.stringify(await user.ok("GET", pathOf()));
    for (const kept of [url, "secret", "SO-TOLD"]) assert.equal(text.includes(kept), false, kept);
  });

  it("are those of one destination, which lies in the user's warehouses", async () => {
    const other = await destination(user, warehouse_id);
    assert.deepEqual((await user.ok("GET", pathOf("", other.webhook_id))).messages, []);
    const elsewhere = await destination(service.admin, await warehouse());
    for (const id of [elsewhere.webhook_id, 2_000_000_000]) {
      const { status, code } = await user.get(pathOf("", id));
      assert.deepEqual([status, code], [404, "notification_webhook_not_found"]);
    }
    assert.deepEqual((await service.admin.ok("GET", pathOf("", elsewhere.webhook_id))).messages, []);
  });
});
