import type { Client } from "@temporalio/client";
import { askTracking } from "../activities/carriers/ask-tracking.js";
import { followRefunds } from "../activities/carriers/follow-refunds.js";
import { forgetPassedOver } from "../activities/connectors/passed-over.js";
import { forgetSyncRuns } from "../activities/connectors/sync-runs.js";
import { withHeartbeat } from "../activities/heartbeat.js";
import { expireStock } from "../activities/lots/expire.js";
import { tellExpiring } from "../activities/lots/expiring.js";
import { endSales } from "../activities/lots/too-old.js";
import { clearPayloads, forgetRefusals, forgetRefusedRecords } from "../activities/maintenance/inbound-retention.js";
import {
  purgeApprovals,
  purgeChallenges,
  purgeCommands,
  purgeLoginAttempts,
  purgePrintJobs,
  purgeProviderSessions,
  purgeRequestCounts,
  purgeSessions,
  purgeSignInUses,
  purgeUserSessions,
} from "../activities/maintenance/retention.js";
import { retireRows } from "../activities/maintenance/retirement/retire.js";
import {
  clearChannelItems,
  clearDeliveries,
  clearNotifications,
  clearSecrets,
  clearSnapshots,
  reclaimDeliveries,
} from "../activities/maintenance/webhook-hygiene.js";
import { checkWebhookHealth } from "../activities/outbound/notifications/health.js";
import { channelReceivers, webhookReceivers } from "../activities/outbound/receivers.js";
import { classifyItems } from "../activities/receiving/classify.js";
import { decideOverdue } from "../activities/sales-orders/decide-overdue.js";
import { endSalesToOrders } from "../activities/sales-orders/end-sales.js";
import type { Config } from "../src/platform/config/config.js";
import { counter } from "../src/platform/monitoring/metrics.js";
import type { Maintenance } from "../src/platform/temporal/maintenance.js";
import { startMissing } from "./reconcile.js";
import { RunningWorkflows } from "./running-workflows.js";

/** Well within what jobs wait for one (JOBS). */
const HEARTBEAT_MS = 1_000;

const ran = counter("maintenance_runs", "Runs of maintenance jobs, by name and outcome: done or failed");

/** The activities of the maintenance jobs, which count their runs. */
export function maintenance(client: Client, config: Config<"worker">): Maintenance {
  const counted = Object.entries(jobs(client, config)).map(([name, run]) => {
    const countedRun = async () => {
      try {
        const done = await run();
        ran({ name, outcome: "done" });
        return done;
      } catch (error) {
        ran({ name, outcome: "failed" });
        throw error;
      }
    };
    return [name, countedRun] as const;
  });
  return Object.fromEntries(counted) as unknown as Maintenance;
}

const jobs = (client: Client, config: Config<"worker">, running = new RunningWorkflows()): Maintenance => ({
  reconcile: () => withHeartbeat(HEARTBEAT_MS, () => startMissing(client, config, running)),
  purge: async () => ({
    commands: await purgeCommands(),
    logins: await purgeLoginAttempts(),
    challenges: await purgeChallenges(),
    requests: await purgeRequestCounts(),
    sessions: await purgeSessions(),
    provider_sessions: await purgeProviderSessions(),
    user_sessions: await purgeUserSessions(),
    sign_in_uses: await purgeSignInUses(),
    print_jobs: await purgePrintJobs(),
    approvals: await purgeApprovals(),
  }),
  expiry: async () => ({
    expired: await expireStock(),
    too_old: await endSales(),
    too_old_for_orders: await endSalesToOrders(),
    expiring: await tellExpiring(),
  }),
  "short-decisions": async () => ({ decided: await decideOverdue() }),
  tracking: () => withHeartbeat(HEARTBEAT_MS, (signal) => askTracking(config, signal)),
  refunds: () => withHeartbeat(HEARTBEAT_MS, (signal) => followRefunds(config, signal)),
  classes: async () => ({ changed: await classifyItems() }),
  "inbound-retention": async () => {
    const days = config.inboundSourcePayloadRetentionDays;
    return {
      ...(await clearPayloads(days)),
      refusals: await forgetRefusals(days),
      connector_refusals: await forgetRefusedRecords(days),
      sync_runs: await forgetSyncRuns(days),
      passed_over: await forgetPassedOver(days),
    };
  },
  retention: () => withHeartbeat(HEARTBEAT_MS, (signal) => retireRows(config, signal)),
  "webhook-retention": async () => ({
    deliveries: await clearDeliveries(),
    channel_items: await clearChannelItems(),
    notifications: await clearNotifications(),
  }),
  "webhook-health": () => checkWebhookHealth(config),
  "webhook-secrets": async () => ({
    secrets: await clearSecrets(webhookReceivers),
    channel_secrets: await clearSecrets(channelReceivers),
  }),
  "webhook-reclaim": async () => ({ deliveries: await reclaimDeliveries(config.dispatcherInflightReclaimS) }),
  "snapshot-cleanup": async () => ({ rows: await clearSnapshots() }),
});
