import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { pluck } from "../support/pluck.js";
import { testService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of a transfer order", () => {
  const service = testService({ worker: true });

  it("moves what is approved and keeps what is rejected, when pasted from its page", async function () {
    this.timeout(patient(60_000));
    const said = await walk(service, "docs/walks/transfer.md");
    const [, id] = /Transfer TO-\d+ is made, workflow transfer-order-(\d+)/.exec(said) ?? assert.fail(said);
    assert.match(said, /Submitted twice: AWAITING_APPROVAL\n/);
    assert.match(said, new RegExp(`Transfer ${id} is CLOSED\n`));
    const approvals = await db.rows<{ status: string }>(
      "select status from transfer_order_approvals where to_id = $1 order by to_approval_id",
      [Number(id)],
    );
    assert.deepEqual(pluck(approvals, "status"), ["APPROVED", "REJECTED"]);
    const stock = await db.rows<{ bin_code: string; on_hand: number; allocated: number }>(
      `select bin_code, quantity_on_hand as on_hand, quantity_allocated as allocated
       from inventory join bins using (bin_id) where bin_code in ('A-01', 'N-DOCK') order by bin_code`,
    );
    assert.deepEqual(stock, [
      { bin_code: "A-01", on_hand: 4, allocated: 0 },
      { bin_code: "N-DOCK", on_hand: 3, allocated: 0 },
    ]);
    await assertInvariants();
  });
});
