import assert from "node:assert/strict";
import { CARRIER_ENV } from "../support/carriers.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of parcels and labels", () => {
  const service = testService({ worker: true, env: CARRIER_ENV });

  it("goes from a packed order over a void label and a manifest to a delivered parcel, when pasted", async function () {
    this.timeout(patient(90_000));
    const said = await walk(service, "docs/walks/parcels.md");
    assert.match(said, /Parcel 1 weighs 1.9 lb\nParcel 2 weighs 1.9 lb\n→ \d+ USPS/);
    assert.match(said, /bought: GroundAdvantage, \d+ cents, \d+\nbought: GroundAdvantage, \d+ cents, \d+\n/);
    assert.match(said, /voided: \d+\nbought instead: Express, \d+ cents\n/);
    assert.match(said, /says: in_transit\nThe carrier says: out_for_delivery\nThe carrier says: delivered\n/);
    assert.match(said, /It is manifested, by the carrier\nLoaded: 1 of 2\nLoaded: 2 of 2\n0 left behind\n/);
    assert.match(said, /Order PARCELS-\d+ is SHIPPED\n/);
    await assertInvariants();
  });
});
