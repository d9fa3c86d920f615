import { createHmac } from "node:crypto";
import { z } from "zod";
import { text } from "../../platform/db/columns.js";
import { dispatcherNotices, Facts, notices, titles } from "./notices.js";

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

/** The most items that a message names. */
const MOST_ITEMS = 5;

const isDispatcher = (notice: string) => (dispatcherNotices as readonly string[]).includes(notice);

/**
 * A message for Microsoft Teams: an Adaptive Card with event, order or webhook, warehouse and a link to the panel's
 * page. All text stands in runs, which know no Markdown: an order number cannot become a link.
 */
export function teamsMessage({ notice, facts, warehouse, occurredAt, panelUrl }: Telling): object {
  const title = notice === "test" ? "Test message" : titles[notice];
  const page = notice === "test" ? "notifications" : isDispatcher(notice) ? "webhooks" : "backorders";
  const named = facts.backorder_so_number ?? facts.display_name;
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
          fallbackText: named ? `${title}: ${named}` : title,
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
  const { items = [] } = facts;
  const more = items.length - MOST_ITEMS;
  const wanted = items.slice(0, MOST_ITEMS).map(({ sku, qty }) => `${qty} × ${sku}`);
  const all: [string, string | number | null | undefined][] = [
    ["Event", notice],
    ["Order", facts.backorder_so_number],
    ["Of order", facts.parent_so_number],
    ["Items", [...wanted, ...(more > 0 ? [`${more} more`] : [])].join(", ")],
    ["Days waiting", facts.days_waiting],
    ["Reason", facts.cancellation_reason],
    ["Webhook", facts.display_name],
    ["Paused by", facts.pause_reason],
    ["Dead letters in an hour", facts.dead_letters],
    ["Events behind", facts.events_behind],
    ["Failing since", facts.failing_since],
    ["Warehouse", isDispatcher(notice) ? null : `${warehouse.code} ${warehouse.name}`],
    ["Time", `${occurredAt.slice(0, 19).replace("T", " ")} UTC`],
  ];
  return all.flatMap(([label, value]) =>
    value === undefined || value === null || value === "" ? [] : [[label, `${value}`] as [string, string]],
  );
}

/** The headers of a message; with a secret, its signature over `<timestamp>.<body>`, as webhooks have it. */
export function headersOf(body: Buffer, secret: string | null, now: Date): Record<string, string> {
  const headers = { "Content-Type": "application/json", "User-Agent": "warehouse-webhooks/1" };
  if (secret === null) return headers;
  const timestamp = Math.floor(now.getTime() / 1_000);
  const signature = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
  return { ...headers, "X-Service-Timestamp": `${timestamp}`, "X-Service-Signature": `sha256=${signature}` };
}
