import { z } from "zod";
import * as field from "../platform/fields/index.js";
import { Text } from "../platform/fields.js";
import { type ConfigSchema, type Connector, capabilities, capabilitiesOf } from "./connector.js";

/** Connectors and their stored fields: docs/interface.md, Connectors. */

export const ConnectorName = Text(64, "example");

/** The body of a request that concerns a connector in one warehouse. */
export const ConnectorWarehouse = z
  .strictObject({ warehouse_id: field.WarehouseId })
  .meta({ id: "ConnectorWarehouse", description: "The warehouse whose connector is meant." });

/** A field of a connector's configuration, as a panel shows it. */
const ConfigField = z
  .strictObject({
    type: z.literal("string").describe("Always this one: values of the configuration are texts."),
    required: z.boolean().describe("Whether it has to be given."),
    label: Text(100, "API key").describe("Name for people."),
    description: Text(500, "From the settings of the shop").optional().describe("Where people find the value."),
  })
  .meta({ id: "ConnectorConfigField", description: "A field of a connector's configuration; a panel masks it." });

/** A configuration as panels show it. */
export const DescribedConfig = z
  .record(z.string(), ConfigField)
  .meta({ examples: [{ api_key: { type: "string", required: true, label: "API key" } }] });

export const ConnectorDescription = z
  .strictObject({
    name: ConnectorName.describe("Name of the connector."),
    config_schema: DescribedConfig.describe("What the connector has to be told, by field."),
    capabilities: z
      .array(z.enum(capabilities))
      .meta({ description: "What the connector can do.", examples: [["sync_orders"]] }),
  })
  .meta({ id: "ConnectorDescription", description: "A connector, what it has to be told, and what it can do." });
type ConnectorDescription = z.infer<typeof ConnectorDescription>;

export const describeConnector = (connector: Connector): ConnectorDescription => ({
  name: connector.name,
  config_schema: describeConfig(connector.config),
  capabilities: capabilitiesOf(connector),
});

export const describeConfig = ({ shape }: ConfigSchema): z.infer<typeof DescribedConfig> =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, fieldOf(name, field)]));

function fieldOf(name: string, field: z.ZodType): z.infer<typeof ConfigField> {
  const { label, description } = (field.meta() ?? {}) as { label?: string; description?: string };
  return {
    type: "string",
    required: !field.safeParse(undefined).success,
    label: label ?? name,
    ...(description !== undefined && { description }),
  };
}
