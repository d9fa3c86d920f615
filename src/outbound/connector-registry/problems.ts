import { problem } from "../../platform/problem.js";

export const DuplicateConnectorId = problem("duplicate_connector_id", 409, "duplicate_connector_id");
export const ConnectorNotFound = problem("connector_not_found", 404, "connector_not_found");
export const ConnectorInUse = problem("connector_in_use", 409, "connector_in_use");
