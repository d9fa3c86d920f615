import { z } from "zod";
import { defineConnector } from "../../../src/connectors/connector.js";

/** A connector of tests that asks its source who is connected. */
export default defineConnector({
  name: "probe",
  versions: "lexicographic",
  config: z.strictObject({
    token: z.string().meta({ label: "Token" }),
    shop_url: z.url().meta({ label: "Shop" }),
    note: z.string().optional().meta({ label: "Note" }),
  }),
  testConnection: async ({ config, request }) => {
    const answer = await request({ url: `${config.shop_url}/me`, headers: { "x-token": config.token } });
    const { name } = answer.json() as { name: string };
    return `Connected as ${name.trim()}`;
  },
});
