import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import proto from "@temporalio/proto";
import { Worker } from "@temporalio/worker";
// Brings the SDK to our log.
import "../../workers/worker.js";

const folder = new URL("../../../test/histories/", import.meta.url);
const workflowBundle = {
  codePath: fileURLToPath(new URL("../../workflow-bundle.js", import.meta.url)),
};

/**
 * Processes that run when the code changes go on with the new code: it must decide as the old did. `npm run
 * record:histories` records a history of each kind of end anew; an incompatible change uses `patched` and keeps the old
 * ones, in a folder named after the last release that wrote them.
 */
describe("recorded histories", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".history"));

  it("are there for every way a process ends", () => {
    const ends: Record<string, string[]> = {
      "cycle-count": ["approved", "cancelled-in-ui", "no-variance", "refused", "rejected"],
      "pick-wave": ["cancelled-in-ui", "cancelled", "completed", "idle", "refused", "superseded"],
      "webhook-delivery": ["cancelled-in-ui", "dlq", "stopped", "succeeded"],
      "webhook-subscription": ["paused", "revoked"],
    };
    assert.deepEqual(
      files.filter((name) => !name.includes("/")).toSorted(),
      Object.entries(ends).flatMap(([process, of]) => of.map((end) => `${process}-${end}.history`)),
    );
  });

  for (const name of files) {
    it(`${name} replays with today's workflows`, async () => {
      const recorded = proto.temporal.api.history.v1.History.decode(readFileSync(new URL(name, folder)));
      await Worker.runReplayHistory({ workflowBundle }, recorded);
    });
  }
});
