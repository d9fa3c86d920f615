import type { Duration } from "@temporalio/common";

/** The maintenance jobs, for their schedules, workflow and activities. Types and data only: the workflow imports it. */

/** What a job did: the numbers of rows that it deleted or changed, or the ids of the workflows that it started. */
export type Done = Record<string, number | string[]>;

/** Jobs have a task queue of their own, so that people can filter them out in the Temporal UI. */
export const maintenanceQueue = (taskQueue: string): string => `${taskQueue}-maintenance`;

export interface Job {
  every: Duration;
  /** How long one attempt may take; there are three. */
  timeout: Duration;
  /** After how long without a sign of its worker another one takes it over, where nothing may wait for a dead one. */
  heartbeat?: Duration;
  /** How long a run may take: one that hangs must not block the next ones. */
  within: Duration;
  summary: string;
}

/** The scheduled jobs. A new one is an entry here and an activity of the same name. */
export const JOBS = {
  reconcile: {
    every: "1 minute",
    timeout: "2m",
    heartbeat: "5s",
    within: "5 minutes",
    summary: "Starts the missing workflows of open waves, counts, webhooks, notifications and pushes",
  },
  purge: { every: "1 hour", timeout: "9m", within: "30 minutes", summary: "Deletes what nobody asks for any more" },
  "inbound-retention": {
    every: "1 day",
    timeout: "55m",
    within: "3 hours",
    summary: "Forgets what other systems sent once its retention ended",
  },
  expiry: {
    every: "10 minutes",
    timeout: "9m",
    within: "30 minutes",
    summary: "Ends the promises of units past their last day, and tells of them and of those near it",
  },
  "short-decisions": {
    every: "10 minutes",
    timeout: "9m",
    within: "30 minutes",
    summary: "Decides about what was picked short when nobody did in time",
  },
  tracking: {
    every: "5 minutes",
    timeout: "9m",
    heartbeat: "30s",
    within: "15 minutes",
    summary: "Asks carriers where parcels are whose webhooks say nothing",
  },
  refunds: {
    every: "6 hours",
    timeout: "20m",
    heartbeat: "5s",
    within: "1 hour",
    summary: "Asks carriers what became of refunds of labels that were taken back",
  },
  classes: {
    every: "1 day",
    timeout: "1h",
    within: "4 hours",
    summary: "Classes items by how often they are picked, for put-away rules",
  },
  retention: {
    every: "1 day",
    timeout: "6h",
    heartbeat: "30s",
    within: "20 hours",
    summary: "Writes months of rows that are past their retention to files, and deletes them",
  },
  "webhook-retention": {
    every: "6 hours",
    timeout: "12m",
    within: "40 minutes",
    summary: "Deletes webhook deliveries and notifications that ended 90 days ago",
  },
  "webhook-health": {
    every: "1 minute",
    timeout: "30s",
    within: "2 minutes",
    summary: "Tells notification destinations of webhooks that fail, lag or are paused",
  },
  "webhook-secrets": {
    every: "1 hour",
    timeout: "12m",
    within: "40 minutes",
    summary: "Forgets webhook secrets that were replaced 24 hours ago",
  },
  "webhook-reclaim": {
    every: "1 minute",
    timeout: "4m",
    within: "5 minutes",
    summary: "Gives back webhook deliveries that a sender never finished",
  },
  "snapshot-cleanup": {
    every: "5 minutes",
    timeout: "12m",
    within: "40 minutes",
    summary: "Deletes inventory scans that nobody goes on with",
  },
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof JOBS;

/** The activities of the jobs; the worker has them (workers/maintenance.ts). */
export type Maintenance = Record<JobName, () => Promise<Done>>;
