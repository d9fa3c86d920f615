import assert from "node:assert/strict";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of a wave for the cut-off", () => {
  const service = testService({ worker: true });

  it("releases three of four orders once, and hands them out, when pasted from its page", async function () {
    this.timeout(patient(60_000));
    const said = await walk(service, "docs/walks/cut-off-wave.md");
    assert.match(said, /Released next at \d{4}-.*, schedule wave-release-\d+\n/);
    assert.match(said, /\[ 'VAN-30-\S+ lacks 19' \]/);
    const released = said.match(/'WAVE-\d+: 2 order\(s\), 5 cups',?\s+'WAVE-\d+: 1 order\(s\), 4 cups'/g);
    assert.equal(released?.length, 2, said);
    assert.equal(released[0], released[1]);
    assert.match(said, /The last run: \{\s+short: 1,\s+orders: 3,\s+batches: 2,/, said);
    await assertInvariants();
  });
});
