import { z } from "zod";
import { ConnectorId, Name, Time } from "../../platform/fields.js";

const DisplayName = Name(128, "ERP of Acme");

export const Connector = z
  .strictObject({
    connector_id: ConnectorId,
    display_name: DisplayName,
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: "Connector", description: "A partner's program, which owns consumer groups, webhooks and tokens." });
export type Connector = z.infer<typeof Connector>;

export const NewConnector = z.strictObject({ connector_id: ConnectorId, display_name: DisplayName });
export type NewConnector = z.infer<typeof NewConnector>;

export const ConnectorEdit = z.strictObject({ display_name: DisplayName });
