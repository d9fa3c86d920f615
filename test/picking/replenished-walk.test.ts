import assert from "node:assert/strict";
import { countWarehousesApart } from "../support/connectors.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of a pick face", () => {
  const service = testService({ worker: true });
  before(countWarehousesApart);

  it("carries two cases, and releases the order that waited for them, when pasted from its page", async function () {
    this.timeout(patient(60_000));
    const said = await walk(service, "docs/walks/replenished-face.md");
    assert.match(said, /\[ 'PENS-\d+: 8 missing, 8 in reserve' \]/);
    assert.match(said, /\[ 'PENS-\d+ waits' \]/);
    assert.match(
      said,
      /Carry 12 from R-\d+, urgent: true\nCarried 12 of PEN-\d+ to F-\d+\nA batch of 1 order, picked by/,
    );
    await assertInvariants();
  });
});
