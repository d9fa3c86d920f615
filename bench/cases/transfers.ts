import { approveTransfer } from "../../activities/transfers/index.js";
import { int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { anew, type Case, call, times } from "../case.js";
import { Connection, type RequestLine, request } from "../connection.js";
import { WAREHOUSE } from "../data.js";
import { measure } from "../measure.js";
import type { BenchService } from "../service.js";

/** Each of an item of its own. */
const LINES = 200;
const UNITS = 5;
const SCANNERS = 16;
const PATH = "/api/admin/transfer-orders";

/** The approval of a transfer order of 200 lines, all of which are picked. */
export const transferApprove: Case = {
  name: "transfer-approve",
  works: 12,
  connections: 4,
  prepare: async (service, count) => {
    const { office } = service;
    const destination = await otherWarehouse();
    // One user does it all.
    await db.run(
      `insert into app_settings (key, value) values ('transfer_order_block_self_approval', 'false')
       on conflict (key) do update set value = excluded.value`,
    );
    const scanners = await Promise.all(times(SCANNERS, () => Connection.open(service.port)));
    const [desk] = scanners as [Connection];
    const works = [];
    for (let i = 0; i < count; i++) {
      const transfer = await picked(service, scanners, desk, destination);
      const { to_id, to_approval_id } = transfer;
      works.push(
        call(office, `POST ${PATH}/${to_id}/approvals/${to_approval_id}/approve`, {}, () =>
          approveTransfer({ to_id, to_approval_id }, anew(office.by)),
        ),
      );
    }
    for (const to of scanners) to.close();
    return works;
  },
};

/** A warehouse with a bin where transfers arrive. */
async function otherWarehouse(): Promise<number> {
  const made = await db.row(
    { id: int },
    `with house as (
       insert into warehouses (warehouse_code, warehouse_name) values ('OTHER', 'Other')
       on conflict (warehouse_code) do nothing returning warehouse_id
     ), zone as (
       insert into zones (warehouse_id, zone_code, zone_name, zone_type)
       select warehouse_id, 'D', 'Dock', 'RECEIVING' from house returning zone_id, warehouse_id
     ), bin as (
       insert into bins (zone_id, warehouse_id, bin_code, bin_barcode, bin_type)
       select zone_id, warehouse_id, 'OTHER-DOCK', 'OTHER-DOCK', 'Staging' from zone
     )
     select warehouse_id as id from house
     union select warehouse_id from warehouses where warehouse_code = 'OTHER'`,
  );
  return made?.id as number;
}

/** A transfer order that was made and picked as the API does it, and waits for its approval. */
async function picked(service: BenchService, scanners: Connection[], desk: Connection, destination: number) {
  const { office, size } = service;
  const ask = (line: RequestLine, body: object = {}) => desk.ask(line, office.token, body);
  const first = Math.floor(Math.random() * (size.items - LINES));
  const { to_id } = await ask(`POST ${PATH}`, {
    source_warehouse_id: WAREHOUSE,
    destination_warehouse_id: destination,
    lines: times(LINES, (i) => ({ item_id: first + i + 1, quantity: UNITS })),
  });
  const { batch_id } = await ask(`POST ${PATH}/${to_id}/start-picking`);
  const picks = await db.rows(
    { pick_task_id: int, scanned_barcode: text, quantity_picked: int },
    `select pick_task_id, upc as scanned_barcode, quantity_to_pick as quantity_picked
     from pick_tasks join items using (item_id) where batch_id = $1 order by pick_task_id`,
    [batch_id],
  );
  await measure(
    picks,
    scanners.map((to) => (pick) => to.send(request("POST /api/picking/confirm", office.token, pick))),
  );
  await ask("POST /api/picking/complete-batch", { batch_id });
  const approval = await db.row(
    { to_approval_id: int },
    "select to_approval_id from transfer_order_approvals where to_id = $1",
    [to_id],
  );
  return { to_id: to_id as number, to_approval_id: approval?.to_approval_id as number };
}
