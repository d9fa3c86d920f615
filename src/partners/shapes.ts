import { z } from "zod";
import { TokenRecord } from "../auth/tokens/shapes.js";
import { InboundAttempt } from "../inbound/attempts.js";
import { ConsumerGroup } from "../outbound/consumer-groups/shapes.js";
import { NewWebhook, WebhookEdit, WebhookSubscription } from "../outbound/webhooks/shapes.js";
import { eventTypes } from "../platform/events/catalog.js";
import * as field from "../platform/fields/index.js";
import { AnyText, Id, listed, Moment, Name, SourceSystemName, Text, Time } from "../platform/fields.js";
import { list } from "../platform/list.js";

/** Links of partners: docs/partners.md. */

const LinkName = Name(100, "Acme, web team").describe("Whom the link is for.");
const WAREHOUSES = "The warehouses whose events the partner may subscribe to by itself; an empty list is none.";
const EVENTS = "The types of events that the partner may subscribe to by itself; an empty list is none.";
const Warehouses = z.array(Id).meta({ description: WAREHOUSES, examples: [[1]] });

export const PartnerLink = z
  .strictObject({
    partner_link_id: Id.describe("Number of the link in this service."),
    connector_id: field.Connector,
    link_name: LinkName,
    warehouse_ids: Warehouses,
    event_types: z.array(AnyText("ship.confirmed")).describe(EVENTS),
    made_by: Text(150, "admin").describe("Who made it."),
    made_at: Time.describe("When it was made."),
    expires_at: Time.describe("Until when it opens anything."),
    revoked_at: Time.nullable().describe("When it was revoked; null where it was not."),
    last_used_at: Time.nullable().describe("When it was last used, to the minute; null where it never was."),
  })
  .meta({ id: "PartnerLink", description: "A partner's way in to the page of its connector, without its token." });
export type PartnerLink = z.infer<typeof PartnerLink>;

/** A link that was opened, with the warehouse of its partner's sandbox. */
export interface OpenLink extends PartnerLink {
  sandbox_warehouse_id: number | null;
}

export const NewPartnerLink = z
  .strictObject({
    connector_id: field.Connector,
    link_name: LinkName,
    warehouse_ids: Warehouses.max(1_000).default([]),
    event_types: z
      .array(listed(z.string().max(64), eventTypes))
      .max(64)
      .default([])
      .meta({ description: EVENTS, examples: [["ship.confirmed"]] }),
    expires_at: Moment.nullable()
      .default(null)
      .meta({ description: "When it ends; null for in 30 days.", examples: [null] }),
  })
  .meta({
    id: "NewPartnerLink",
    description: "A partner link to make.",
    examples: [
      {
        ...{ connector_id: "acme-erp", link_name: "Acme, web team" },
        ...{ warehouse_ids: [1], event_types: ["ship.confirmed"] },
      },
    ],
  });
export type NewPartnerLink = z.infer<typeof NewPartnerLink>;

export const MadePartnerLink = PartnerLink.extend({
  token: AnyText("wpl_9Zf3…").describe("The token of the link; shown here and never again."),
  path: AnyText("/partner/#wpl_9Zf3…").describe("Where it is opened, at the address of the service."),
}).meta({ id: "MadePartnerLink", description: "A partner link that was made, with its token." });

export const linkList = list(
  ...(["partner_link_id", "partner_link_id", "connector_id", "link_name", "made_at"] as const),
  ...(["expires_at", "revoked_at", "last_used_at"] as const),
);

export const LinkFilters = z.object({
  ...linkList.parameters,
  connector_id: field.Connector.optional(),
});
export type LinkFilters = z.infer<typeof LinkFilters>;

/** What a link is exchanged for. */
export const PartnerSession = z
  .strictObject({
    session: AnyText("eyJhbGciOi…").describe(
      "To be sent as `X-Partner-Session`; it opens nothing but the partner's page.",
    ),
    expires_at: Time.describe("Until when it is valid."),
  })
  .meta({ id: "PartnerSession", description: "A partner's session." });

/** What the page of a link is about. */
export const PartnerSelf = z
  .strictObject({
    connector_id: field.Connector,
    display_name: Text(128, "ERP of Acme").describe("Name for people."),
    link_name: LinkName,
    warehouses: z
      .array(
        z
          .strictObject({
            warehouse_id: field.WarehouseId.describe("Id of a warehouse whose events may be subscribed to."),
            warehouse_code: field.WarehouseCode,
          })
          .meta({ id: "PartnerWarehouse", description: "A warehouse whose events the partner may subscribe to." }),
      )
      .describe("The warehouses whose events the partner may subscribe to by itself."),
    event_types: PartnerLink.shape.event_types,
    expires_at: Time.describe("Until when the link opens anything."),
  })
  .meta({ id: "PartnerSelf", description: "What a partner's link opens." });

const OfLink = "those of the link by default";

/** A webhook, as its partner sees it. */
export const PartnerWebhook = WebhookSubscription.omit({ connector_id: true, contact_webhook_id: true }).meta({
  id: "PartnerWebhook",
  description: "A URL of the partner that events are sent to, with its figures of 24 hours.",
});
export type PartnerWebhook = z.infer<typeof PartnerWebhook>;

const Choices = WebhookEdit.pick({ payload: true, format: true, signature: true });

export const NewPartnerWebhook = z
  .strictObject({
    ...NewWebhook.pick({ display_name: true, delivery_url: true }).shape,
    event_types: NewPartnerLink.shape.event_types
      .unwrap()
      .min(1)
      .optional()
      .meta({ description: `Types of events, ${OfLink}.`, examples: [["ship.confirmed"]] }),
    warehouse_ids: Warehouses.min(1)
      .max(1_000)
      .optional()
      .meta({ description: `Warehouses whose events are wanted, ${OfLink}.`, examples: [[1]] }),
    ...Choices.shape,
  })
  .meta({
    id: "NewPartnerWebhook",
    description: "A webhook that a partner makes.",
    examples: [{ display_name: "Acme ERP", delivery_url: "https://partner.example.com/hooks" }],
  });
export type NewPartnerWebhook = z.infer<typeof NewPartnerWebhook>;

/** Without any field it changes nothing, and answers the record. */
export const PartnerWebhookEdit = WebhookEdit.pick({
  ...{ display_name: true, delivery_url: true, status: true },
  ...{ payload: true, format: true, signature: true },
});

/** How far a consumer group is. */
const PartnerGroup = ConsumerGroup.omit({ connector_id: true })
  .extend({
    behind: z
      .int()
      .nonnegative()
      .meta({ description: "Numbers of events after its cursor, of all kinds and warehouses.", examples: [12] }),
  })
  .meta({ id: "PartnerGroup", description: "A reader of events, and how far behind it is." });

const PartnerToken = TokenRecord.pick({
  ...{ token_id: true, token_name: true, status: true, endpoints: true, event_types: true, warehouse_ids: true },
  ...{ source_system: true, inbound_resources: true, expires_at: true, last_used_at: true },
})
  .extend({
    source_system: SourceSystemName.nullable().describe("The system that the token pushes for; null for none."),
  })
  .meta({ id: "PartnerToken", description: "An integration token of the partner, without its secret." });

export const PartnerPolling = z.strictObject({
  newest_event_id: z
    .int()
    .nonnegative()
    .meta({ description: "The newest event that can be read.", examples: [4711] }),
  consumer_groups: z.array(PartnerGroup).describe("The partner's readers."),
  tokens: z.array(PartnerToken).describe("The partner's tokens, newest first."),
});
export type PartnerPolling = z.infer<typeof PartnerPolling>;

export const PartnerAttempt = InboundAttempt.omit({ mapping_document: true, warehouse_id: true }).meta({
  id: "PartnerAttempt",
  description: "A push that a partner only tries, as if it came with its token.",
});
