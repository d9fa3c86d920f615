import assert from "node:assert/strict";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin, stock, stockOf, warehouse } from "../support/fixtures.js";
import { fresh, push, pushedItem, sender, useTestMappings } from "../support/inbound.js";
import { auditMark, auditSince } from "../support/records.js";
import { testService } from "../support/service.js";

describe("a token that pushes", () => {
  const service = testService();
  let here: number;
  let there: number;
  /** Of one source system: for this warehouse, for the other one, for both. */
  let ours: Caller & { token_id: number };
  let theirs: Caller;
  let both: Caller;
  before(async () => {
    await useTestMappings();
    here = await warehouse();
    there = await warehouse();
    ours = await sender(service, { warehouse_ids: [here] });
    theirs = await sender(service, { warehouse_ids: [there] });
    both = await sender(service, { warehouse_ids: [here, there] });
  });

  const orders = ["sales_orders", "purchase_orders"] as const;
  type Orders = (typeof orders)[number];
  const number = (kind: Orders, id: string) => (kind === "sales_orders" ? { so_number: id } : { po_number: id });
  const rowOf = (kind: Orders, id: string) =>
    db.row<{ warehouse_id: number; status: string }>(
      `select * from ${kind} where ${kind === "sales_orders" ? "so_number" : "po_number"} = $1`,
      [id],
    );
  const isDenied = ({ status, body }: Answer) =>
    assert.deepEqual([status, body], [
      403,
      {
        error: "warehouse_scope_violation",
        error_kind: "warehouse_scope_violation",
        message: "This token was not issued for the warehouse that the record is in or goes to",
      },
    ] as const);
  /** All that a push may have changed. */
  const state = async (kind: Orders, id: string) => ({
    row: await rowOf(kind, id),
    lines: await db.rows(
      `select l.* from ${kind.slice(0, -1)}_lines l join ${kind} using (${kind === "sales_orders" ? "so_id" : "po_id"})
       where external_id = (select canonical_id from cross_system_mappings where source_id = $1)`,
      [id],
    ),
    pushes: await db.rows(`select external_version, status from inbound_${kind} where external_id = $1 order by 1`, [
      id,
    ]),
  });
  const refusalsOf = (external_id: string) =>
    db.rows<{ error_kind: string; ingested_via_token_id: number }>(
      "select error_kind, ingested_via_token_id from inbound_refusals where external_id = $1",
      [external_id],
    );

  for (const kind of orders) {
    describe(`${kind}`, () => {
      it("makes none in another warehouse, and the refusal is noted", async () => {
        const id = fresh("order");
        const mark = await auditMark();
        const sent = { ...number(kind, id), warehouse_id: there };
        isDenied(await push(ours, kind, id, 1, sent));
        assert.deepEqual(await state(kind, id), { row: undefined, lines: [], pushes: [] });
        assert.deepEqual(await auditSince(mark), []);
        assert.deepEqual(await refusalsOf(id), [
          { error_kind: "warehouse_scope_violation", ingested_via_token_id: ours.token_id },
        ]);
      });

      it("neither changes nor takes nor ends one of another warehouse", async () => {
        const id = fresh("order");
        const goods = await pushedItem(both);
        const line = { item_id: goods.external_id, quantity_ordered: 2 };
        const sent = { ...number(kind, id), lines: [line] };
        await stock(there, await bin(there), goods.item_id, 5);
        assert.equal((await push(theirs, kind, id, 1, sent)).status, 201);
        const before = await state(kind, id);
        assert.equal(before.lines.length, 1);
        const ended = kind === "sales_orders" ? "CANCELLED" : "CLOSED";
        let version = 1;
        for (const change of [
          {},
          { warehouse_id: here },
          { warehouse_id: there },
          { status: ended },
          { status: ended, warehouse_id: here },
          { lines: [{ ...line, quantity_ordered: 1 }] },
        ])
          isDenied(await push(ours, kind, id, ++version, { ...number(kind, id), ...change }));
        assert.deepEqual(await state(kind, id), before);
        assert.equal((await refusalsOf(id)).length, 6);
        assert.equal((await push(theirs, kind, id, ++version, { ...sent, status: ended })).status, 201);
        assert.equal((await rowOf(kind, id))?.status, ended);
      });

      it("does not give one away to another warehouse; a token of both does", async () => {
        const id = fresh("order");
        await push(ours, kind, id, 1, number(kind, id));
        const sent = { ...number(kind, id), warehouse_id: there };
        isDenied(await push(ours, kind, id, 2, sent));
        assert.equal((await rowOf(kind, id))?.warehouse_id, here);
        assert.equal((await push(both, kind, id, 3, sent)).status, 201);
        assert.equal((await rowOf(kind, id))?.warehouse_id, there);
        isDenied(await push(ours, kind, id, 4, number(kind, id)));
      });

      it("writes none into another warehouse by its overrides", async () => {
        const sly = await sender(service, {
          ...{ warehouse_ids: [here], mapping_override: true },
          mapping_overrides: { warehouse_id: there },
        });
        const id = fresh("order");
        isDenied(await push(sly, kind, id, 1, number(kind, id)));
        assert.equal(await rowOf(kind, id), undefined);
      });
    });
  }

  it("does not hear of another warehouse's shipped order what cannot be done to it", async () => {
    const id = fresh("order");
    const sent = { so_number: id, status: "SHIPPED" };
    await push(theirs, "sales_orders", id, 1, sent);
    const cancelled = { so_number: id, status: "CANCELLED" };
    isDenied(await push(ours, "sales_orders", id, 2, cancelled));
  });

  it("of no warehouse writes no order", async () => {
    const nowhere = await sender(service);
    const id = fresh("order");
    isDenied(await push(nowhere, "sales_orders", id, 1, { so_number: id, warehouse_id: here }));
    await push(ours, "sales_orders", id, 1, { so_number: id });
    isDenied(await push(nowhere, "sales_orders", id, 2, { so_number: id }));
  });

  it("says nothing of what lies in another warehouse", async () => {
    const goods = await pushedItem(ours);
    const code = fresh("BIN");
    const bin_id = await bin(there, { code });
    const row = await stock(there, bin_id, goods.item_id, 5);
    const answer = await ours.post("/api/v1/inbound/inventory_update", {
      ...{ external_id: "count", external_version: "1" },
      source_payload: {
        ...{ item_external_id: goods.external_id, bin_code: code },
        ...{ warehouse_id: there, target_quantity: 0, reason_code: "X" },
      },
    });
    isDenied(answer);
    assert.equal((await stockOf(row)).on_hand, 5);
  });

  it("overrides the warehouse of orders, while its items have none", async () => {
    const capable = await sender(service, {
      ...{ warehouse_ids: [here, there], mapping_override: true },
      mapping_overrides: { warehouse_id: there, item_name: "Always this" },
    });
    const { item_id } = await pushedItem(capable);
    const name = await db.row<{ item_name: string }>("select item_name from items where item_id = $1", [item_id]);
    assert.equal(name?.item_name, "Always this");
    const mark = await auditMark();
    const id = fresh("order");
    const sent = { so_number: id, warehouse_id: here };
    assert.equal((await push(capable, "sales_orders", id, 1, sent)).status, 201);
    assert.equal((await rowOf("sales_orders", id))?.warehouse_id, there);
    const [audit] = await auditSince(mark);
    assert.deepEqual(audit?.details.override_fields, ["warehouse_id"]);
  });
});
