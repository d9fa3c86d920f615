import { z } from "zod";
import { hasCredentials } from "../../platform/url-credentials.js";
import { ShortChoice } from "./shapes.js";

/**
 * The values that a known setting may have, and how the error describes them; other keys take any text
 * (docs/interface.md, Settings).
 */
interface Rule {
  expected: string;
  fits(value: string): boolean;
}

const onOff: Rule = { expected: '"true" or "false"', fits: (value) => value === "true" || value === "false" };
const orNever = (unit: string, most: number): Rule => ({
  expected: `a number of ${unit} from 0 (never) to ${most}`,
  fits: (value) => /^\d{1,4}(\.\d{1,4})?$/.test(value) && Number(value) <= most,
});
const text = (max: number): Rule => ({
  expected: `a text of at most ${max} characters`,
  fits: (value) => value.length <= max,
});

const url: Rule = {
  expected: "a text of at most 2048 characters, without a user name or password",
  fits: (value) => value.length <= 2048 && !hasCredentials(value),
};

export const LONGEST_SESSION_HOURS = 8760;

const Origins = z.array(z.object({ origin: z.string().min(1).max(64), label: z.string().max(64) })).max(100);

const currencies = new Set(Intl.supportedValuesOf("currency"));

export const knownSettings: ReadonlyMap<string, Rule> = new Map([
  ["require_packing_before_shipping", onOff],
  ["allow_over_receiving", onOff],
  ["allow_over_receipt", onOff],
  ["count_show_expected", onOff],
  ["short_pick_creates_count", onOff],
  ["require_count_approval_separation", onOff],
  ["transfer_order_block_self_approval", onOff],
  ["pos_activity_enabled", onOff],
  ["fraud_review_billing_shipping", onOff],
  ["enforce_allowed_functions", onOff],
  [
    "session_timeout_hours",
    { expected: `a whole number of hours from 1 to ${LONGEST_SESSION_HOURS}`, fits: areSessionHours },
  ],
  ["badge_sign_in", onOff],
  [
    "second_factor_roles",
    {
      expected: "ADMIN, USER or both with a comma between, or nothing",
      fits: (roles) => ["", "ADMIN", "USER", "ADMIN,USER", "USER,ADMIN"].includes(roles),
    },
  ],
  [
    "second_factor_at_provider",
    {
      expected: "any, none, or at most 10 values of amr or acr with a comma between",
      fits: (values) => /^([^\s,]{1,128}(,[^\s,]{1,128}){0,9})?$/.test(values),
    },
  ],
  ["step_up", onOff],
  ["step_up_minutes", { expected: "a whole number of minutes from 1 to 1440", fits: areMinutesOfDay }],
  [
    "step_up_adjustment_units",
    { expected: "a whole number of units from 0 (never) to 999999999", fits: (units) => /^\d{1,9}$/.test(units) },
  ],
  ["personal_key_days", { expected: "a whole number of days from 0 (nobody makes any) to 3650", fits: areKeyDays }],
  ["sso_required", onOff],
  ["scanner_idle_minutes", orNever("minutes", 1440)],
  ["batch_idle_release_hours", orNever("hours", 8760)],
  ["pick_lease_minutes", { expected: "a whole number of minutes from 1 to 1440", fits: areMinutesOfDay }],
  ["replenishment_look_minutes", orNever("minutes", 1440)],
  ["transfer_approval_reminder_hours", orNever("hours", 8760)],
  ["inspect_receipts", onOff],
  ["inspection_reminder_hours", orNever("hours", 8760)],
  ["inspection_deadline_hours", orNever("hours", 8760)],
  ["short_decision_hours", orNever("hours", 8760)],
  [
    "short_decision_otherwise",
    { expected: "wait, ship_short or cancel_rest", fits: (value) => ShortChoice.safeParse(value).success },
  ],
  ["returns_expire_days", orNever("days", 3650)],
  ["parcel_tracking_days", orNever("days", 3650)],
  ["parcel_late_days", orNever("days", 3650)],
  ["parcel_lost_days", orNever("days", 3650)],
  [
    "dashboard_bubble_origins",
    {
      expected: "a JSON array of objects with the texts origin and label",
      fits: (value) => Origins.safeParse(parsed(value)).success,
    },
  ],
  [
    "agent_writes",
    { expected: "never, approve or allow", fits: (value) => ["never", "approve", "allow"].includes(value) },
  ],
  ["agent_self_approval", onOff],
  [
    "agent_approval_hours",
    { expected: "a number of hours above 0, at most 168", fits: (value) => fitsHours(value, 168) },
  ],
  ["company_currency", { expected: "a currency such as EUR", fits: (code) => code === "" || currencies.has(code) }],
  ["picking_ticket_company_name", text(256)],
  ["picking_ticket_company_address", text(1000)],
  ["picking_ticket_logo_url", url],
  ["picking_ticket_returns_text", text(4000)],
]);

/** The settings that scanners and packing benches use: every signed-in user may read them. */
export const floorSettings = [
  "require_packing_before_shipping",
  "allow_over_receiving",
  "allow_over_receipt",
  "count_show_expected",
  "default_receiving_bin",
] as const;

/** Whether the text is a lifetime that a login may have. */
export function areSessionHours(hours: string): boolean {
  return /^[1-9]\d{0,3}$/.test(hours) && Number(hours) <= LONGEST_SESSION_HOURS;
}

/** Settings that say who gets in, for how long, and what for: whoever found a session could open all else by them. */
export const accessSettings: ReadonlySet<string> = new Set([
  ...["step_up", "step_up_minutes", "step_up_adjustment_units"],
  ...[
    "second_factor_roles",
    "second_factor_at_provider",
    "sso_required",
    "badge_sign_in",
    "session_timeout_hours",
    "personal_key_days",
  ],
  ...["enforce_allowed_functions", "agent_writes", "agent_self_approval"],
  ...["require_count_approval_separation", "transfer_order_block_self_approval"],
]);

/** Whether the text is the longest life of a personal key, in days; 0: nobody makes any. */
export function areKeyDays(days: string): boolean {
  return /^(0|[1-9]\d{0,3})$/.test(days) && Number(days) <= 3650;
}
/** Whether the text is a number of hours above 0, at most so many. */
const fitsHours = (value: string, most: number): boolean =>
  /^\d{1,3}(\.\d{1,4})?$/.test(value) && Number(value) > 0 && Number(value) <= most;

/** Whether the text is a whole number of minutes of at most a day, as that for which a device may have a wave. */
export function areMinutesOfDay(minutes: string): boolean {
  return /^[1-9]\d{0,3}$/.test(minutes) && Number(minutes) <= 1440;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
