import { z } from "zod";
import { defineConnector } from "../../../src/connectors/connector.js";

/** A connector of the tests that is told of shipments, but not of voids. */
export default defineConnector({
  name: "one-way-shop",
  versions: "integer",
  config: z.strictObject({}),
  pushFulfillment: async () => ({}),
  testConnection: async () => "connected",
});
