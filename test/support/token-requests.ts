import { randomUUID } from "node:crypto";
import type { Change, Floor } from "./change.js";
import { db } from "./db.js";
import { useEmptyMapping } from "./mappings.js";

/** How what is done to integration tokens, source systems and their ids is asked twice. */

const TOKENS = "/api/admin/tokens";
const SYSTEMS = "/api/admin/source-systems";
const LINKS = "/api/admin/source-links";
const name = () => randomUUID().slice(0, 8);

/** A request for a token that somebody just issued, and another one. */
const on =
  (action: string, body: object = {}, other: object = { again: true }) =>
  async ({ by, warehouse_id }: Floor): Promise<Change> => {
    const asked = { token_name: name(), endpoints: ["events.poll"], warehouse_ids: [warehouse_id] };
    const { token_id } = await by.ok("POST", TOKENS, asked);
    return { by, path: `${TOKENS}/${token_id}${action}`, body, other };
  };

/** An id for an order that nothing has an id of. */
async function newLink({ order }: Floor) {
  const source_system = name();
  await db.run("insert into inbound_source_systems_allowlist (source_system, kind) values ($1, 'connector')", [
    source_system,
  ]);
  const { so_id } = await order();
  const linked = await db.row<{ canonical_id: string }>(
    "select external_id as canonical_id from sales_orders where so_id = $1",
    [so_id],
  );
  return { source_system, source_type: "sales_order", source_id: "4711", ...linked };
}

export const tokenChanges: Record<string, (at: Floor) => Promise<Change>> = {
  "post /api/admin/tokens": async ({ by, warehouse_id }) => {
    const body = { token_name: name(), endpoints: ["events.poll"], warehouse_ids: [warehouse_id] };
    return { by, body, other: { ...body, endpoints: ["events.ack"] } };
  },
  "patch /api/admin/tokens/:token_id": on("", { token_name: "new" }, { token_name: "newer" }),
  "put /api/admin/tokens/:token_id": on("", { token_name: "new" }, { token_name: "newer" }),
  "post /api/admin/tokens/:token_id/rotate": on("/rotate"),
  "post /api/admin/tokens/:token_id/revoke": on("/revoke"),
  "delete /api/admin/tokens/:token_id": on(""),
  "post /api/admin/source-links": async (at) => {
    const body = await newLink(at);
    return { by: at.by, body, other: { ...body, source_id: "4712" } };
  },
  "delete /api/admin/source-links/:link_id": async (at) => {
    const { link_id } = await at.by.ok("POST", LINKS, await newLink(at));
    return { by: at.by, path: `${LINKS}/${link_id}`, body: {}, other: { again: true } };
  },
  "post /api/admin/source-systems": async ({ by }) => {
    const body = { source_system: name(), kind: "connector" };
    await useEmptyMapping(body.source_system);
    return { by, body, other: { ...body, kind: "internal_tool" } };
  },
  "delete /api/admin/source-systems/:source_system": async ({ by }) => {
    const source_system = name();
    await useEmptyMapping(source_system);
    await by.ok("POST", SYSTEMS, { source_system, kind: "connector" });
    const path = `${SYSTEMS}/${source_system}`;
    return { by, path, body: {}, other: { again: true } };
  },
};
