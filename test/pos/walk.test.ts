import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of a counter's day", () => {
  const service = testService({ worker: true });

  it("sells, refunds, picks a phone order and releases a backorder, when pasted from its page", async function () {
    this.timeout(patient(120_000));
    const said = await walk(service, "docs/walks/counter.md");
    const [, first, second] = /Try 1: sold as (POS-\d+)\nTry 2: sold as (POS-\d+)\n/.exec(said) ?? assert.fail(said);
    assert.equal(first, second);
    assert.match(said, new RegExp(`After a part: ${first} is SHIPPED\n`));
    assert.match(said, new RegExp(`After the rest: ${first} is REFUNDED\n`));
    assert.match(said, /Phone order: POS-\d+ is PICKED\n/);
    const [, later] = /Backorder: (POS-\d+) is WAITING_STOCK\n/.exec(said) ?? assert.fail(said);
    assert.match(said, new RegExp(`After the receipt: ${later} is OPEN\n`));
    const [list = "", summary = ""] = said.trim().split("\n").slice(-2);
    assert.equal(JSON.parse(list).total, 5);
    assert.deepEqual(JSON.parse(summary).today, {
      ...{ sales_count: 3, sales_total_cents: 15_000, refund_count: 2, refund_total_cents: 2_500 },
    });
    const stock = await db.rows(
      `select quantity_on_hand as on_hand from inventory join bins using (bin_id)
       where bin_code = 'A-01' and quantity_on_hand > 0`,
    );
    assert.deepEqual(stock, [{ on_hand: 10 }]);
    await assertInvariants();
  });
});
