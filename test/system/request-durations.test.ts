import assert from "node:assert/strict";
import { BOUNDARIES, recordDuration, requestDurations } from "../../src/platform/monitoring/request-durations.js";
import { pluckAll } from "../support/pluck.js";

describe("the durations of requests", () => {
  const of = (route: string) => requestDurations().filter((one) => one.route === route);

  it("are counted up to a boundary, the boundary included, and above the last", () => {
    for (const seconds of [0, ...BOUNDARIES, 0.0051, 60]) recordDuration("GET", "/boundaries", 200, seconds);
    const [{ counts, count, sum } = assert.fail()] = of("/boundaries");
    assert.deepEqual(counts, [2, 2, ...Array(BOUNDARIES.length - 2).fill(1), 1]);
    assert.equal(count, BOUNDARIES.length + 3);
    assert.ok(Math.abs(sum - 79.4451) < 1e-9, `${sum}`);
  });

  it("are kept by method, route and status", () => {
    recordDuration("GET", "/kept", 200, 0.1);
    recordDuration("GET", "/kept", 404, 0.2);
    recordDuration("POST", "/kept", 200, 0.3);
    recordDuration("POST", "/kept", 200, 0.5);
    assert.deepEqual(pluckAll(of("/kept"), "method", "status", "count", "sum"), [
      ["GET", 200, 1, 0.1],
      ["GET", 404, 1, 0.2],
      ["POST", 200, 2, 0.8],
    ]);
  });
});
