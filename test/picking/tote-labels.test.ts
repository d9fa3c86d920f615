import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { pdfOf, scannedPdf, zplOf } from "../support/printed/fetch.js";
import { testService } from "../support/service.js";

describe("labels of totes", () => {
  const service = testService();
  let warehouse: number;
  before(async () => {
    warehouse = await fixtures.warehouse();
  });

  const labelsOf = (batch_id: number) => `/api/picking/batch/${batch_id}/labels`;
  const picker = () => service.user({ warehouse_ids: [warehouse] });

  /** A batch of that many orders, as creating one writes it. */
  async function batch(orders: number, fields: { kind?: string; to_id?: number } = {}): Promise<number> {
    const made = await db.row<{ batch_id: number }>(
      `insert into pick_batches (batch_number, warehouse_id, kind, to_id)
       values ('BATCH-' || gen_random_uuid(), $1, $2, $3) returning batch_id`,
      [warehouse, fields.kind ?? "SO", fields.to_id ?? null],
    );
    const batch_id = made?.batch_id as number;
    await db.run(
      `with made as (
         insert into sales_orders (so_number, so_barcode, warehouse_id)
         select 'B' || $1::int || '-' || n, case when n <> 2 then 'BAR-' || $1::int || '-' || n end, $2
         from generate_series(1, $3::int) n returning so_id, split_part(so_number, '-', 2) as n
       ) insert into pick_batch_orders (batch_id, so_id, tote_number) select $1, so_id, 'TOTE-' || n from made`,
      [batch_id, warehouse, orders],
    );
    return batch_id;
  }

  it("say which order goes into which tote, with a barcode that finds the order", async () => {
    const batch_id = await batch(11);
    const pages = await scannedPdf(await picker(), `${labelsOf(batch_id)}?size=57x32`);
    assert.deepEqual(
      pages.map(({ barcodes }) => barcodes[0]?.text),
      Array.from({ length: 11 }, (_, i) => (i === 1 ? `B${batch_id}-2` : `BAR-${batch_id}-${i + 1}`)),
    );
    for (const [i, page] of pages.entries())
      for (const text of [`TOTE-${i + 1}`, `${i + 1} of 11`, `B${batch_id}-${i + 1}`])
        assert.ok(page.texts.includes(text), `${text} in ${page.texts}`);
  });

  it("are one for the walk of a transfer order", async () => {
    const order = await db.row<{ to_id: number; to_number: string }>(
      `insert into transfer_orders (to_number, source_warehouse_id, destination_warehouse_id, created_by)
       values ('TO-1', $1, $2, 'somebody') returning to_id, to_number`,
      [warehouse, await fixtures.warehouse()],
    );
    const batch_id = await batch(0, { kind: "TO", to_id: order?.to_id as number });
    const [label, ...others] = await zplOf(await picker(), `${labelsOf(batch_id)}?format=zpl`);
    assert.deepEqual(others, []);
    const { data } = label?.fields.find(({ kind }) => kind === "BC") ?? assert.fail();
    assert.equal(data, order?.to_number);
  });

  it("are refused for a batch without orders, with too many, of another warehouse, or that is none", async () => {
    const by = await picker();
    const code = async (batch_id: number, caller = by) => (await caller.get(labelsOf(batch_id))).code;
    assert.equal(await code(999_999_999), "batch_not_found");
    assert.equal(await code(await batch(0)), "nothing_to_print");
    assert.equal(await code(await batch(201)), "too_many_labels");
    const small = await batch(1);
    const stranger = await service.user({ warehouse_ids: [await fixtures.warehouse()] });
    assert.equal(await code(small, stranger), "warehouse_denied");
    assert.equal((await pdfOf(service.admin, labelsOf(small))).length, 1);
  });
});
