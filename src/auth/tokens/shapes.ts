import { z } from "zod";
import { eventTypes } from "../../platform/events/catalog.js";
import * as field from "../../platform/fields/index.js";
import { AnyText, Edit, Id, listed, Moment, Name, SourceSystemName, Time } from "../../platform/fields.js";
import { endpointSlugs, inboundResources } from "./scope.js";

/** Integration tokens: docs/interface.md, Tokens. */

const Names = (known: readonly string[], example: string[] = []) =>
  z
    .array(listed(z.string().max(64), known))
    .max(64)
    .meta({ examples: [example] });
const Warehouses = z
  .array(Id)
  .meta({ description: "Ids of the warehouses that the user, token or filter is confined to.", examples: [[1]] });
const Resources = z
  .array(z.enum(inboundResources))
  .max(16)
  .meta({ description: "What the token may push.", examples: [["items"]] });
const Expiry = Moment.meta({ description: "When it ends.", examples: ["2027-05-06T12:00:00Z"] });
const Status = z.enum(["active", "revoked"]).describe("Where the record stands in its life.");
const TokenName = Name(128, "web shop").describe("Name of the integration token.");
const ConnectorId = z.string().max(64);
const Plaintext = z.string().meta({ description: "Shown here and never again.", examples: ["9Zf3…"] });

const REACHES = "What the token opens: events, the snapshot, the shipping station, the tills.";

export const TokenRecord = z
  .strictObject({
    token_id: field.TokenId,
    token_name: TokenName,
    warehouse_ids: Warehouses,
    event_types: z.array(AnyText("ship.confirmed")).describe("The event types that are wanted."),
    endpoints: z.array(AnyText("events.poll")).describe("What the token may read."),
    connector_id: ConnectorId.meta({ examples: ["acme-erp"] })
      .nullable()
      .describe("The program on the other side, by its own name."),
    status: Status,
    created_at: field.CreatedAt,
    rotated_at: field.RotatedAt,
    expires_at: field.ExpiresAt,
    revoked_at: field.RevokedAt.nullable(),
    last_used_at: Time.nullable().describe("When it was last used."),
    rotation_status: z.enum(["none", "recommended", "overdue"]).describe("Whether the secret should be replaced."),
    source_system: SourceSystemName.nullable().describe(
      "The system that pushes with the token; null where it pushes nothing.",
    ),
    inbound_resources: z.array(AnyText("sales_orders")).describe("What the token may push."),
    mapping_override: field.MappingOverride,
    mapping_overrides_keys: z.array(AnyText("sales_orders")).describe("The fields whose mapping was overridden."),
  })
  .meta({ id: "Token", description: "An integration token, without its secret and the values of its overrides." });
export type TokenRecord = z.infer<typeof TokenRecord>;

/** What a token gives access to. */
export type TokenScope = Pick<TokenRecord, "warehouse_ids" | "event_types" | "endpoints" | "inbound_resources">;

export const NewToken = z
  .strictObject({
    token_name: TokenName,
    warehouse_ids: Warehouses.default([]),
    event_types: Names(eventTypes).default([]).describe("The event types that are wanted."),
    endpoints: Names(endpointSlugs).default([]).describe(REACHES),
    connector_id: ConnectorId.nullable().default(null).describe("The program on the other side, by its own name."),
    expires_at: Expiry.nullable().default(null),
    source_system: SourceSystemName.nullable()
      .default(null)
      .describe("The system that pushes with the token; null where it pushes nothing."),
    inbound_resources: Resources.default([]),
    mapping_override: field.MappingOverride.default(false),
    mapping_overrides: z
      .record(z.string().regex(/^\w+$/), z.unknown())
      .default({})
      .describe("Values by field, which win over what the mapping gives, for every push of the token."),
  })
  .superRefine((token, { addIssue }) => {
    const inbound = token.inbound_resources.length > 0;
    const overrides = Object.keys(token.mapping_overrides).length > 0;
    const faults = {
      "A token needs endpoints, or a source_system with inbound_resources":
        !inbound && token.source_system === null && token.endpoints.length === 0,
      "mapping_override is for inbound tokens only": token.mapping_override && !inbound,
      "mapping_overrides need mapping_override: true": overrides && !token.mapping_override,
    };
    for (const [message, isSo] of Object.entries(faults)) if (isSo) addIssue({ code: "custom", message });
  })
  .meta({
    id: "NewToken",
    description: "An integration token to issue.",
    examples: [{ token_name: "web shop", warehouse_ids: [1], source_system: "shop", inbound_resources: ["items"] }],
  });

export type NewToken = z.infer<typeof NewToken>;

export const TokenEdit = Edit({
  token_name: TokenName,
  warehouse_ids: Warehouses,
  event_types: Names(eventTypes).describe("The event types that are wanted."),
  endpoints: Names(endpointSlugs, ["station.dispatch"]).describe(REACHES),
  expires_at: Expiry,
}).meta({ id: "TokenEdit", description: "Changes of an integration token." });
export type TokenEdit = z.infer<typeof TokenEdit>;

/** The secret is shown only in the answer that issues the token. */
export const IssuedToken = z
  .strictObject({
    token_id: field.TokenId,
    token_name: TokenName,
    token: Plaintext,
    status: Status,
    created_at: field.CreatedAt,
    rotated_at: field.RotatedAt,
    expires_at: field.ExpiresAt,
  })
  .meta({ id: "IssuedToken", description: "A new integration token with its secret, which is shown only once." });
