import { z } from "zod";
import * as field from "../../platform/fields/index.js";
import { Name } from "../../platform/fields.js";

const DisplayName = Name(128, "ERP of Acme").describe("Name for people.");

export const Connector = z
  .strictObject({
    connector_id: field.Connector,
    display_name: DisplayName,
    created_at: field.CreatedAt,
    updated_at: field.UpdatedAt,
  })
  .meta({ id: "Connector", description: "A partner's program, which owns consumer groups, webhooks and tokens." });
export type Connector = z.infer<typeof Connector>;

export const NewConnector = z.strictObject({ connector_id: field.Connector, display_name: DisplayName });
export type NewConnector = z.infer<typeof NewConnector>;

export const ConnectorEdit = z.strictObject({ display_name: DisplayName });
