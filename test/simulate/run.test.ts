import assert from "node:assert/strict";
import { exitCodeOf, finalReport } from "../../simulate/report.js";
import { type Outcome, type State, simulate } from "../../simulate/run.js";
import { assertInvariants } from "../support/invariants.js";
import { PASSWORD, person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";

describe("a simulated day", function () {
  this.timeout(120_000);
  let service: TestService;
  before(async () => {
    service = await openService({
      worker: true,
      env: { SERVICE_ALLOW_HTTP_WEBHOOKS: "true", SERVICE_ALLOW_INTERNAL_WEBHOOKS: "true" },
    });
    await person({ username: "boss" });
  });
  after(() => service.close());

  const said: string[] = [];
  const run = (began: (state: State) => void = () => {}, ended?: () => Promise<void>): Promise<Outcome> =>
    simulate(
      { url: service.url, user: "boss", password: PASSWORD, speed: 60, hours: 0.25, seed: 1, soak: false },
      { say: (line) => said.push(line), began, ended },
    );

  it("ends with every invariant true and nothing unexpected", async () => {
    const outcome = await run();
    console.log(finalReport(outcome));
    assert.equal(exitCodeOf(outcome), 0, finalReport(outcome));
    await assertInvariants();
  });
});
