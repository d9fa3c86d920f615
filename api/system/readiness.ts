import proto from "@temporalio/proto";
import { db } from "../../src/platform/db/db.js";
import { missingAttributes } from "../../src/platform/temporal/missing-attributes.js";
import { taskQueue, temporalClient } from "../http/workflow-updates.js";

/** How long each part may take to answer, so that a probe never hangs. */
const ANSWER_WITHIN_MS = 2_000;
/** A worker polls at least once a minute; one that did not poll for this long is gone. */
const SEEN_WITHIN_MS = 75_000;

/** Whether each part that a request may need is available; all are checked in parallel. */
export async function readiness(): Promise<{
  postgres: boolean;
  temporal: boolean;
  worker: boolean;
  /** Search attributes that the namespace lacks. */
  missingAttributes: string[];
}> {
  const [postgres, pollers, missing = []] = await Promise.all([
    inTime(db.run("select")),
    inTime(workers()),
    inTime(attributes()),
  ]);
  return {
    postgres: postgres !== undefined,
    temporal: pollers !== undefined,
    worker: pollers !== undefined && pollers.length > 0,
    missingAttributes: missing.map(({ name }) => name),
  };
}

async function attributes() {
  const { connection, options } = temporalClient();
  return temporalClient().withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    missingAttributes(connection, options.namespace),
  );
}

/** The workers that poll our task queue, as `pid@host`. Throws when the server or the namespace is not available. */
export async function workers(): Promise<string[]> {
  const client = temporalClient();
  const { pollers } = await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: taskQueue },
      taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    }),
  );
  const since = (Date.now() - SEEN_WITHIN_MS) / 1_000;
  return pollers
    .filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds) > since)
    .map(({ identity }) => identity ?? "");
}

/** The result, or undefined when it failed or did not come in time. */
async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    late = setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([answer, timeout]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(late);
  }
}
