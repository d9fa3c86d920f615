import { z } from "zod";
import { inboundResources } from "../src/tokens/scope.js";
import { Edit, Id, Name, SourceSystemName, Time } from "./fields.js";

/** The fields of integration tokens: reference 04 §1.2 and 1.3. */

const Names = (most: number, example: string[] = []) =>
  z
    .array(z.string().max(64))
    .max(most)
    .meta({ examples: [example] });
const Warehouses = z.array(Id).meta({ examples: [[1]] });
const Resources = z
  .array(z.enum(inboundResources))
  .max(16)
  .meta({ examples: [["items"]] });
/** An instant, whatever its offset. Postgres knows no year 0. */
const Instant = z.iso
  .datetime({ offset: true })
  .refine((text) => !text.startsWith("0000"), "Not a time")
  .transform((text) => new Date(text).toISOString())
  .meta({ examples: ["2027-05-06T12:00:00Z"] });
const Status = z.enum(["active", "revoked"]);
const TokenName = Name(128, "web shop");
const ConnectorId = z.string().max(64);
const Plaintext = z
  .string()
  .describe("Shown here and never again.")
  .meta({ examples: ["9Zf3…"] });

export const TokenRecord = z.strictObject({
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
});

export const NewToken = z
  .strictObject({
    token_name: TokenName,
    warehouse_ids: Warehouses.default([]),
    event_types: Names(64).default([]),
    endpoints: Names(64).default([]),
    connector_id: ConnectorId.nullable().default(null),
    expires_at: Instant.nullable().default(null),
    source_system: SourceSystemName.nullable().default(null),
    inbound_resources: Resources.default([]),
    mapping_override: z.boolean().default(false),
    mapping_overrides: z
      .record(z.string().regex(/^\w+$/), z.unknown())
      .default({}),
  })
  .superRefine((token, { addIssue }) => {
    const inbound = token.inbound_resources.length > 0;
    const overrides = Object.keys(token.mapping_overrides).length > 0;
    const faults = {
      "A token needs endpoints, or a source_system with inbound_resources":
        !inbound &&
        token.source_system === null &&
        token.endpoints.length === 0,
      "source_system and inbound_resources are only given together":
        inbound !== (token.source_system !== null),
      "mapping_override is for inbound tokens only":
        token.mapping_override && !inbound,
      "mapping_overrides need mapping_override: true":
        overrides && !token.mapping_override,
    };
    for (const [message, isSo] of Object.entries(faults))
      if (isSo) addIssue({ code: "custom", message });
  })
  .meta({
    examples: [
      {
        token_name: "web shop",
        warehouse_ids: [1],
        source_system: "shop",
        inbound_resources: ["items"],
      },
    ],
  });

export const TokenEdit = Edit({
  token_name: TokenName,
  warehouse_ids: Warehouses,
  event_types: Names(64),
  endpoints: Names(64, ["station.dispatch"]),
  expires_at: Instant,
});

/** Shown where it is made, and only there. */
export const IssuedToken = z.strictObject({
  token_id: Id,
  token_name: TokenName,
  token: Plaintext,
  status: Status,
  created_at: Time,
  rotated_at: Time,
  expires_at: Time,
});
