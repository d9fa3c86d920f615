import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Answer, Caller } from "../support/caller.js";
import { db } from "../support/db.js";
import { bin } from "../support/fixtures.js";
import { unexplainedUnits } from "../support/invariants.js";
import { orderActions } from "../support/order-actions.js";
import { assertOrders } from "../support/order-invariants.js";
import { tokenCaller } from "../support/tokens.js";

/** Each of the two is asked first once. */
const ROUNDS = 2;

/** What the desk does to an order, against each step of the floor with it. */
describe("an order that desk and floor change at the same moment", function () {
  this.timeout(60_000);
  const actions = orderActions();
  const { at, act, ordered, shelved, picked, packed, startWave, next, confirm, complete, cancel } = actions;
  let station: Caller;
  before(async () => {
    const { service, warehouse_id } = at();
    await bin(warehouse_id, { type: "Staging" });
    const scope = { endpoints: ["station.dispatch"], warehouse_ids: [warehouse_id] };
    station = (await tokenCaller(service, scope)).caller;
  });

  interface Raced {
    so_id: number;
    item_id: number;
    bin_id: number;
    /** What the floor does next. */
    floor: () => Promise<Answer>;
  }
  const floorPost = (path: string, body: object) => at().picker.post(path, body);

  async function walking(): Promise<Raced & { batch_id: number; task: number; upc: string }> {
    const goods = await shelved(5);
    const { so_id } = await ordered({ item_id: goods.item_id, quantity: 5 });
    const { batch_id } = await startWave(so_id);
    const { pick_task_id, upc } = await next(batch_id);
    return { ...goods, so_id, batch_id, task: pick_task_id, upc, floor: () => confirm(pick_task_id, upc, 5) };
  }
  async function walked() {
    const order = await walking();
    await order.floor();
    return order;
  }
  const steps: Record<string, () => Promise<Raced>> = {
    "starting its wave": async () => {
      const goods = await shelved(5);
      const { so_id } = await ordered({ item_id: goods.item_id, quantity: 5 });
      return { ...goods, so_id, floor: () => actions.wave([so_id]) };
    },
    "scanning its pick": walking,
    "completing its wave": async () => {
      const order = await walked();
      return { ...order, floor: () => complete(order.batch_id) };
    },
    "cancelling its wave": async () => {
      const order = await walked();
      return { ...order, floor: () => cancel(order.batch_id) };
    },
    "verifying its parcel": async () => {
      const order = await picked();
      const scan = { so_id: order.so_id, scanned_barcode: order.sku, quantity: 5 };
      return { ...order, floor: () => floorPost("/api/packing/verify", scan) };
    },
    "closing its parcel": async () => {
      const order = await picked();
      const scan = { so_id: order.so_id, scanned_barcode: order.sku, quantity: 5 };
      await at().picker.ok("POST", "/api/packing/verify", scan);
      return { ...order, floor: () => floorPost("/api/packing/complete", { so_id: order.so_id }) };
    },
    "shipping it": async () => {
      const order = await packed();
      const parcel = { so_id: order.so_id, carrier: "UPS", tracking_number: "1Z999" };
      return { ...order, floor: () => floorPost("/api/shipping/fulfill", parcel) };
    },
    "shipping it at a station": async () => {
      const order = await packed();
      return { ...order, floor: () => atStation(order.so_id, "ship", { tracking: "1Z999", carrier: "UPS" }) };
    },
    "voiding its shipment": async () => {
      const order = await packed();
      await floorPost("/api/shipping/fulfill", { so_id: order.so_id, carrier: "UPS", tracking_number: "1Z999" });
      return { ...order, floor: () => atStation(order.so_id, "void-ship", { reason: "wrong label" }) };
    },
  };

  async function atStation(so_id: number, action: string, body: object): Promise<Answer> {
    const order = await db.row<{ so_number: string }>("select so_number from sales_orders where so_id = $1", [so_id]);
    const sent = { ...body, operator_username: at().picker.username, idempotency_key: randomUUID() };
    return station.post(`/api/v1/station/orders/${order?.so_number}/${action}`, sent);
  }
  const lineOf = ({ so_id }: Raced) =>
    db.value<number>("select so_line_id from sales_order_lines where so_id = $1", [so_id]);
  const deeds: Record<string, (order: Raced) => Promise<() => Promise<Answer>>> = {
    "takes it back": async ({ so_id }) => {
      const tasks = await db.rows<{ pick_task_id: number }>(
        "select pick_task_id from wave_pick_breakdown where so_id = $1",
        [so_id],
      );
      const ids = tasks.map((task) => task.pick_task_id);
      return () => act(so_id, "revert-status", { new_status: "OPEN", release_pick_task_ids: ids });
    },
    "picks it": async (order) => {
      const lines = [{ so_line_id: await lineOf(order), bin_id: order.bin_id, quantity: 5 }];
      return () => act(order.so_id, "admin-pick", { lines });
    },
    "ships it":
      async ({ so_id }) =>
      () =>
        act(so_id, "admin-ship"),
    "edits it to SHIPPED":
      async ({ so_id }) =>
      () =>
        at().service.admin.put(`/api/admin/sales-orders/${so_id}`, { status: "SHIPPED", tracking_number: "1Z1" }),
    "cancels it":
      async ({ so_id }) =>
      () =>
        act(so_id, "cancel"),
    "divides it": async (order) => {
      const lines = [{ so_line_id: await lineOf(order), short_qty: 2 }];
      return () => act(order.so_id, "partial-fulfill", { lines });
    },
  };

  for (const [step, prepare] of Object.entries(steps))
    for (const [deed, ready] of Object.entries(deeds))
      it(`is left whole when the desk ${deed} and the floor is ${step}`, async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const order = await prepare();
          const desk = await ready(order);
          const answers = await Promise.all(round % 2 ? [desk(), order.floor()] : [order.floor(), desk()]);
          const told = JSON.stringify(answers.map(({ status, body }) => [status, body.error ?? body.error_kind]));
          for (const { status } of answers) assert.ok(status < 500, told);
          assert.ok(
            answers.some(({ status }) => status === 200),
            told,
          );
          await assertOrders(at().warehouse_id);
          const units = await unexplainedUnits(at().warehouse_id);
          assert.equal(units.find((one) => one.item_id === order.item_id)?.units, 5, told);
          const events = await db.rows<{ type: string }>(
            "select event_type as type from integration_events where event_type like 'ship.%' and entity_id = $1",
            [order.so_id],
          );
          const voided = events.filter(({ type }) => type === "ship.voided").length;
          assert.ok(events.length - voided <= 1 + voided, told);
        }
      });
});
