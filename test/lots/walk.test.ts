import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of an inspection", () => {
  const service = testService({ worker: true });

  it("decides about four mugs in three ways, when pasted from its page", async function () {
    this.timeout(patient(60_000));
    const said = await walk(service, "docs/walks/inspection.md");
    const [, id, free] =
      /Inspection (\d+) is open, (\d+) mugs are free, workflow inspection-/.exec(said) ?? assert.fail(said);
    assert.match(said, new RegExp(`After the first look: ${Number(free) + 2} mugs are free\n`));
    assert.equal(said.match(/"quantity_open":2/g)?.length, 2, "the same answer twice");
    assert.match(said, /The inspection is CLOSED, on hold: \[ '1 DAMAGED' \]\n/);
    const { ended } = (await temporalClient().workflow.getHandle(`inspection-${id}`).result()) as { ended: string };
    assert.equal(ended, "closed");
    await assertInvariants();
  });
});
