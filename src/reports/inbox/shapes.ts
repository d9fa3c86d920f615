import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { AnyText, Day, Moment, Time, Units } from "../../platform/fields.js";

/** What needs a person now, whatever it is: docs/inbox.md. */

export const inboxKinds = [
  ...(["late_order", "short_pick", "short_order", "held_order", "order_in_review"] as const),
  ...(["over_received", "adjustment", "count_variance", "transfer_approval"] as const),
  ...(["expiring_stock", "inspection", "recall", "agent_approval"] as const),
  ...(["refused_push", "refused_record", "failed_sync", "failed_push"] as const),
  ...(["paused_webhook", "dead_letters", "paused_channel"] as const),
  ...(["print_failed", "label_failed", "parcel_exception", "parcel_late", "parcel_lost", "not_collected"] as const),
] as const;
export const InboxKind = z.enum(inboxKinds);
export type InboxKind = z.infer<typeof InboxKind>;

/** The most entries of a kind in one answer. */
export const MOST_ENTRIES = 100;
/** The longest that an entry is put off. */
export const MOST_SNOOZED_DAYS = 30;

const RecordId = z
  .string()
  .min(1)
  .max(128)
  .meta({ examples: ["1001"], description: "Which record it is: what the path of its page ends with." });
const SnoozedUntil = Time.nullable().describe("Until when it is put off; null where it is not.");
const TakenBy = AnyText("ann").nullable().describe("Who has taken it; null where nobody has.");

const InboxEntry = z
  .strictObject({
    record_id: RecordId,
    label: AnyText("SO-1001").describe("What people call the record."),
    name: AnyText("Ada").nullable().describe("Customer, vendor, item or warehouse; null where it has none."),
    reason: AnyText("differs_from_shop")
      .nullable()
      .describe("Why it is here, as a code; null where its kind says it all."),
    detail: AnyText("404 Not Found").nullable().describe("What went wrong, in the words of whoever said it."),
    units: Units.nullable().describe("How many units, or records, it is about."),
    due: Day.nullable().describe("The day by which it must be done."),
    since: Time.describe("Since when it needs somebody."),
    warehouse_id: field.WarehouseId.nullable().describe("Its warehouse; null where it is of all."),
    taken_by: TakenBy,
    snoozed_until: SnoozedUntil,
  })
  .meta({ id: "InboxEntry", description: "Something that needs a person." });

export const InboxPart = z
  .strictObject({
    kind: InboxKind.describe("What it is about."),
    total: Units.describe("How many entries of the kind there are."),
    entries: z.array(InboxEntry).describe("The oldest of them."),
  })
  .meta({ id: "InboxPart", description: "Entries of one kind." });

export const Inbox = z
  .strictObject({
    total: Units.describe("How many entries there are in all."),
    parts: z.array(InboxPart).describe("The kinds that the caller's pages are for, those without entries too."),
  })
  .meta({ id: "Inbox", description: "What needs a person now." });
export type Inbox = z.infer<typeof Inbox>;

export const InboxMarkChange = z
  .strictObject({
    kind: InboxKind.describe("What the entry is about."),
    record_id: RecordId,
    taken: z.boolean().optional().describe("Whether the caller takes it, also from somebody else, or gives it back."),
    snoozed_until: Moment.nullable()
      .optional()
      .describe(`Until when it is put off, ${MOST_SNOOZED_DAYS} days at most; null shows it again.`),
  })
  .refine(({ taken, snoozed_until }) => taken !== undefined || snoozed_until !== undefined, {
    message: "At least one field to change is needed",
  })
  .meta({ id: "InboxMarkChange", description: "What somebody says of an entry." });
export type InboxMarkChange = z.infer<typeof InboxMarkChange>;

export const InboxMark = z
  .strictObject({
    kind: InboxKind.describe("What the entry is about."),
    record_id: RecordId,
    taken_by: TakenBy,
    snoozed_until: SnoozedUntil,
  })
  .meta({ id: "InboxMark", description: "What people said of an entry." });
export type InboxMark = z.infer<typeof InboxMark>;
