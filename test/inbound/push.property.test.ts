import assert from "node:assert/strict";
import fc from "fast-check";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, stock, warehouse } from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { assertInvariants } from "../support/invariants.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";

describe("versions of one record from many senders", function () {
  this.timeout(120_000);
  const service = testService();
  let senders: Caller[];
  let item: { external_id: string };
  before(async () => {
    await useTestMappings();
    const here = await warehouse();
    senders = [];
    for (let n = 0; n < 4; n++) senders.push(await sender(service, { warehouse_ids: [here] }));
    const made = await pushedItem(senders[0] as Caller);
    await stock(here, await bin(here), made.item_id, 1_000_000);
    item = made;
  });
  afterEach(() => assertInvariants());

  const table = { items: "items", sales_orders: "sales_orders" };
  const payload = {
    items: (id: string, version: number) => ({ sku: id, item_name: `v${version}` }),
    sales_orders: (id: string, version: number) => ({
      so_number: id,
      memo: `v${version}`,
      lines: [{ item_id: item.external_id, quantity_ordered: 1 }],
    }),
  };
  const said = { items: "item_name", sales_orders: "memo" };

  /** As a sender does: who is told to come again comes again. */
  async function insist(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await ask();
      if (answer.body.error_kind !== "lock_held") return answer;
    }
  }

  for (const resource of ["items", "sales_orders"] as const)
    it(`of ${resource} end with the newest, one row and a true history`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 8 }), { minLength: 2, maxLength: 4 }),
          async (plans) => {
            const id = fresh("race");
            const answers = new Map<number, Answer[]>();
            await Promise.all(
              plans.map(async (versions, n) => {
                for (const version of versions) {
                  const answer = await insist(() =>
                    push(senders[n] as Caller, resource, id, version, payload[resource](id, version)),
                  );
                  const before = answers.get(version) ?? [];
                  answers.set(version, [...before, answer]);
                }
              }),
            );
            const sent = [...answers.keys()];
            if (sent.length === 0) return;
            const newest = Math.max(...sent);

            const history = await db.rows<{
              inbound_id: number;
              version: number;
              status: string;
              canonical_id: string;
            }>(
              `select inbound_id, external_version::int as version, status, canonical_id from inbound_${resource}
               where external_id = $1 order by received_at, inbound_id`,
              [id],
            );
            const taken = history.map((row) => row.version);
            assert.deepEqual(
              taken,
              taken.toSorted((a, b) => a - b),
              "a version was taken after a newer one",
            );
            assert.deepEqual(pluck(history, "status"), [...taken.slice(1).map(() => "superseded"), "applied"]);
            assert.equal(taken.at(-1), newest);
            assert.equal(new Set(history.map((row) => row.canonical_id)).size, 1);

            for (const [version, heard] of answers) {
              const row = history.find((one) => one.version === version);
              const statuses = heard.map((answer) => answer.status);
              if (row) {
                // Of who sent it, one wrote it; the others heard the same.
                assert.equal(statuses.filter((s) => s === 201).length, 1);
                for (const { status, body } of heard) if (status !== 409) assert.equal(body.inbound_id, row.inbound_id);
              } else assert.ok(statuses.every((status) => status === 409));
            }

            const rows = await db.rows<Record<string, unknown>>(
              `select ${said[resource]} as said, latest_inbound_id from ${table[resource]} where external_id = $1`,
              [history[0]?.canonical_id],
            );
            assert.deepEqual(rows, [{ said: `v${newest}`, latest_inbound_id: history.at(-1)?.inbound_id }]);
            const audits = await db.rows<{ action_type: string }>(
              "select action_type from audit_log where entity_type = $1 and entity_id = any($2) order by log_id",
              [resource === "items" ? "INBOUND_ITEM" : "INBOUND_SALES_ORDER", history.map((row) => row.inbound_id)],
            );
            assert.deepEqual(pluck(audits, "action_type"), ["CREATE", ...taken.slice(1).map(() => "UPDATE")]);
          },
        ),
        { numRuns: 25 },
      ));
});
