import { z } from "zod";
import { eventTypes } from "../../platform/events/catalog.js";
import { Edit, Id, listed, Moment, Name, SourceSystemName, Time } from "../../platform/fields.js";
import { endpointSlugs, inboundResources } from "./scope.js";

/** Integration tokens: docs/interface.md, Tokens. */

const Names = (known: readonly string[], example: string[] = []) =>
  z
    .array(listed(z.string().max(64), known))
    .max(64)
    .meta({ examples: [example] });
const Warehouses = z.array(Id).meta({ examples: [[1]] });
const Resources = z
  .array(z.enum(inboundResources))
  .max(16)
  .meta({ examples: [["items"]] });
const Expiry = Moment.meta({ examples: ["2027-05-06T12:00:00Z"] });
const Status = z.enum(["active", "revoked"]);
const TokenName = Name(128, "web shop");
const ConnectorId = z.string().max(64);
const Plaintext = z
  .string()
  .describe("Shown here and never again.")
  .meta({ examples: ["9Zf3…"] });

const REACHES = "What the token opens: events, the snapshot, the shipping station, the tills.";

export const TokenRecord = z
  .strictObject({
    token_id: Id,
    token_name: TokenName,
    warehouse_ids: Warehouses,
    event_types: z.array(z.string()),
    endpoints: z.array(z.string()),
    connector_id: ConnectorId.nullable(),
    status: Status,
    created_at: Time,
    rotated_at: Time,
    expires_at: Time,
    revoked_at: Time.nullable(),
    last_used_at: Time.nullable(),
    rotation_status: z.enum(["none", "recommended", "overdue"]),
    source_system: SourceSystemName.nullable(),
    inbound_resources: z.array(z.string()),
    mapping_override: z.boolean(),
    mapping_overrides_keys: z.array(z.string()),
  })
  .meta({ id: "Token", description: "An integration token, without its secret and the values of its overrides." });
export type TokenRecord = z.infer<typeof TokenRecord>;

/** What a token gives access to. */
export type TokenScope = Pick<TokenRecord, "warehouse_ids" | "event_types" | "endpoints" | "inbound_resources">;

export const NewToken = z
  .strictObject({
    token_name: TokenName,
    warehouse_ids: Warehouses.default([]),
    event_types: Names(eventTypes).default([]),
    endpoints: Names(endpointSlugs).default([]).describe(REACHES),
    connector_id: ConnectorId.nullable().default(null),
    expires_at: Expiry.nullable().default(null),
    source_system: SourceSystemName.nullable().default(null),
    inbound_resources: Resources.default([]),
    mapping_override: z.boolean().default(false),
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
    examples: [
      {
        token_name: "web shop",
        warehouse_ids: [1],
        source_system: "shop",
        inbound_resources: ["items"],
      },
    ],
  });

export type NewToken = z.infer<typeof NewToken>;

export const TokenEdit = Edit({
  token_name: TokenName,
  warehouse_ids: Warehouses,
  event_types: Names(eventTypes),
  endpoints: Names(endpointSlugs, ["station.dispatch"]).describe(REACHES),
  expires_at: Expiry,
}).meta({ id: "TokenEdit", description: "Changes of an integration token." });
export type TokenEdit = z.infer<typeof TokenEdit>;

/** The answer that issues a token is the only one that shows its secret. */
export const IssuedToken = z
  .strictObject({
    token_id: Id,
    token_name: TokenName,
    token: Plaintext,
    status: Status,
    created_at: Time,
    rotated_at: Time,
    expires_at: Time,
  })
  .meta({ id: "IssuedToken", description: "A new integration token with its secret, which is shown only once." });
