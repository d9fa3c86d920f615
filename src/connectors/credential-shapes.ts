import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { Text } from "../platform/fields.js";
import { hasCredentials, SHOWS_CREDENTIALS } from "../platform/url-credentials.js";
import { isUrlField } from "./connector.js";
import { ConnectorName } from "./shapes.js";

/** The stored configuration of a connector, and the result of testing it: docs/interface.md, Connectors. */

const IN_URL = `${SHOWS_CREDENTIALS}; credentials have fields of their own`;

const Key = z
  .string()
  .min(1)
  .max(128)
  .meta({ examples: ["api_key"] });

/** The connector and the warehouse that an answer is about. */
const ofConnector = {
  connector: ConnectorName.describe("The connector, by its name."),
  warehouse_id: field.WarehouseId,
};

export const NewCredentials = z.strictObject({
  warehouse_id: field.WarehouseId,
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
    .meta({
      description:
        "Whether a changed address is that of the shop whose records are linked; asked for by `shop_changed`.",
      examples: ["another_shop"],
    }),
});
export type NewCredentials = z.infer<typeof NewCredentials>;

export const StoredCredentials = z.strictObject({
  message: Text(200, "Credentials stored").describe("What was done, in words."),
  ...ofConnector,
  keys: z.array(Key).meta({ description: "Names of the fields.", examples: [["api_key", "base_url"]] }),
});
export type StoredCredentials = z.infer<typeof StoredCredentials>;

export const DeletedCredentials = z.strictObject({
  message: Text(200, "Credentials deleted").describe("What was done, in words."),
  ...ofConnector,
});
export type DeletedCredentials = z.infer<typeof DeletedCredentials>;

export const MaskedCredential = z
  .strictObject({
    key: Key.describe("Name of the field of the configuration."),
    value: z.literal("****").describe("Never the value itself."),
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
  })
  .meta({
    id: "ConnectorCredential",
    description: "A stored field of a connector's configuration, without its value.",
  });
export type MaskedCredential = z.infer<typeof MaskedCredential>;

export const CredentialList = z.strictObject({
  ...ofConnector,
  credentials: z.array(MaskedCredential).describe("The fields of the connector's configuration."),
});

export const ConnectionResult = z.strictObject({
  ...ofConnector,
  connected: z.boolean().describe("Whether the source answered and accepted the credentials."),
  message: Text(500, "The example connector is always connected").describe("What was done, in words."),
});
export type ConnectionResult = z.infer<typeof ConnectionResult>;
