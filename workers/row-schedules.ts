import type { Client } from "@temporalio/client";
import { applySyncSchedule } from "../src/connectors/schedules.js";
import { syncWorkflowId } from "../src/connectors/sync.js";
import { scheduleRows } from "../src/connectors/sync-queries.js";
import { scheduledProgrammes } from "../src/counting/programmes/queries.js";
import { applyProgrammeSchedule, programmeScheduleId } from "../src/counting/programmes/schedules.js";
import { scheduledTemplates } from "../src/picking/waves/template-queries.js";
import { applyTemplateSchedule, templateScheduleId } from "../src/picking/waves/template-schedules.js";
import type { Config } from "../src/platform/config/config.js";
import { log } from "../src/platform/log.js";
import { type RowIs, removeSchedule } from "../src/platform/temporal/row-schedules.js";

/** A row that asks for a schedule. */
interface Asking {
  id: string;
  /** Another one after a change. */
  version: string;
  apply(rowIs: RowIs): Promise<void>;
}

/** For each schedule that this process made: the version of its row. */
const applied = new Map<string, string>();

/**
 * Makes the schedules of syncs, wave templates and count programmes that Temporal lacks, changes those whose row was
 * changed, and ends those whose row is gone.
 */
export async function ensureRowSchedules(
  client: Client,
  config: Pick<Config, "temporalTaskQueue" | "connectorRetryDelayMs">,
): Promise<void> {
  const [syncs, templates, programmes] = await Promise.all([
    scheduleRows(),
    scheduledTemplates(),
    scheduledProgrammes(),
  ]);
  const asking: Asking[] = [
    ...syncs.map((row) => ({
      id: syncWorkflowId(row),
      version: row.updated_at,
      apply: (rowIs: RowIs) => applySyncSchedule(client, row, config, rowIs),
    })),
    ...templates.map((template) => ({
      id: templateScheduleId(template),
      version: `${template.updated_at}/${template.timezone}`,
      apply: (rowIs: RowIs) => applyTemplateSchedule(client, template, config, rowIs),
    })),
    ...programmes.map((programme) => ({
      id: programmeScheduleId(programme),
      version: `${programme.updated_at}/${programme.timezone}`,
      apply: (rowIs: RowIs) => applyProgrammeSchedule(client, programme, config, rowIs),
    })),
  ];
  const trying = (id: string, run: () => Promise<void>) =>
    run().catch((err) => log.warn({ err, schedule: id }, "schedule not set up yet"));
  for (const { id, version, apply } of asking)
    await trying(id, async () => {
      const known = applied.get(id);
      await apply(known === undefined ? "unknown" : known === version ? "unchanged" : "changed");
      applied.set(id, version);
    });
  const asked = new Set(asking.map(({ id }) => id));
  for (const id of applied.keys())
    if (!asked.has(id))
      await trying(id, async () => {
        await removeSchedule(client, id);
        applied.delete(id);
      });
}
