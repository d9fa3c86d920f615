import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { Stage, ToNumber } from "../../src/platform/temporal/search-attributes.js";
import { transferWorkflowId } from "../../src/transfers/workflow.js";
import type { Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { assertInvariants } from "../support/invariants.js";
import { testService } from "../support/service.js";
import {
  newTransfer,
  openApproval,
  pickTransfer,
  statusOf,
  type TwoHouses,
  twoHouses,
} from "../support/transfer-walks.js";
import { TRANSFERS } from "../support/transfers.js";
import { until } from "../support/until.js";
import { detailsOf } from "../support/workflow-environment.js";

describe("a transfer order and its process", () => {
  const service = testService({ worker: true });
  let houses: TwoHouses;
  let ann: Caller;
  let bob: Caller;
  before(async () => {
    houses = await twoHouses(2);
    const page_keys = ["transfer-orders"];
    ann = await service.user({ warehouse_ids: [houses.source], page_keys, username: "ann" });
    bob = await service.user({ warehouse_ids: [houses.destination], page_keys, username: "bob" });
  });
  afterEach(() => assertInvariants());

  const handleOf = (to_id: number) => temporalClient().workflow.getHandle(transferWorkflowId(to_id));
  const stageOf = async (to_id: number) => (await handleOf(to_id).describe()).typedSearchAttributes.get(Stage);
  const endOf = async (to_id: number) => ((await handleOf(to_id).result()) as { ended: string }).ended;
  const create = async (): Promise<number> => (await ann.ok("POST", TRANSFERS, newTransfer(houses))).to_id;
  const complete = (batch_id: number) => ann.ok("POST", "/api/picking/complete-batch", { batch_id });
  async function submitted(): Promise<number> {
    const to_id = await create();
    await complete(await pickTransfer(ann, to_id));
    return to_id;
  }
  const approve = async (to_id: number) =>
    bob.post(`${TRANSFERS}/${to_id}/approvals/${await openApproval(to_id)}/approve`);
  const idOf = (answer: { headers: Headers }) => answer.headers.get("x-service-workflow-id");
  const lose = (workflowId: string) => temporalClient().workflow.getHandle(workflowId).terminate("lost");

  it("goes from its creation over picking and approval to its end, and shows each step", async () => {
    const answer = await ann.post(TRANSFERS, newTransfer(houses));
    assert.equal(answer.status, 201);
    const { to_id, to_number, line_count, shortages } = answer.body;
    assert.deepEqual([line_count, shortages, idOf(answer)], [2, [], transferWorkflowId(to_id)]);
    const { typedSearchAttributes: found } = await handleOf(to_id).describe();
    assert.deepEqual([found.get(Stage), found.get(ToNumber)], ["to pick", to_number]);

    const batch_id = await pickTransfer(ann, to_id);
    assert.equal(await stageOf(to_id), "picking");
    const wave = temporalClient().workflow.getHandle(`pick-wave-${batch_id}`);
    assert.match(await detailsOf(wave), new RegExp(`Why:.* ann picks ${to_number} from`));
    await complete(batch_id);
    assert.equal(((await wave.result()) as { ended: string }).ended, "completed");
    await until(async () => (await stageOf(to_id)) === "to approve");
    assert.match(await detailsOf(handleOf(to_id)), /Why:\*\* ann submitted 10 unit\(s\) at .* UTC/);

    const approved = await approve(to_id);
    assert.deepEqual(
      [approved.status, approved.body.to_closed, idOf(approved)],
      [200, true, transferWorkflowId(to_id)],
    );
    assert.equal(await endOf(to_id), "closed");
    assert.match(await detailsOf(handleOf(to_id)), /Why:\*\* bob approved \d+\n/);
  });

  it("names an import's faults in the answer and in its process, and makes nothing", async () => {
    const [source, destination] = await db
      .rows<{ code: string }>(
        "select warehouse_code as code from warehouses where warehouse_id = any($1) order by warehouse_id",
        [[houses.source, houses.destination]],
      )
      .then((rows) => rows.map(({ code }) => code));
    const records = [
      { sku: houses.goods[0]?.sku, quantity: 500 },
      { sku: "NO-SUCH", quantity: 1 },
    ];
    const body = { source_warehouse_code: source, destination_warehouse_code: destination, records };
    const refused = await ann.post(`${TRANSFERS}/import`, body);
    assert.deepEqual([refused.status, refused.body.error], [422, "row_errors"]);
    const handle = temporalClient().workflow.getHandle(idOf(refused) as string);
    await assert.rejects(handle.result());
    assert.match(await detailsOf(handle), /row 1: unknown sku NO-SUCH/);
    const made = await ann.post(`${TRANSFERS}/import`, { ...body, records: records.slice(0, 1) });
    assert.deepEqual([made.status, made.body.shortages.length], [201, 1]);
    await ann.ok("POST", `${TRANSFERS}/${made.body.to_id}/cancel`);
    assert.equal(await endOf(made.body.to_id), "cancelled");
  });

  it("is made once under one key, and a step is done once", async () => {
    const keyed = ann.with({ "idempotency-key": randomUUID() });
    const made = await keyed.ok("POST", TRANSFERS, newTransfer(houses));
    assert.deepEqual(await keyed.ok("POST", TRANSFERS, newTransfer(houses)), made);
    const begun = ann.with({ "idempotency-key": randomUUID() });
    const path = `${TRANSFERS}/${made.to_id}/start-picking`;
    const batch = await begun.ok("POST", path);
    await ann.ok("POST", "/api/picking/cancel-batch", { batch_id: batch.batch_id });
    await until(async () => (await stageOf(made.to_id)) === "to pick");
    assert.deepEqual(await begun.ok("POST", path), batch);
    assert.equal(await stageOf(made.to_id), "to pick");
    assert.equal((await ann.delete(`${TRANSFERS}/${made.to_id}`)).status, 204);
    assert.equal(await endOf(made.to_id), "deleted");
  });

  it("ends the process of its batch with its own", async () => {
    const to_id = await create();
    const { batch_id } = await ann.ok("POST", `${TRANSFERS}/${to_id}/start-picking`);
    await ann.ok("POST", `${TRANSFERS}/${to_id}/cancel`);
    assert.equal(await endOf(to_id), "cancelled");
    const wave = temporalClient().workflow.getHandle(`pick-wave-${batch_id}`);
    assert.equal(((await wave.result()) as { ended: string }).ended, "cancelled");
    assert.match(await detailsOf(wave), /Why:\*\* cancelled by ann\n/);
  });

  it("goes on from its rows when its process is lost, with whatever step comes next", async () => {
    const to_id = await create();
    await lose(transferWorkflowId(to_id));
    const batch_id = await pickTransfer(ann, to_id);
    await lose(transferWorkflowId(to_id));
    await lose(`pick-wave-${batch_id}`);
    await complete(batch_id);
    const path = `${TRANSFERS}/${to_id}/approvals/${await openApproval(to_id)}/reject`;
    await bob.ok("POST", path, { rejection_reason: "wet boxes" });
    assert.match(await detailsOf(handleOf(to_id)), /Why:\*\* bob rejected \d+: wet boxes\n/);
    await lose(transferWorkflowId(to_id));
    await ann.ok("POST", `/api/admin/picker/transfer-orders/${to_id}/submit`);
    await lose(transferWorkflowId(to_id));
    assert.equal((await approve(to_id)).status, 200);
    assert.equal(await endOf(to_id), "closed");
    const again = await ann.post(`${TRANSFERS}/${to_id}/cancel`);
    assert.deepEqual([again.status, again.body.error], [409, "invalid_status_for_cancel"]);
  });

  it("is deleted when it was cancelled, and its process ended, before", async () => {
    const to_id = await create();
    await ann.ok("POST", `${TRANSFERS}/${to_id}/cancel`);
    assert.equal(await endOf(to_id), "cancelled");
    assert.equal((await ann.delete(`${TRANSFERS}/${to_id}`)).status, 204);
    assert.equal((await ann.delete(`${TRANSFERS}/${to_id}`)).status, 404);
  });

  it("changes nothing while Temporal is away, and says so", async () => {
    const to_id = await submitted();
    const [source, destination] = await db.rows<{ warehouse_code: string }>(
      "select warehouse_code from warehouses where warehouse_id = any($1) order by warehouse_id = $2",
      [[houses.source, houses.destination], houses.destination],
    );
    assert.ok(source && destination);
    await service.withoutTemporal(async () => {
      const { lines, approvals } = await ann.ok("GET", `${TRANSFERS}/${to_id}`);
      const approval = `${TRANSFERS}/${to_id}/approvals/${approvals[0].to_approval_id}`;
      for (const answer of await Promise.all([
        ann.post(TRANSFERS, newTransfer(houses)),
        ann.post(`${TRANSFERS}/import`, {
          ...{ source_warehouse_code: source.warehouse_code, destination_warehouse_code: destination.warehouse_code },
          records: [{ sku: lines[0].sku, quantity: 1 }],
        }),
        ann.post(`${TRANSFERS}/${to_id}/start-picking`),
        ann.post(`/api/picking/transfer-orders/${to_id}/start-picking`),
        ann.post(`/api/admin/picker/transfer-orders/${to_id}/submit`),
        bob.post(`${approval}/approve`),
        bob.post(`${approval}/reject`, {}),
        ann.post(`${TRANSFERS}/${to_id}/lines/${lines[0].to_line_id}/short-close`),
        ann.post(`${TRANSFERS}/${to_id}/cancel`),
        ann.delete(`${TRANSFERS}/${to_id}`),
      ]))
        assert.deepEqual([answer.status, answer.body.error], [503, "workflow_engine_unavailable"]);
      assert.equal(await statusOf(to_id), "AWAITING_APPROVAL");
    });
    assert.equal((await approve(to_id)).status, 200);
    assert.equal(await endOf(to_id), "closed");
  });
});
