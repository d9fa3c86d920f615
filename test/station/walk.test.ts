import assert from "node:assert/strict";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of a shipping station", () => {
  const service = testService({ worker: true });

  it("ships, repeats, voids and ships again, when pasted from its page", async function () {
    this.timeout(patient(60_000));
    const said = await walk(service, "docs/walks/station.md");
    assert.match(said, /Shipped by the floor: SHIPPED\n/);
    assert.match(said, /Shippable again: true\n/);
    assert.match(said, /^x-idempotent-replay: true\r?$/im);
    assert.match(said, /After the void: PACKED\n/);
    assert.match(said, /In the end: 1Z-\d+-B\n/);
    assert.match(said, /"quantity_on_hand":7,/);
    assert.equal(said.match(/"status":"SHIPPED","tracking"/g)?.length, 2);
    await assertInvariants();
  });
});
