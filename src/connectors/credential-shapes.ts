import { z } from "zod";
import { Id, Text, Time } from "../platform/fields.js";
import { hasCredentials, SHOWS_CREDENTIALS } from "../platform/url-credentials.js";
import { isUrlField } from "./connector.js";
import { ConnectorName } from "./shapes.js";

/** The stored configuration of a connector, and what a test of it says: docs/interface.md, Connectors. */

const IN_URL = `${SHOWS_CREDENTIALS}; credentials have fields of their own`;

const Key = z
  .string()
  .min(1)
  .max(128)
  .meta({ examples: ["api_key"] });

/** The connector and the warehouse that an answer is of. */
const ofConnector = { connector: ConnectorName, warehouse_id: Id };

export const NewCredentials = z.strictObject({
  warehouse_id: Id,
  credentials: z
    .record(Key, z.string().min(1).max(10_000))
    .refine((values) => Object.keys(values).length > 0, "At least one value is needed")
    .superRefine((values, { addIssue }) => {
      for (const [key, value] of Object.entries(values))
        if (isUrlField(key) && hasCredentials(value)) addIssue({ code: "custom", path: [key], message: IN_URL });
    })
    .meta({
      description: "The fields of the configuration to set, by their names in config_schema; others stay as they are.",
      examples: [{ api_key: "k-4711", base_url: "https://shop.example.com" }],
      minProperties: 1,
    }),
  address_of: z
    .enum(["same_shop", "another_shop"])
    .optional()
    .describe("Whether a changed address is that of the shop whose records are linked; asked for by `shop_changed`.")
    .meta({ examples: ["another_shop"] }),
});
export type NewCredentials = z.infer<typeof NewCredentials>;

export const StoredCredentials = z.strictObject({
  message: Text(200, "Credentials stored"),
  ...ofConnector,
  keys: z.array(Key).meta({ examples: [["api_key", "base_url"]] }),
});
export type StoredCredentials = z.infer<typeof StoredCredentials>;

export const DeletedCredentials = z.strictObject({ message: Text(200, "Credentials deleted"), ...ofConnector });
export type DeletedCredentials = z.infer<typeof DeletedCredentials>;

export const MaskedCredential = z
  .strictObject({
    key: Key.describe("Name of the field of the configuration."),
    value: z.literal("****").describe("Never the value itself."),
    created_at: Time,
    updated_at: Time,
  })
  .meta({
    id: "ConnectorCredential",
    description: "A stored field of a connector's configuration, without its value.",
  });
export type MaskedCredential = z.infer<typeof MaskedCredential>;

export const CredentialList = z.strictObject({ ...ofConnector, credentials: z.array(MaskedCredential) });

export const ConnectionResult = z.strictObject({
  ...ofConnector,
  connected: z.boolean(),
  message: Text(500, "The example connector is always connected"),
});
export type ConnectionResult = z.infer<typeof ConnectionResult>;
