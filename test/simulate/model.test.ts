import assert from "node:assert/strict";
import type { Kind } from "../../simulate/figures.js";
import { finalReport } from "../../simulate/report.js";
import { simulate } from "../../simulate/run.js";
import { db } from "../support/db.js";
import { TIME_FACTOR } from "../support/machine-speed.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

describe("what a simulated day was answered", function () {
  this.timeout(120_000);
  const service = testService({ worker: true });
  before(() => person({ username: "boss" }));

  it("is held against what can be read: stock, states, events and money that are otherwise are found", async () => {
    // The event of each packed order gets lost.
    await db.run(`create function lose() returns trigger language plpgsql as 'begin return null; end'`);
    await db.run(
      `create trigger lose before insert on integration_events for each row
       when (new.event_type = 'pack.confirmed') execute function lose()`,
    );
    const outcome = await simulate(
      { url: service.url, user: "boss", password: PASSWORD, speed: 120 / TIME_FACTOR, hours: 1, seed: 1 },
      {
        say: () => {},
        began: ({ clock, figures }) => {
          const isSeen = () => ["ordersShipped", "sales", "parts"].every((kind) => figures.of(kind as Kind) > 0);
          until(() => clock.over || isSeen(), 60_000).finally(() => clock.stop());
        },
        ended: async () => {
          await db.run(
            `update inventory set quantity_on_hand = quantity_on_hand + 1
             where inventory_id = (select min(inventory_id) from inventory)`,
          );
          await db.run(
            `update sales_orders set status = 'CANCELLED'
             where so_id = (select min(so_id) from sales_orders where status = 'SHIPPED' and order_source <> 'pos')`,
          );
          await db.run(
            `update parcel_lines set quantity = quantity + 1
             where parcel_id = (select min(parcel_id) from parcels where status <> 'VOIDED')`,
          );
          await db.run(
            `update sales_orders set order_total = order_total + 1
             where so_id = (select min(so_id) from sales_orders where order_source = 'pos')`,
          );
        },
      },
      { during: async () => {}, over: async () => {} },
    );
    const faultsOf = (name: string) => outcome.invariants.find((one) => one.name === name)?.faults ?? [];
    const report = finalReport(outcome);
    assert.equal(faultsOf("stock is what the answers make of it").length, 1, report);
    assert.match(faultsOf("each order stands where the answers left it")[0] ?? "", /is CANCELLED instead of SHIPPED/);
    assert.match(
      faultsOf("each parcel has what was put into it").join(),
      /^parcel \d+: (\w+ with) \d+ units instead of \1 \d+ units/,
    );
    assert.match(
      faultsOf("each step has its event once, in order")[0] ?? "",
      /: pick\.confirmed.* instead of pick\.confirmed, pack\.confirmed/,
    );
    assert.match(faultsOf("each sale and each refund has its amount")[0] ?? "", /: \d+\.90 instead of \d+\.90/);
    assert.deepEqual(faultsOf("the numbers of events have no gap"), []);
    assert.deepEqual(faultsOf("nothing is open that was ended"), []);
  });
});
