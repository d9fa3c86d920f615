import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of a recall", () => {
  const service = testService({ worker: true });

  it("accounts for ten jars of a lot, when pasted from its page", async function () {
    this.timeout(patient(60_000));
    const said = await walk(service, "docs/walks/recall.md");
    const id = /Recall (\d+) is open, workflow recall-/.exec(said)?.[1] ?? assert.fail(said);
    assert.equal(said.match(new RegExp(`"recall_id":${id}\\}`, "g"))?.length, 2, "the same answer twice");
    assert.match(said, /"code":"order_has_recalled"/);
    assert.match(said, /After the count: \{[^}]*to_count: 0,[^}]*found: 7,[^}]*picked: 1,/);
    assert.match(said, /Taken back: \{[^}]*to_count: 0,[^}]*found: 8,[^}]*picked: 0,[^}]*to_tell: 2,/);
    assert.match(said, /The recall is CLOSED: \{[^}]*known: 10,[^}]*told: 2,[^}]*destroyed: 8,/);
    assert.match(said, /\nreceiving,L-7,10,each,Jam,[^\n]*\r\nshipping,L-7,2,each,Jam,/);
    const { ended } = (await temporalClient().workflow.getHandle(`recall-${id}`).result()) as { ended: string };
    assert.equal(ended, "closed");
    await assertInvariants();
  });
});
