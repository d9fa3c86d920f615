import assert from "node:assert/strict";
import type { Kind } from "../../simulate/figures.js";
import { exitCodeOf, finalReport } from "../../simulate/report.js";
import { type Listener, type Outcome, simulate } from "../../simulate/run.js";
import { countWarehousesApart } from "../support/connectors.js";
import { db } from "../support/db.js";
import { assertInvariants } from "../support/invariants.js";
import { TIME_FACTOR } from "../support/machine-speed.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

/** What a day must have had: each happens soon, whatever anybody chooses. */
const seen = [
  ...["ordersIn", "ordersPicked", "waves", "sales", "syncs", "purchaseOrders", "refunds", "repeats"],
  ...["atStation", "voids", "backorders", "backordersReleased", "backordersCancelled", "moves"],
  ...["divided", "labels", "parcelsVoided", "parcelsShipped", "parts"],
] as Kind[];

describe("a simulated day", function () {
  this.timeout(120_000);
  const service = testService({
    worker: true,
    env: { SERVICE_ALLOW_HTTP_WEBHOOKS: "true", SERVICE_ALLOW_INTERNAL_WEBHOOKS: "true" },
  });
  before(async () => {
    await countWarehousesApart();
    await person({ username: "boss" });
  });

  const day = (hours: number, listener: Partial<Listener> = {}, planned = false): Promise<Outcome> =>
    simulate(
      // A slow machine takes more time for the same work.
      { url: service.url, user: "boss", password: PASSWORD, speed: 120 / TIME_FACTOR, hours, seed: 1, planned },
      { say: () => {}, began: () => {}, ...listener },
    );
  const broken = ({ invariants }: Outcome) => invariants.filter(({ faults }) => faults.length > 0);

  it("ends with every invariant true and nothing unexpected", async () => {
    const outcome = await day(1, {
      // It is over as soon as all of it was seen.
      began: ({ clock, figures, partner }) => {
        const allSeen = () => seen.every((kind) => figures.of(kind) > 0) && partner && partner.refused > 0;
        until(() => clock.over || !!allSeen(), 60_000).finally(() => clock.stop());
      },
    });
    const report = finalReport(outcome);
    assert.equal(exitCodeOf(outcome), 0, report);
    assert.equal(outcome.invariants.length, 10, "with those of the partner");
    for (const kind of seen) assert.ok(outcome.figures.of(kind) > 0, `${kind}: ${report}`);
    assert.ok((outcome.partner?.matching.matched ?? 0) > 0, report);
    assert.ok((outcome.partner?.refused ?? 0) > 0, report);
    assert.match(report, /post \/api\/picking\/wave-create +\d+ +[\d.]+ +[\d.]+ +[\d.]+/);
    assert.match(report, /Unexpected refusals: 0/);
    await assertInvariants();
  });

  it("is one on which the system plans waves and pickers get the next one", async () => {
    const outcome = await day(
      1,
      {
        began: ({ clock, figures }) => {
          until(() => clock.over || figures.of("ordersPicked") > 5, 60_000).finally(() => clock.stop());
        },
      },
      true,
    );
    const report = finalReport(outcome);
    assert.equal(exitCodeOf(outcome), 0, report);
    assert.ok(outcome.figures.of("ordersPicked") > 5, report);
    assert.match(report, /metres per line: \d/);
    assert.match(report, /post \/api\/picking\/next-batch/);
    assert.doesNotMatch(report, /post \/api\/picking\/wave-create/);
  });

  it("goes on with the same warehouses, and finds a unit from nowhere and one that is promised to nobody", async () => {
    const outcome = await day(1 / 30, {
      ended: async () => {
        await db.run(
          `update inventory set quantity_on_hand = quantity_on_hand + 1 where inventory_id =
           (select min(inventory_id) from inventory)`,
        );
        await db.run(
          `update inventory set quantity_allocated = quantity_allocated + 1 where inventory_id =
           (select max(inventory_id) from inventory where quantity_on_hand > quantity_allocated)`,
        );
      },
    });
    assert.equal(exitCodeOf(outcome), 1);
    assert.deepEqual(
      broken(outcome).map(({ name, faults }) => [name, faults.length]),
      [
        ["what was there + received + returned + refunded + adjusted + transferred - shipped - sold is there", 1],
        ["what is allocated is what open orders and transfer orders hold", 1],
      ],
    );
    assert.match(finalReport(outcome), /BROKEN {2}what was there/);
    assert.equal((await db.rows("select from warehouses where warehouse_code like 'SIM-%'")).length, 2);
  });
});
