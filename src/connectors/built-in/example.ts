import { z } from "zod";
import { defineConnector } from "../connector.js";

const none = async () => ({ records: [], next: null });

/** An example connector: it reaches nothing, and always succeeds. */
export default defineConnector({
  name: "example",
  versions: "lexicographic",
  config: z.strictObject({
    api_key: z.string().meta({ label: "API key", description: "Any text: nothing is done with it." }),
    base_url: z.url().meta({ label: "Base URL", description: "Any address of the public internet." }),
  }),
  asksNobody: true,
  syncOrders: none,
  syncItems: none,
  syncInventory: none,
  pushFulfillment: async () => ({}),
  testConnection: async () => "The example connector is always connected",
});
