import assert from "node:assert/strict";
import { assertInvariants } from "../support/invariants.js";
import { patient } from "../support/machine-speed.js";
import { testService } from "../support/service.js";
import { releases } from "../support/waiting.js";
import { walk } from "../support/walks.js";

describe("the walk of a backorder", () => {
  const service = testService({ worker: true });

  it("is released by what is put away, when pasted from its page", async function () {
    this.timeout(patient(60_000));
    const said = await walk(service, "docs/walks/backorder.md");
    assert.match(said, /^LATE-\d+-BO is WAITING_STOCK, taken off the books: -1$/m);
    assert.match(said, /^Expected with MORE-\d+$/m);
    assert.match(said, /^On the dock: WAITING_STOCK$/m);
    assert.match(said, /^On the shelf: OPEN$/m);
    assert.match(said, /"tab":"ready-to-ship","backorders":\[\{"so_id":\d+,"external_id":"[^"]+","so_number":"LATE-\d/);
    assert.deepEqual(
      (await releases()).map((event) => event.payload.source),
      ["transfer"],
    );
    await assertInvariants();
  });
});
