import { type Client, ScheduleOverlapPolicy } from "@temporalio/client";
import { ofWarehouse, priorityOf } from "../../platform/temporal/priorities.js";
import { applySchedule, calendars, type RowIs, type Wanted } from "../../platform/temporal/row-schedules.js";
import type { ScheduledTemplate } from "./template-queries.js";

/** Temporal schedules of wave templates: docs/waves.md. */

export const templateScheduleId = ({ template_id }: { template_id: number }) => `wave-release-${template_id}`;

function wanted(template: ScheduledTemplate, taskQueue: string) {
  const { template_id, warehouse_id, warehouse_code, template_name, days, times, timezone } = template;
  return {
    spec: { calendars: calendars(days, times), timezone },
    // After an outage it runs late, but not when its hour has passed.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: "1 hour" },
    action: {
      type: "startWorkflow",
      workflowType: "waveRelease",
      workflowId: templateScheduleId(template),
      taskQueue,
      args: [{ template_id, template_name, warehouse_code }],
      // The SDK sends it; its type of an action lacks it.
      ...{ priority: priorityOf("waveRelease", ofWarehouse(warehouse_id)) },
      staticSummary: `Waves of ${template_name} in ${warehouse_code}`,
    },
  } satisfies Wanted;
}

/** Makes the schedule in Temporal equal to its template; it is paused while the template is not active. */
export const applyTemplateSchedule = (
  client: Client,
  template: ScheduledTemplate,
  { temporalTaskQueue }: { temporalTaskQueue: string },
  rowIs: RowIs,
): Promise<void> =>
  applySchedule(client, templateScheduleId(template), wanted(template, temporalTaskQueue), {
    enabled: template.is_active,
    rowIs,
  });
