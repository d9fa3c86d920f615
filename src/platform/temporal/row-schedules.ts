import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOptions,
} from "@temporalio/client";
import { endLeftRun } from "./left-run.js";

/**
 * Temporal schedules that rows ask for. The rows say which schedules there are to be; Temporal knows when each ran and
 * runs next.
 */

const DAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"] as const;

/** These times (HH:MM) of these days of the week, 1 for Monday. */
export function calendars(days: number[], times: string[]) {
  const dayOfWeek = days.flatMap((day) => DAYS[day - 1] ?? []);
  return times.map((time) => ({ dayOfWeek, hour: Number(time.slice(0, 2)), minute: Number(time.slice(3)) }));
}

/** Whether the row was just changed, may have been, or was not. */
export type RowIs = "changed" | "unknown" | "unchanged";

/** What a schedule starts and when. */
export type Wanted = Pick<ScheduleOptions, "spec" | "policies"> & {
  action: ScheduleOptions["action"] & { workflowType: string };
};

/**
 * Makes the schedule in Temporal equal to its row; for an unchanged row only if it is missing. One that an operator
 * paused in the Temporal UI stays paused until the row is changed.
 */
export async function applySchedule(
  client: Client,
  scheduleId: string,
  wanted: Wanted,
  { enabled, rowIs }: { enabled: boolean; rowIs: RowIs },
): Promise<void> {
  const handle = client.schedule.getHandle(scheduleId);
  try {
    await client.schedule.create({ scheduleId, ...wanted, state: { paused: !enabled } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    if (rowIs === "unchanged") return;
    await handle.update(({ state }) => {
      const paused = !enabled || (rowIs === "unknown" && state.paused);
      return { ...wanted, state: { ...state, paused } };
    });
    if (rowIs !== "unknown") return;
    const described = await handle.describe();
    const ended = await endLeftRun(client, described, wanted.action);
    if (ended && !described.state.paused) await handle.trigger();
  }
}

/** Ends a schedule that no row asks for, if there is one. */
export async function removeSchedule(client: Client, scheduleId: string): Promise<void> {
  await client.schedule
    .getHandle(scheduleId)
    .delete()
    .catch((error) => {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    });
}

/** Undefined where Temporal does not know the schedule. */
export async function describeSchedule(client: Client, scheduleId: string): Promise<ScheduleDescription | undefined> {
  try {
    return await client.schedule.getHandle(scheduleId).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}
