import { problem } from "../problem.js";

export const UnknownConnector = problem("connector_not_found", 404, "Connector {name} not found");
