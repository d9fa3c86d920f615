import { z } from "zod";
import { eventTypes } from "../platform/events/catalog.js";
import * as field from "../platform/fields/index.js";
import { AnyText, Id, listed, Moment, Name, Text, Time } from "../platform/fields.js";
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
