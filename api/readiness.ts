import proto from "@temporalio/proto";
import { db } from "../src/db.js";
import { engine, taskQueue } from "./process.js";

/** Each part gets this long to answer; a probe is never the thing that hangs. */
const ANSWER_WITHIN_MS = 2_000;
/** A worker asks for work at least once a minute; one that was not seen for longer is gone. */
const SEEN_WITHIN_MS = 75_000;

/** What a request may need, and whether it is there. Looked at side by side. */
export async function readiness(): Promise<{
  postgres: boolean;
  temporal: boolean;
  worker: boolean;
}> {
  const [postgres, pollers] = await Promise.all([
    inTime(db.row("select 1 as here")),
    inTime(workers()),
  ]);
  return {
    postgres: postgres !== undefined,
    temporal: pollers !== undefined,
    worker: pollers !== undefined && pollers.length > 0,
  };
}

/** Who asks for work on our task queue, as `pid@host`. Fails where the server or the namespace is not there. */
export async function workers(): Promise<string[]> {
  const client = engine();
  const { pollers } = await client.withDeadline(
    Date.now() + ANSWER_WITHIN_MS,
    () =>
      client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: taskQueue },
        taskQueueType:
          proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
      }),
  );
  const since = (Date.now() - SEEN_WITHIN_MS) / 1_000;
  return pollers
    .filter(({ lastAccessTime }) => Number(lastAccessTime?.seconds) > since)
    .map(({ identity }) => identity ?? "");
}

/** The answer, or undefined when it failed or did not come in time. */
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
