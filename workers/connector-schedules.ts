import type { Client } from "@temporalio/client";
import { applySchedule } from "../src/connectors/schedules.js";
import { syncWorkflowId } from "../src/connectors/sync.js";
import { scheduleRows } from "../src/connectors/sync-queries.js";
import type { Config } from "../src/platform/config/config.js";
import { log } from "../src/platform/log.js";

/** For each schedule that this process made: when its row was last changed. */
const applied = new Map<string, string>();

/** Makes the schedules of syncs that Temporal lacks, and changes those whose row was changed. */
export async function ensureConnectorSchedules(
  client: Client,
  config: Pick<Config, "temporalTaskQueue" | "connectorRetryDelayMs">,
): Promise<void> {
  for (const row of await scheduleRows()) {
    const id = syncWorkflowId(row);
    const known = applied.get(id);
    const rowIs = known === undefined ? "unknown" : known === row.updated_at ? "unchanged" : "changed";
    try {
      await applySchedule(client, row, config, rowIs);
      applied.set(id, row.updated_at);
    } catch (err) {
      log.warn({ err, schedule: id }, "schedule of a sync not set up yet");
    }
  }
}
