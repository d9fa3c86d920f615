import * as wf from "@temporalio/workflow";
import { type Done, JOBS, type JobName, type Maintenance } from "../src/temporal/maintenance.js";

/** Does one job of maintenance; each has its own schedule (workers/schedules.ts). Gives what the job did. */
export async function maintenance(job: JobName): Promise<Done> {
  if (!Object.hasOwn(JOBS, job))
    throw wf.ApplicationFailure.nonRetryable(`No such job: ${job}. There are ${Object.keys(JOBS).join(", ")}`);
  const { timeout, summary } = JOBS[job];
  const activities = wf.proxyActivities<Maintenance>({
    startToCloseTimeout: timeout,
    retry: { maximumAttempts: 3 },
    summary,
  });
  wf.setCurrentDetails(`${summary}: under way`);
  const done = await activities[job]();
  wf.setCurrentDetails(shown(done));
  return done;
}

/** For the Temporal UI: `commands: 6000, logins: 1`. Of what was started, how much; the result has the ids. */
const shown = (done: Done): string =>
  Object.entries(done)
    .map(([kind, n]) => `${kind}: ${Array.isArray(n) ? n.length : n}`)
    .join(", ");
