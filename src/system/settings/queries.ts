import { DEFAULT_SESSION_HOURS } from "../../auth/jwt.js";
import { text } from "../../platform/db/columns.js";
import { db, type Sql } from "../../platform/db/db.js";
import { areKeyDays, areMinutesOfDay, areSessionHours } from "./known.js";
import { Setting, type ShortChoice } from "./shapes.js";

/** The value of a setting, or undefined when it was never set. Values are always text (docs/interface.md, Settings). */
export async function setting(sql: Sql, key: string): Promise<string | undefined> {
  return (await sql.row({ value: text }, "select value from app_settings where key = $1", [key]))?.value;
}

/** Orders ship only once they are packed, unless the setting is exactly `false` (docs/interface.md, Signing in). */
export async function requiresPacking(sql: Sql): Promise<boolean> {
  return (await setting(sql, "require_packing_before_shipping")) !== "false";
}

/** Whether the bin of a short pick is to be counted (`short_pick_creates_count`); by default it is. */
export async function countsShortPicks(sql: Sql): Promise<boolean> {
  return (await setting(sql, "short_pick_creates_count")) !== "false";
}

/** How long a login lasts, in seconds (`session_timeout_hours`). */
export async function sessionSeconds(sql: Sql): Promise<number> {
  const set = (await setting(sql, "session_timeout_hours")) ?? "";
  return (areSessionHours(set) ? Number(set) : DEFAULT_SESSION_HOURS) * 3600;
}

/** How long a personal key lasts at most, in days (`personal_key_days`); 0: nobody makes any. */
export async function personalKeyDays(sql: Sql): Promise<number> {
  const set = (await setting(sql, "personal_key_days")) ?? "";
  return areKeyDays(set) ? Number(set) : DEFAULT_KEY_DAYS;
}
const DEFAULT_KEY_DAYS = 365;

/** When a session proves once more whose it is, where that is switched on (docs/step-up.md). */
export interface StepUpRules {
  /** For how long a proof is recent. */
  minutes: number;
  /** Corrections of stock of more units are dangerous; 0: none is. */
  adjustmentUnits: number;
}

/** The rules of step-up, as its settings (`step_up…`) say them; null where it is switched off. */
export function stepUpRules(settings: Record<string, string>): StepUpRules | null {
  const { step_up, step_up_minutes: minutes = "", step_up_adjustment_units: units = "" } = settings;
  if (step_up !== "true") return null;
  return {
    minutes: areMinutesOfDay(minutes) ? Number(minutes) : DEFAULT_STEP_UP_MINUTES,
    adjustmentUnits: /^\d+$/.test(units) ? Number(units) : DEFAULT_ADJUSTMENT_UNITS,
  };
}
export const DEFAULT_STEP_UP_MINUTES = 10;
const DEFAULT_ADJUSTMENT_UNITS = 100;

/** Whether one signs in with a badge, too (`badge_sign_in`); by default not. */
export async function signsInWithBadges(sql: Sql): Promise<boolean> {
  return (await setting(sql, "badge_sign_in")) === "true";
}

/** After how many minutes without a touch or scan scanners sign out (`scanner_idle_minutes`, 0 = never: null). */
export const scannerIdleMinutes = (sql: Sql): Promise<number | null> => orNever(sql, "scanner_idle_minutes", 0);

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How long a wave may go without a scan before it is released (`batch_idle_release_hours`, 0 = never: null). */
export const idleMs = (sql: Sql): Promise<number | null> => hoursMs(sql, "batch_idle_release_hours", 12);

/** How long a device has a wave after it was heard last (`pick_lease_minutes`): a net is away for less. */
export async function pickLeaseMinutes(sql: Sql): Promise<number> {
  const set = (await setting(sql, "pick_lease_minutes")) ?? "";
  return areMinutesOfDay(set) ? Number(set) : DEFAULT_LEASE_MINUTES;
}
const DEFAULT_LEASE_MINUTES = 120;

/**
 * How long submitted picks of a transfer order may wait until people are reminded of them
 * (`transfer_approval_reminder_hours`, 0 = never: null).
 */
export const reminderMs = (sql: Sql): Promise<number | null> => hoursMs(sql, "transfer_approval_reminder_hours", 24);

/** Whether what is received into a QUALITY zone is inspected (`inspect_receipts`); by default it is not. */
export async function inspectsReceipts(sql: Sql): Promise<boolean> {
  return (await setting(sql, "inspect_receipts")) === "true";
}

/** After how long an open inspection is reminded of, and again (`inspection_reminder_hours`, 0 = never: null). */
export const inspectionReminderMs = (sql: Sql): Promise<number | null> => hoursMs(sql, "inspection_reminder_hours", 24);

/** How long a new inspection may take (`inspection_deadline_hours`, 0 = any time: null). */
export const inspectionDeadlineMs = (sql: Sql): Promise<number | null> => hoursMs(sql, "inspection_deadline_hours", 72);

/** After how many days without a receipt an open return ends (`returns_expire_days`, 0 = never: null). */
export const returnsExpireDays = (sql: Sql): Promise<number | null> => orNever(sql, "returns_expire_days", 0);

/**
 * After how many hours the service itself decides about what was picked short (`short_decision_hours`, 0 = never:
 * null), and how (`short_decision_otherwise`).
 */
export async function shortDecisionAfter(sql: Sql): Promise<{ hours: number; decision: ShortChoice } | null> {
  const hours = await orNever(sql, "short_decision_hours", 0);
  const decision = (await setting(sql, "short_decision_otherwise")) as ShortChoice | undefined;
  return hours === null ? null : { hours, decision: decision ?? "wait" };
}

/** How often the pick faces of a warehouse are looked at (`replenishment_look_minutes`, 0 = when told alone: null). */
export async function replenishmentLookMs(sql: Sql): Promise<number | null> {
  const minutes = await orNever(sql, "replenishment_look_minutes", 5);
  return minutes === null ? null : Math.ceil(minutes * MINUTE_MS);
}

/**
 * For how many days after it left a carrier is asked where a parcel is (`parcel_tracking_days`, 0 = until it is
 * delivered: null).
 */
export const parcelTrackingDays = (sql: Sql): Promise<number | null> => orNever(sql, "parcel_tracking_days", 30);

async function hoursMs(sql: Sql, key: string, otherwise: number): Promise<number | null> {
  const hours = await orNever(sql, key, otherwise);
  return hours === null ? null : Math.ceil(hours * HOUR_MS);
}

async function orNever(sql: Sql, key: string, otherwise: number): Promise<number | null> {
  const set = Number((await setting(sql, key)) ?? otherwise);
  return (Number.isFinite(set) && set >= 0 ? set : otherwise) || null;
}

/** Every setting, by key. */
export function settings(): Promise<Setting[]> {
  return db.rows(Setting, "select id, key, value, updated_at from app_settings order by key");
}
