import { resolve } from "node:path";
import { z } from "zod";
import { env, wholeNumber } from "./variable-kinds.js";

const days = (name: string, what: string, least = 90) =>
  wholeNumber(least, 36_500)
    .optional()
    .meta(
      env(
        name,
        `Days that ${what} stay in the database (${least} at least); then whole months of them are written to ` +
          "SERVICE_RETENTION_FOLDER and deleted. Not given: for ever.",
      ),
    );

const retentionDays = {
  auditRetentionDays: days("SERVICE_AUDIT_RETENTION_DAYS", "rows of the audit log"),
  eventRetentionDays: days("SERVICE_EVENT_RETENTION_DAYS", "events"),
  movementRetentionDays: days("SERVICE_MOVEMENT_RETENTION_DAYS", "moves and decided adjustments"),
  // A till refunds for 90 days, customers return goods for months, and a day is compared with that of the year before.
  orderRetentionDays: days("SERVICE_ORDER_RETENTION_DAYS", "orders that ended", 365),
};
export type RetentionDays = keyof typeof retentionDays;
/** They say when rows leave the database, which need a folder to go to. */
export const retentions = Object.keys(retentionDays) as RetentionDays[];

/** The environment variables of how long rows are kept. */
export const retentionVariables = {
  retentionFolder: z
    .string()
    .transform((path) => resolve(path))
    .optional()
    .meta(
      env(
        "SERVICE_RETENTION_FOLDER",
        "Folder for rows that are past their retention, the same for all workers (docs/operations.md, Retention).",
      ),
    ),
  ...retentionDays,
};
