import { randomUUID } from "node:crypto";
import type { Change, Floor } from "./change.js";

/** How what is done to the connector registry and to consumer groups is asked twice. */

const CONNECTORS = "/api/admin/connector-registry";
const GROUPS = "/api/admin/consumer-groups";
const name = () => randomUUID().slice(0, 8);

async function connector({ by }: Floor): Promise<string> {
  const connector_id = name();
  const body = { connector_id, display_name: "ERP" };
  await by.ok("POST", CONNECTORS, body);
  return connector_id;
}

async function group(at: Floor): Promise<string> {
  const consumer_group_id = name();
  const connector_id = await connector(at);
  const subscription = { warehouse_ids: [at.warehouse_id] };
  const body = { consumer_group_id, connector_id, subscription };
  await at.by.ok("POST", GROUPS, body);
  return `${GROUPS}/${consumer_group_id}`;
}

export const consumerGroupChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/connector-registry": async ({ by }) => {
    const body = { connector_id: name(), display_name: "ERP" };
    return { by, body, other: { ...body, connector_id: name() } };
  },
  "patch /api/admin/connector-registry/:connector_id": async (at) => ({
    ...{ by: at.by, path: `${CONNECTORS}/${await connector(at)}` },
    ...{ body: { display_name: "New" }, other: { display_name: "Newer" } },
  }),
  "delete /api/admin/connector-registry/:connector_id": async (at) => ({
    ...{ by: at.by, path: `${CONNECTORS}/${await connector(at)}` },
    ...{ body: {}, other: { again: true } },
  }),
  "post /api/admin/consumer-groups": async (at) => {
    const connector_id = await connector(at);
    const subscription = { warehouse_ids: [at.warehouse_id] };
    const body = { consumer_group_id: name(), connector_id, subscription };
    return { by: at.by, body, other: { ...body, consumer_group_id: name() } };
  },
  "patch /api/admin/consumer-groups/:consumer_group_id": async (at) => ({
    ...{ by: at.by, path: await group(at) },
    body: { subscription: { warehouse_ids: [at.warehouse_id] } },
    other: { subscription: {} },
  }),
  "delete /api/admin/consumer-groups/:consumer_group_id": async (at) => ({
    ...{ by: at.by, path: await group(at) },
    ...{ body: {}, other: { again: true } },
  }),
};
