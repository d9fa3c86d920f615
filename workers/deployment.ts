import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Client, isGrpcServiceError } from "@temporalio/client";
import type { WorkerDeploymentVersion } from "@temporalio/common";
import { type Config, version } from "../src/platform/config/config.js";
import { log } from "../src/platform/log.js";

/** The workflows as workers load them. */
export const BUNDLE = fileURLToPath(new URL("../workflow-bundle.js", import.meta.url));

const DEPLOYMENT = "warehouse-execution-service";

let build: string | undefined;
/** The release, and which workflows it was built with; the bundle is large, so it is read once. */
const buildId = () =>
  (build ??= `${version}-${createHash("sha256").update(readFileSync(BUNDLE)).digest("hex").slice(0, 8)}`);

/**
 * The build of the workers, as Temporal knows it. With Worker Versioning the workers of each task queue are a
 * deployment of their own: each has another current version.
 */
export const deploymentVersion = ({
  temporalTaskQueue,
  workerVersioning,
}: Pick<Config, "temporalTaskQueue" | "workerVersioning">): WorkerDeploymentVersion => ({
  deploymentName: workerVersioning ? `${DEPLOYMENT}-${temporalTaskQueue}` : DEPLOYMENT,
  buildId: buildId(),
});

const ANSWER_WITHIN_MS = 5_000;
const GRPC_NOT_FOUND = 5;

/**
 * Where workers run with Worker Versioning (docs/operations.md, Upgrades), Temporal gives new workflows, and all that
 * are not pinned, to the version that is the current one. A new version becomes it by its first worker, as Temporal
 * knows none that was not polled for, and its tasks would wait for workers that nobody has started yet. A version that
 * was the current one becomes it again by `migrate`, not by its workers: one of the release before may start again
 * beside those of this one.
 * @param by Who asks.
 * @returns Whether there is nothing left to do for a worker.
 */
export async function makeCurrent(
  client: Client,
  { deploymentName, buildId }: WorkerDeploymentVersion,
  by: "worker" | "migrate",
): Promise<boolean> {
  const { workflowService, options } = client;
  const { namespace, identity } = options;
  return client.withDeadline(Date.now() + ANSWER_WITHIN_MS, async () => {
    const { workerDeploymentInfo } = await workflowService
      .describeWorkerDeployment({ namespace, deploymentName })
      .catch((error) => {
        if (isGrpcServiceError(error) && error.code === GRPC_NOT_FOUND) return { workerDeploymentInfo: null };
        throw error;
      });
    const known = workerDeploymentInfo?.versionSummaries?.find((one) => one.deploymentVersion?.buildId === buildId);
    if (!known) return false;
    const { currentSinceTime, lastCurrentTime } = known;
    if (by === "worker" ? lastCurrentTime : currentSinceTime) return true;
    await workflowService.setWorkerDeploymentCurrentVersion({
      ...{ namespace, identity, deploymentName, buildId },
      // Where its workers do not poll, or not for every task queue of the version before, tasks wait for them.
      ...{ allowNoPollers: true, ignoreMissingTaskQueues: true },
    });
    log.info({ deploymentName, buildId }, "this version of the workers is the current one");
    return true;
  });
}
