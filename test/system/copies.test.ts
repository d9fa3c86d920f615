import assert from "node:assert/strict";
import { db } from "../support/db.js";
import * as fixtures from "../support/fixtures.js";
import { testService } from "../support/service.js";

interface Copied {
  updated_at: string;
  [field: string]: unknown;
}

/** The lists of which a copy can be kept: path, records, id, table, and a column that changes. */
const lists = [
  ["items", "items", "item_id", "items", "item_name"],
  ["bins", "bins", "bin_id", "bins", "aisle"],
  ["sales-orders", "sales_orders", "so_id", "sales_orders", "memo"],
  ["purchase-orders", "purchase_orders", "po_id", "purchase_orders", "notes"],
] as const;

describe("a copy of a list", () => {
  const service = testService();
  const SIZE = 60;
  before(async () => {
    const warehouse_id = await fixtures.warehouse();
    for (let n = 0; n < SIZE; n++) {
      await fixtures.item();
      await fixtures.bin(warehouse_id);
      await fixtures.salesOrder(warehouse_id, []);
      await fixtures.purchaseOrder(warehouse_id, []);
    }
    // Many changed in the same moment, as by an import.
    for (const [, , id, table] of lists)
      await db.run(`update ${table} set updated_at = '2026-05-06T12:00:00Z' where ${id} % 3 <> 0`);
  });

  for (const [path, field, id, table, column] of lists)
    it(`has every record as it is, whatever changes meanwhile: ${path}`, async () => {
      const page = async (query: string): Promise<Copied[]> =>
        (await service.admin.ok("GET", `/api/admin/${path}?per_page=7&${query}`))[field];
      const copy = new Map<unknown, unknown>();
      let changes = 0;
      let records = await page("sort=updated_at");
      while (records.length > 0) {
        for (const record of records) copy.set(record[id], record[column]);
        const last = records.at(-1) as Copied;
        // Records that came, that are about to come and that are far behind change under the reader.
        if (++changes <= 12)
          await db.run(
            `update ${table} set ${column} = $1, updated_at = clock_timestamp()
             where ${id} = any(array(select ${id} from ${table} order by md5(${id}::text || $1) limit 9))`,
            [`C${changes}`],
          );
        records = await page(`after=${encodeURIComponent(`${last.updated_at},${last[id]}`)}`);
      }
      const rows = await db.rows<Record<string, unknown>>(`select ${id}, ${column} from ${table} order by ${id}`);
      assert.deepEqual(
        [...copy].sort(([one], [other]) => Number(one) - Number(other)),
        rows.map((row) => [row[id], row[column]]),
      );
    });

  it("is refused a place that is none", async () => {
    for (const after of ["", "2026-05-06", "2026-05-06T12:00:00Z", ",1", "2026-05-06T12:00:00Z,x", "yesterday,1"]) {
      assert.equal((await service.admin.get(`/api/admin/items?after=${encodeURIComponent(after)}`)).status, 400, after);
    }
    const far = encodeURIComponent("2026-05-06T12:00:00+02:00,999999999999999999");
    assert.equal((await service.admin.get(`/api/admin/items?after=${far}`)).status, 200);
  });
});
