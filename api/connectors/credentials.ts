import { z } from "zod";
import { deleteCredentials, storeCredentials } from "../../activities/connectors/credentials.js";
import { testConnection } from "../../activities/connectors/test-connection.js";
import {
  ConnectionResult,
  CredentialList,
  DeletedCredentials,
  MaskedCredential,
  NewCredentials,
  StoredCredentials,
} from "../../src/connectors/credential-shapes.js";
import { DestinationBlocked } from "../../src/connectors/http/ask.js";
import {
  BlockedDestination,
  HostNotAllowed,
  NotConfigured,
  SecretsNeeded,
  ShopChanged,
  UnknownCredential,
} from "../../src/connectors/problems.js";
import { maskedCredentials } from "../../src/connectors/queries.js";
import { installed } from "../../src/connectors/registry.js";
import { ConnectorName, ConnectorWarehouse } from "../../src/connectors/shapes.js";
import { ConfigFault, notConfigured } from "../../src/connectors/stored-config.js";
import * as field from "../../src/platform/fields/index.js";
import { wholeList } from "../../src/platform/list.js";
import { page, route } from "../http/route.js";
import { connectorProblems, namedConnector } from "./named.js";

/** The configuration of connectors: docs/interface.md, Connectors. A USER sets it for own warehouses. */

const PER_MINUTE = 10;
const params = z.strictObject({ name: ConnectorName.describe("Name of the connector.") });

export const storeConnectorCredentials = route("post /api/admin/connectors/:name/credentials", {
  for: page("integrations"),
  stepUp: true,
  perMinute: PER_MINUTE,
  summary: "Stores fields of a connector's configuration for a warehouse, encrypted; others stay as they are",
  params,
  body: NewCredentials,
  answers: { 200: StoredCredentials },
  errors: [...connectorProblems, UnknownCredential, HostNotAllowed, SecretsNeeded, ShopChanged],
  run: ({ params: { name }, body, by, options }) => storeCredentials(installed(name), body, options, by),
});

export const listConnectorCredentials = route("get /api/admin/connectors/:name/credentials", {
  for: page("integrations"),
  summary: "Which fields of a connector's configuration are stored for a warehouse; never their values",
  params,
  query: z.strictObject({ warehouse_id: field.WarehouseIdParam, ...wholeList(MaskedCredential) }),
  answers: { 200: CredentialList },
  errors: connectorProblems,
  run: async ({ params: { name }, query: { warehouse_id }, by }) => {
    await namedConnector(name, warehouse_id, by);
    return { connector: name, warehouse_id, credentials: await maskedCredentials(name, warehouse_id) };
  },
});

export const deleteConnectorCredentials = route("delete /api/admin/connectors/:name/credentials", {
  for: page("integrations"),
  summary: "Deletes a connector's configuration for a warehouse, if there is one",
  params,
  body: ConnectorWarehouse,
  answers: { 200: DeletedCredentials },
  errors: connectorProblems,
  run: ({ params: { name }, body: { warehouse_id }, by }) => deleteCredentials(installed(name), warehouse_id, by),
});

export const testConnector = route("post /api/admin/connectors/:name/test", {
  for: page("integrations"),
  perMinute: PER_MINUTE,
  changesNothing: true,
  summary: "Asks the source of a warehouse whether it answers and accepts the stored configuration",
  params,
  body: ConnectorWarehouse,
  answers: { 200: ConnectionResult },
  errors: [...connectorProblems, BlockedDestination, NotConfigured],
  run: async ({ params: { name }, body: { warehouse_id }, by, options }) => {
    const connector = await namedConnector(name, warehouse_id, by);
    const of = { connector: name, warehouse_id };
    try {
      return { ...of, ...(await testConnection(connector, warehouse_id, options)) };
    } catch (error) {
      const refused = { ...of, connected: false, message: error instanceof Error && error.message };
      if (error instanceof DestinationBlocked) throw BlockedDestination({}, refused);
      throw error instanceof ConfigFault ? notConfigured(error, refused) : error;
    }
  },
});
