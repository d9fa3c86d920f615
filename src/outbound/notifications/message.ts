import { createHmac } from "node:crypto";
import { z } from "zod";
import { text } from "../../platform/db/columns.js";
import { dispatcherNotices, Facts, notices, told } from "./notices.js";

/** What a message is made of. */
export const Telling = z.strictObject({
  notice: z.enum([...notices, "test"]),
  facts: Facts,
  warehouse: z.strictObject({ code: text, name: text }),
  occurredAt: text,
  /** The panel's address, where it is known. */
  panelUrl: text.optional(),
});
export type Telling = z.infer<typeof Telling>;

/** The most items, lots or serials that a message names. */
const MOST_NAMED = 5;

const isDispatcher = (notice: string) => (dispatcherNotices as readonly string[]).includes(notice);

/**
 * A message for Microsoft Teams: an Adaptive Card with event, order, goods or webhook, warehouse and a link to the
 * panel's page. All text stands in runs, which know no Markdown: an order number cannot become a link.
 */
export function teamsMessage({ notice, facts, warehouse, occurredAt, panelUrl }: Telling): object {
  const { title, page } = notice === "test" ? { title: "Test message", page: "notifications" } : told[notice];
  const about = facts.backorder_so_number ?? facts.display_name ?? facts.sku;
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          fallbackText: about ? `${title}: ${about}` : title,
          body: [
            block([{ text: title, size: "Medium", weight: "Bolder" }]),
            ...lines({ notice, facts, warehouse, occurredAt }).map(([label, value]) =>
              block([{ text: `${label}: `, weight: "Bolder" }, { text: value }]),
            ),
          ],
          ...(panelUrl && { actions: [{ type: "Action.OpenUrl", title: "Open", url: `${panelUrl}/${page}` }] }),
        },
      },
    ],
  };
}

const block = (runs: { text: string; size?: string; weight?: string }[]) => ({
  type: "RichTextBlock",
  inlines: runs.map((run) => ({ type: "TextRun", ...run })),
});

/** The lines of a message, each with its label; what the event does not say is left out. */
function lines({ notice, facts, warehouse, occurredAt }: Omit<Telling, "panelUrl">): [string, string][] {
  const { items = [], lots = [], serials = [] } = facts;
  const all: [string, string | number | null | undefined][] = [
    ["Event", notice],
    ["Order", facts.backorder_so_number],
    ["Of order", facts.parent_so_number],
    ["Items", named(items.map(({ sku, qty }) => `${qty} × ${sku}`))],
    ["Item", facts.sku],
    ["Lot", facts.lot_number],
    ["Lots", named(lots.map(({ sku, lot_number }) => `${lot_number} of ${sku}`))],
    ["Serials", named(serials.map(({ sku, serial_number }) => `${serial_number} of ${sku}`))],
    ["Bin", facts.bin_code],
    ["Units", facts.quantity_on_hand ?? facts.quantity_open],
    ["Last day", facts.expiry_date],
    ["Days waiting", facts.days_waiting],
    ["Reason", facts.cancellation_reason ?? facts.reason],
    [facts.is_overdue ? "Was to be decided by" : "To be decided by", facts.due_at && moment(facts.due_at)],
    ["Webhook", facts.display_name],
    ["Paused by", facts.pause_reason],
    ["Dead letters in an hour", facts.dead_letters],
    ["Events behind", facts.events_behind],
    ["Failing since", facts.failing_since],
    ["Events that wait", outOf(facts.waiting, facts.pending_ceiling)],
    ["Events given up", outOf(facts.given_up, facts.dlq_ceiling)],
    ["Warehouse", isDispatcher(notice) ? null : `${warehouse.code} ${warehouse.name}`],
    ["Time", moment(occurredAt)],
  ];
  return all.flatMap(([label, value]) =>
    value === undefined || value === null || value === "" ? [] : [[label, `${value}`] as [string, string]],
  );
}

const outOf = (count: number | undefined, ceiling: number | undefined) =>
  count === undefined ? undefined : `${count}; it is paused at ${ceiling}`;

function named(all: string[]): string {
  const more = all.length - MOST_NAMED;
  return [...all.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** A time of RFC 3339 in UTC, for people. */
const moment = (time: string) => `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** The headers of a message; with a secret, its signature over `<timestamp>.<body>`, as webhooks have it. */
export function headersOf(body: Buffer, secret: string | null, now: Date): Record<string, string> {
  const headers = { "Content-Type": "application/json", "User-Agent": "warehouse-webhooks/1" };
  if (secret === null) return headers;
  const timestamp = Math.floor(now.getTime() / 1_000);
  const signature = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
  return { ...headers, "X-Service-Timestamp": `${timestamp}`, "X-Service-Signature": `sha256=${signature}` };
}
