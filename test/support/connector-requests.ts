import type { Change, Floor } from "./change.js";

/** How what is done to connectors is asked twice. */

const CREDENTIALS = "/api/admin/connectors/example/credentials";

export const connectorChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/connectors/:name/credentials": async ({ by, warehouse_id }) => {
    const credentials = { api_key: "k-4711", base_url: "https://shop.example.com" };
    const body = { warehouse_id, credentials };
    return { by, path: CREDENTIALS, body, other: { warehouse_id, credentials: { api_key: "k-4712" } } };
  },
  "delete /api/admin/connectors/:name/credentials": async ({ by, warehouse_id }) => {
    await by.ok("POST", CREDENTIALS, { warehouse_id, credentials: { api_key: "k-4711" } });
    return { by, path: CREDENTIALS, body: { warehouse_id }, other: { warehouse_id, again: true } };
  },
};
