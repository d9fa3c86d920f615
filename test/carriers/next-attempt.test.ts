import assert from "node:assert/strict";
import { nextAfter } from "../../src/carriers/next-attempt.js";
import { LABEL_ATTEMPTS } from "../../src/carriers/workflow.js";
import { NotAsked, SourceAway, SourceError } from "../../src/connectors/connector.js";

describe("the attempts of a label", () => {
  it("are further apart the more of them fail", () => {
    const waits = [0, 1, 3, 4, 20].map((attempts) => nextAfter(attempts, new SourceError("500")));
    assert.deepEqual(waits, [
      { attempts: 1, wait_ms: 2_000 },
      { attempts: 2, wait_ms: 10_000 },
      { attempts: 4, wait_ms: 60_000 },
      { attempts: 5, wait_ms: 300_000 },
      { attempts: 21, wait_ms: 3_600_000 },
    ]);
  });

  it("wait as long as the carrier asks for", () => {
    assert.deepEqual(nextAfter(0, new SourceAway("busy", 429, 7_000.4)), { attempts: 1, wait_ms: 7_000 });
    assert.deepEqual(nextAfter(3, new SourceAway("busy", 429, 7_000)), { attempts: 4, wait_ms: 60_000 });
  });

  it("are not used up, and wait for a minute at most, where the carrier was not asked", () => {
    let attempts = 0;
    for (let n = 0; n < LABEL_ATTEMPTS; n++) attempts = nextAfter(attempts, new NotAsked("left alone")).attempts;
    assert.deepEqual(nextAfter(attempts, new NotAsked("left alone")), { attempts: 4, wait_ms: 60_000 });
    assert.deepEqual(nextAfter(9, new NotAsked("left alone", null, 90_000)), { attempts: 9, wait_ms: 90_000 });
  });
});
