import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { simulateDemoHour } from "../../src/launcher/demo-hour.js";
import { Processes } from "../../src/launcher/processes.js";
import { countWarehousesApart } from "../support/connectors.js";
import { db } from "../support/db.js";
import { PASSWORD, person } from "../support/people.js";
import { openService, type TestService } from "../support/service.js";
import { testFolder } from "../support/test-folder.js";
import { until } from "../support/until.js";

describe("the hour that is simulated beside the demo data", function () {
  this.timeout(120_000);
  let service: TestService;
  const folder = testFolder();
  const processes = new Processes(() => {});
  before(async () => {
    service = await openService({ worker: true });
    await countWarehousesApart();
    await person({ username: "boss" });
  });
  after(async () => {
    await processes.stopAll([]);
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("brings orders and waves without a partner's webhooks, and ends with the service", async () => {
    const hour = simulateDemoHour(processes, folder, { url: service.url, user: "boss", password: PASSWORD });
    const ended = assert.rejects(hour, /No partner's webhooks: the service runs without SERVICE_ALLOW_HTTP_WEBHOOKS/);
    const waves = () => db.rows("select from pick_batches where kind = 'SO'");
    await until(async () => (await waves()).length > 0, 60_000);
    await processes.stopAll([]);
    await ended;
    assert.equal(processes.any, false);
  });
});
