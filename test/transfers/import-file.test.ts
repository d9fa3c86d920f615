import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { pluckAll } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { TRANSFERS, testSites } from "../support/transfers.js";

describe("a transfer order from a file", () => {
  const service = testService({ worker: true });
  const at = testSites();
  let names: { source_warehouse_code: string; destination_warehouse_code: string };
  before(async () => {
    const codeOf = async (id: number) =>
      (await db.value<string>("select warehouse_code as code from warehouses where warehouse_id = $1", [id])) as string;
    names = {
      source_warehouse_code: await codeOf(at.source),
      destination_warehouse_code: await codeOf(at.destination),
    };
  });

  const body = (text: string) => ({ ...names, file: Buffer.from(text).toString("base64") });
  const orders = () => db.value<number>("select count(*)::int as count from transfer_orders");

  it("is said beforehand with what the source lacks, by the file's own row, and then made", async () => {
    const { sku } = await at.goods(10);
    const before = await orders();
    const given = body(`sku;quantity\r\n\r\n${sku};12\r\n`);
    const { shortages, file, line_count } = await service.admin.ok("POST", `${TRANSFERS}/import/try`, given);
    assert.deepEqual([line_count, file.separator, await orders()], [1, ";", before]);
    assert.deepEqual(pluckAll(shortages, "row", "sku", "committed_qty"), [[3, sku, 10]]);
    const made = await service.admin.post(`${TRANSFERS}/import`, given);
    assert.deepEqual([made.status, made.body.line_count, made.body.shortages[0].committed_qty], [201, 1, 10]);
  });

  it("is refused with every row that is wrong, by its number in the file", async () => {
    const { sku } = await at.goods(10);
    const before = await orders();
    for (const way of ["import", "import/try"]) {
      const refused = await service.admin.post(`${TRANSFERS}/${way}`, body(`sku,quantity\n\n${sku},1.000\nNOBODY,1\n`));
      assert.deepEqual(
        [
          refused.status,
          refused.body.rows.map((each: { row: number; error_kind: string }) => [each.row, each.error_kind]),
        ],
        [
          422,
          [
            [3, "validation_error"],
            [4, "unknown_sku"],
          ],
        ],
      );
      const shifted = await service.admin.post(`${TRANSFERS}/${way}`, body(`sku,quantity\n${sku},1,000\n`));
      assert.deepEqual([shifted.status, shifted.body.rows[0].row], [422, 2]);
      const twice = await service.admin.post(`${TRANSFERS}/${way}`, body("sku,quantity,SKU\nA,1,B\n"));
      assert.deepEqual([twice.status, twice.body.error], [400, 'row 1: "sku" is there twice']);
    }
    assert.equal(await orders(), before);
  });

  it("is refused without rows, with too many, within one warehouse, and outside the user's own", async () => {
    const stranger = await service.user({ page_keys: ["transfer-orders"] });
    const many = body(`sku,quantity\n${"A,1\n".repeat(5_001)}`);
    const within = { ...body("sku,quantity\nA,1\n"), destination_warehouse_code: names.source_warehouse_code };
    for (const way of ["import", "import/try"]) {
      const ask = async (given: object, by = service.admin) => (await by.post(`${TRANSFERS}/${way}`, given)).code;
      assert.equal(await ask(body("sku,quantity\n")), "nothing_to_import");
      assert.equal(await ask(many), "too_many_records");
      assert.equal(await ask(within), "source_and_destination_must_differ");
      assert.equal(await ask(body("sku,quantity\nA,1\n"), stranger), "warehouse_denied");
    }
  });
});
