import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of a return", () => {
  const service = testService({ worker: true });

  it("receives two parcels, when pasted from its page", async function () {
    this.timeout(patient(60_000));
    const said = await walk(service, "docs/walks/return.md");
    const [, number, id] = /Return (SO-\d+-RMA) is made, workflow rma-(\d+)/.exec(said) ?? assert.fail(said);
    assert.match(said, /After the first parcel: PARTIALLY_RECEIVED\n/);
    assert.match(said, /After the second parcel: RECEIVED\n/);
    const receipts = await db.rows<{ receipt_id: number }>(
      "select receipt_id from item_receipts join sales_orders using (so_id) where so_number = $1 and so_id = $2",
      [number, Number(id)],
    );
    assert.equal(receipts.length, 2);
    assert.equal(said.match(/"replayed":true/g)?.length, 1);
    await assertInvariants();
  });
});
