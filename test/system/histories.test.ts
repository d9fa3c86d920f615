import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import proto from "@temporalio/proto";
import { Worker } from "@temporalio/worker";
import { version } from "../../src/platform/config/config.js";
import { installRuntime } from "../../workers/runtime.js";
import { inThisThread } from "../support/workflow-thread.js";

// The SDK logs through our log.
installRuntime();

const folder = new URL("../../../test/histories/", import.meta.url);
const workflowBundle = { codePath: fileURLToPath(new URL("../../workflow-bundle.js", import.meta.url)) };

/**
 * Processes that run when the code changes go on with the new code: it must decide as the old did. `npm run
 * record:histories` records a history of each kind of end for the current release; those of earlier ones stay. An
 * incompatible change uses `patched`.
 */
describe("recorded histories", function () {
  this.timeout(120_000);
  const releases = readdirSync(folder).sort();
  const filesOf = (release: string) => readdirSync(new URL(`${release}/`, folder)).sort();

  it("are there for every way a process of this release ends", () => {
    const ends: Record<string, string[]> = {
      approval: ["cancelled-in-ui", "completed", "expired", "failed", "rejected", "resumed"],
      "carrier-collection": ["cancelled-in-ui", "collected", "failed", "stopped"],
      "connector-sync": ["cancelled-in-ui", "completed", "continued", "failed", "refused", "resumed", "superseded"],
      "count-programme": ["completed", "skipped"],
      "cycle-count": ["approved", "cancelled-in-ui", "no-variance", "refused", "rejected", "repeated", "resumed"],
      "fulfillment-push": ["cancelled-in-ui", "failed", "fault", "pushed", "resumed", "skipped"],
      inspection: ["closed", "resumed", "stayed"],
      "label-purchase": ["bought", "cancelled-in-ui", "failed", "resumed", "stopped", "voided"],
      maintenance: ["cancelled-in-ui", "completed", "failed", "refused"],
      notification: ["cancelled-in-ui", "continued", "dead-lettered", "delivered", "fault", "resumed", "stopped"],
      "pick-wave": [
        ...["attributed", "cancelled-in-ui", "cancelled", "completed", "continued", "idle", "of-transfer", "refused"],
        ...["released", "renewed", "repeated", "resumed", "superseded", "waited"],
      ],
      "print-job": ["cancelled-in-ui", "failed", "printed", "stopped"],
      recall: ["cancelled-in-ui", "closed", "refused", "repeated", "resumed", "stayed"],
      "transfer-order": [
        ...["attributed", "cancelled-in-ui", "cancelled", "closed", "continued", "deleted", "not-cancelled", "refused"],
        ...["renewed", "repeated", "resumed"],
      ],
      replenishment: ["completed", "resumed", "stayed"],
      rma: ["cancelled-in-ui", "continued", "received", "refused", "repeated", "resumed", "stayed", "voided"],
      sandbox: ["cancelled-in-ui", "expired", "refused", "repeated", "resumed", "stopped"],
      "wave-release": ["cancelled-in-ui", "completed", "cut-off", "skipped"],
      "webhook-delivery": ["cancelled-in-ui", "continued", "dlq", "failed", "fault", "paused", "resumed", "succeeded"],
    };
    assert.deepEqual(
      filesOf(version),
      Object.entries(ends)
        .flatMap(([process, of]) => of.map((end) => `${process}-${end}.history`))
        .sort(),
    );
  });

  const recorded = (release: string, name: string) =>
    proto.temporal.api.history.v1.History.decode(readFileSync(new URL(`${release}/${name}`, folder)));
  const all = releases.flatMap((release) => filesOf(release).map((name) => ({ release, name })));
  // What was removed from the namespace is in no start any more.
  const attributed = filesOf(version).filter((file) => /-(attributed|renewed)\./.test(file));
  function withoutAttributes(name: string) {
    const history = recorded(version, name);
    const start = history.events[0]?.workflowExecutionStartedEventAttributes;
    assert.ok(start?.searchAttributes);
    start.searchAttributes = null;
    return { workflowId: `without ${name}`, history };
  }
  /** What came of each; together, they take a third of what one by one would. */
  const replayed = new Map<string, Error | undefined>();
  before(async () => {
    const histories = [
      ...all.map(({ release, name }) => ({ workflowId: `${release} ${name}`, history: recorded(release, name) })),
      ...attributed.map(withoutAttributes),
    ];
    for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle, ...inThisThread }, histories))
      replayed.set(workflowId, error);
  });
  function assertReplayed(id: string) {
    assert.ok(replayed.has(id));
    assert.ifError(replayed.get(id));
  }

  for (const { release, name } of all)
    it(`${name} of ${release} replays with today's workflows`, () => assertReplayed(`${release} ${name}`));

  for (const name of attributed)
    it(`${name} replays although its search attributes were removed`, () => assertReplayed(`without ${name}`));
});
