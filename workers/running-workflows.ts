import { setTimeout as pause } from "node:timers/promises";
import type { Client, WorkflowExecutionInfo } from "@temporalio/client";
import { priorities } from "../src/platform/temporal/priorities.js";

export type Run = Pick<WorkflowExecutionInfo, "workflowId" | "type" | "taskQueue" | "startTime">;

/** All workflows but those of jobs are started from rows. */
const TYPES = Object.keys(priorities).filter((type) => type !== "maintenance");
const OURS = `WorkflowType in (${TYPES.map((type) => `"${type}"`).join(", ")})`;
const RUNNING = `${OURS} and ExecutionStatus = "Running"`;

/** A server lets ten queries of its list through each second, over all who ask. */
const PAGE = 1_000;
const BETWEEN_PAGES_MS = 200;

const LIST_EVERY_MS = 3_600_000;
const LATE_MS = 60_000;

/**
 * The workflows that can be started from rows and run, as one process knows them. Temporal lists them all the first
 * time, each hour, and when it has fewer than are known: it lost some. Otherwise it says what began and ended since.
 */
export class RunningWorkflows {
  #runs = new Map<string, Run>();
  /** When it last asked for anything, and for all. */
  #asOf = 0;
  #listedAt = 0;

  /** @param lateMs How late the list of Temporal may be, and how far its clock from this one. */
  constructor(readonly lateMs = LATE_MS) {}

  async now(client: Client): Promise<Run[]> {
    const now = Date.now();
    const changed = now - this.#listedAt < LIST_EVERY_MS ? await this.#withChanges(client) : undefined;
    this.#runs = changed ?? (await runsOf(client, RUNNING));
    if (!changed) this.#listedAt = now;
    this.#asOf = now;
    return [...this.#runs.values()];
  }

  /** Those that are known, with what began and without what ended; undefined where Temporal has fewer. */
  async #withChanges(client: Client): Promise<Map<string, Run> | undefined> {
    const since = new Date(this.#asOf - this.lateMs);
    const then = `"${since.toISOString()}"`;
    const { count } = await client.workflow.count(`${RUNNING} and StartTime < ${then}`);
    const ended = await endedSince(client, since);
    const begun = await runsOf(client, `${RUNNING} and StartTime >= ${then}`);
    const earlier = [...this.#runs].filter(([id, { startTime }]) => startTime < since && !ended.has(id));
    // Of those that were counted some may have ended before the list was made, but none can have been added.
    return earlier.length > count ? undefined : new Map([...earlier, ...begun]);
  }
}

async function runsOf(client: Client, query: string): Promise<Map<string, Run>> {
  const runs = new Map<string, Run>();
  for await (const { workflowId, type, taskQueue, startTime } of listed(client, query))
    runs.set(workflowId, { workflowId, type, taskQueue, startTime });
  return runs;
}

/**
 * The ids of what has ended since, which may run again. Temporal lists the newest end first; where it keeps its list in
 * Postgres, a condition on the time would have it read all that ever ended.
 */
async function endedSince(client: Client, since: Date): Promise<Set<string>> {
  const ended = new Set<string>();
  for await (const { workflowId, closeTime } of listed(client, `${OURS} and ExecutionStatus != "Running"`)) {
    if (closeTime && closeTime < since) break;
    ended.add(workflowId);
  }
  return ended;
}

/** What Temporal lists for a query, page by page. */
async function* listed(client: Client, query: string): AsyncGenerator<WorkflowExecutionInfo> {
  let seen = 0;
  for await (const run of client.workflow.list({ query, pageSize: PAGE })) {
    if (seen > 0 && seen % PAGE === 0) await pause(BETWEEN_PAGES_MS);
    seen++;
    yield run;
  }
}
