import { t } from "../../../texts/system.js";

/** What a setting is set with, and what holds while it was never set. */
type Known = readonly [
  key: string,
  control:
    | "switch"
    | "number"
    | "text"
    | "paragraph"
    | "bin"
    | "warehouse"
    | "decision"
    | "origins"
    | "roles"
    | "agents",
  otherwise: string,
];

/** The settings of the service, as a person looks for them. */
export const groups = {
  receivingGroup: [
    ["allow_over_receiving", "switch", "false"],
    ["default_receiving_bin", "bin", ""],
    ["returns_expire_days", "number", "0"],
  ],
  pickingGroup: [
    ["require_packing_before_shipping", "switch", "true"],
    ["batch_idle_release_hours", "number", "12"],
    ["pick_lease_minutes", "number", "120"],
    ["replenishment_look_minutes", "number", "5"],
    ["short_decision_hours", "number", "0"],
    ["short_decision_otherwise", "decision", "wait"],
    ["fraud_review_billing_shipping", "switch", "false"],
    ["BACKORDER_WAREHOUSE_CODE", "warehouse", ""],
  ],
  countingGroup: [
    ["short_pick_creates_count", "switch", "true"],
    ["count_show_expected", "switch", "true"],
    ["require_count_approval_separation", "switch", "false"],
  ],
  transfersGroup: [
    ["transfer_order_block_self_approval", "switch", "true"],
    ["transfer_approval_reminder_hours", "number", "24"],
  ],
  shippingGroup: [
    ["parcel_late_days", "number", "1"],
    ["parcel_lost_days", "number", "7"],
    ["parcel_tracking_days", "number", "30"],
  ],
  inspectionsGroup: [
    ["inspect_receipts", "switch", "false"],
    ["inspection_reminder_hours", "number", "24"],
    ["inspection_deadline_hours", "number", "72"],
  ],
  usersGroup: [
    ["session_timeout_hours", "number", "8"],
    ["badge_sign_in", "switch", "false"],
    ["sso_required", "switch", "false"],
    ["scanner_idle_minutes", "number", "0"],
    ["second_factor_roles", "roles", ""],
    ["second_factor_at_provider", "text", "any"],
    ["step_up", "switch", "false"],
    ["step_up_minutes", "number", "10"],
    ["step_up_adjustment_units", "number", "100"],
    ["personal_key_days", "number", "365"],
    ["enforce_allowed_functions", "switch", "false"],
  ],
  agentsGroup: [
    ["agent_writes", "agents", "approve"],
    ["agent_self_approval", "switch", "false"],
    ["agent_approval_hours", "number", "24"],
  ],
  dashboardsGroup: [
    ["company_currency", "text", ""],
    ["pos_activity_enabled", "switch", "false"],
    ["dashboard_bubble_origins", "origins", "[]"],
  ],
  slipGroup: [
    ["picking_ticket_company_name", "text", ""],
    ["picking_ticket_company_address", "paragraph", ""],
    ["picking_ticket_logo_url", "text", ""],
    ["picking_ticket_returns_text", "paragraph", ""],
  ],
} as const satisfies Record<string, readonly Known[]>;

export type Group = keyof typeof groups;
export type KnownSetting = (typeof groups)[Group][number];

const known = new Set<string>(Object.values(groups).flatMap((settings) => settings.map(([key]) => key)));
export const isKnown = (key: string): key is KnownSetting[0] => known.has(key);
/** One without a name is called by its key. */
export const settingText = (key: string) => (isKnown(key) ? t(key) : key);
