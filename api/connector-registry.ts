import { z } from "zod";
import {
  addConnector,
  removeConnector,
  renameConnector,
} from "../activities/connector-registry.js";
import {
  ConnectorInUse,
  ConnectorNotFound,
  DuplicateConnectorId,
} from "../src/connector-registry/problems.js";
import { connectors } from "../src/connector-registry/queries.js";
import { ConnectorId, Name, Time } from "./fields.js";
import { page, route } from "./route.js";

/** Names that own consumer groups, webhooks and tokens: reference 04 §2. */

const DisplayName = Name(128, "ERP of Acme");
const Connector = z.strictObject({
  connector_id: ConnectorId,
  display_name: DisplayName,
  created_at: Time,
  updated_at: Time,
});
const params = z.strictObject({ connector_id: ConnectorId });

export const listConnectors = route("get /api/admin/connector-registry", {
  for: page("consumer-groups"),
  summary: "The connectors of the registry, by id",
  answers: { 200: z.strictObject({ connectors: z.array(Connector) }) },
  run: async () => ({ connectors: await connectors() }),
});

export const createConnector = route("post /api/admin/connector-registry", {
  for: page("consumer-groups"),
  summary: "Names a connector, which may then own groups, webhooks and tokens",
  body: z.strictObject({
    connector_id: ConnectorId,
    display_name: DisplayName,
  }),
  answers: { 201: Connector },
  errors: [DuplicateConnectorId],
  run: ({ body, by }) => addConnector(body, by),
});

export const editConnector = route(
  "patch /api/admin/connector-registry/:connector_id",
  {
    for: page("consumer-groups"),
    summary: "Gives a connector another display name",
    params,
    body: z.strictObject({ display_name: DisplayName }),
    answers: { 200: Connector },
    errors: [ConnectorNotFound],
    run: ({ params, body, by }) => renameConnector({ ...params, ...body }, by),
  },
);

export const deleteConnector = route(
  "delete /api/admin/connector-registry/:connector_id",
  {
    for: page("consumer-groups"),
    summary: "Takes a connector that owns nothing out of the registry",
    params,
    answers: {
      200: z.strictObject({
        connector_id: ConnectorId,
        deleted: z.literal(true),
      }),
    },
    errors: [ConnectorNotFound, ConnectorInUse],
    run: ({ params, by }) => removeConnector(params.connector_id, by),
  },
);
