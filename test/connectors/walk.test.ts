import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { runPushes } from "../../workers/outbound.js";
import { patient } from "../support/machine-speed.js";
import { runAgeing } from "../support/polling.js";
import { openService, type TestService } from "../support/service.js";
import { walk } from "../support/walks.js";

describe("the walk of a shop", () => {
  let service: TestService;
  /** What a worker's process runs beside its activities. */
  let loops: { stop: () => Promise<void> }[];
  before(async () => {
    service = await openService({ worker: true, env: { SERVICE_ALLOW_INTERNAL_CONNECTORS: "true" } });
    loops = [runAgeing(), runPushes(temporalClient(), service.config, 100)];
  });
  after(async () => {
    for (const loop of loops) await loop.stop();
    await service.close();
  });

  it("brings its order here and tells it of the parcel, when pasted from its page", async function () {
    this.timeout(patient(60_000));
    const said = await walk(service, "docs/walks/connector.md");
    assert.match(said, /"connected":true,"message":"Connected: 1 products and 1 orders"/);
    assert.match(said, /The sync of items has ended: idle\n/);
    assert.match(said, /The sync of orders has ended: idle\n/);
    assert.match(said, /In the shop the order is completed: Shipped by UPS Parcel, tracking number 1Z-7\d+\n/);
  });
});
