import * as wf from "@temporalio/workflow";
import { clock, detailsText } from "../src/platform/temporal/details.js";
import { type Done, JOBS, type Job, type JobName, type Maintenance } from "../src/platform/temporal/maintenance.js";

/**
 * Runs one maintenance job; each has its own schedule (workers/schedules.ts). Returns what the job did. When its
 * cancellation is requested, work in progress ends in order; the schedule starts the next run as usual.
 */
export async function maintenance(job: JobName): Promise<Done> {
  if (!Object.hasOwn(JOBS, job))
    throw wf.ApplicationFailure.nonRetryable(`No such job: ${job}. There are ${Object.keys(JOBS).join(", ")}`);
  const { every, timeout, heartbeat, summary }: Job = JOBS[job];
  const activities = wf.proxyActivities<Maintenance>({
    startToCloseTimeout: timeout,
    heartbeatTimeout: heartbeat,
    retry: { maximumAttempts: 3 },
    summary,
  });
  const runs = `its schedule starts it, ${every} after the last time`;
  const expires = wf.workflowInfo().executionExpirationTime;
  const next = `ends by itself${expires ? `, at ${clock(expires.getTime())} at the latest` : ""}`;
  wf.setCurrentDetails(detailsText({ where: `${summary}: under way`, why: runs, next }));
  const done = await activities[job]();
  wf.setCurrentDetails(
    detailsText({ where: `${summary}: done`, why: runs, next: `nothing here; it did: ${shown(done)}` }),
  );
  return done;
}

/**
 * For the Temporal UI: `commands: 6000, logins: 1`. For started workflows only their number; the result has the ids.
 */
const shown = (done: Done): string =>
  Object.entries(done)
    .map(([kind, n]) => `${kind}: ${Array.isArray(n) ? n.length : n}`)
    .join(", ");
