import { db, unprepared } from "../db.js";
import { type Resource, resources } from "./columns.js";
import { NoSuchInbound, UnknownResource, UnknownStatus } from "./problems.js";

/** What was pushed, and what became of it (reference 04 §5.7). */
export interface InboundRow {
  resource: string;
  /** Null of what was refused: nothing was kept of it. */
  inbound_id: number | null;
  source_system: string;
  external_id: string;
  external_version: string;
  canonical_id: string | null;
  received_at: string;
  status: string;
  superseded_at: string | null;
  ingested_via_token_id: number;
}

export interface InboundFilter {
  source_system?: string | undefined;
  resource?: string | undefined;
  status?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit: number;
}

/** Which statuses of rows a filter means: `accepted` is all that was taken. */
const taken: Record<string, string[]> = {
  accepted: ["applied", "superseded"],
  applied: ["applied"],
  superseded: ["superseded"],
};
const refused = ["stale_version", "lookup_miss", "rejected"];
const statuses = ["accepted", ...refused, "applied", "superseded"];

/** The newest pushes of all resources, refused ones too. */
export async function inboundActivity(
  filter: InboundFilter,
): Promise<InboundRow[]> {
  const { resource, status, source_system, since, until, limit } = filter;
  if (resource !== undefined && !isResource(resource))
    throw UnknownResource({}, { valid: resources });
  if (status !== undefined && !statuses.includes(status))
    throw UnknownStatus({}, { valid: statuses });
  const kept = status === undefined ? taken.accepted : (taken[status] ?? []);
  const noted = refused.filter((one) => status === undefined || status === one);
  const parts = resources
    .filter((one) => resource === undefined || one === resource)
    .map((one) => keptOf(one));
  return unprepared<InboundRow>(
    `select * from (${[...parts, REFUSED].map((part) => `(${part})`).join(" union all ")}) a
     order by received_at desc, inbound_id desc nulls last limit $5`,
    [
      source_system ?? null,
      since ?? null,
      until ?? null,
      kept,
      limit,
      noted,
      resource ?? null,
    ],
  );
}

const isResource = (name: string): name is Resource =>
  (resources as readonly string[]).includes(name);

const WITHIN = `($1::text is null or source_system = $1) and ($2::timestamptz is null or received_at >= $2)
       and ($3::timestamptz is null or received_at <= $3)`;

const ROW = "source_system, external_id, external_version";

const keptOf = (resource: Resource) =>
  `select '${resource}' as resource, inbound_id, ${ROW}, canonical_id, received_at, status, superseded_at, ingested_via_token_id
   from inbound_${resource} where ${WITHIN} and status = any($4::text[])
   order by received_at desc, inbound_id desc limit $5`;

const REFUSED = `select resource, null, ${ROW}, null, received_at, status, null, ingested_via_token_id
   from inbound_refusals where ${WITHIN} and status = any($6::text[]) and ($7::text is null or resource = $7)
   order by received_at desc, refusal_id desc limit $5`;

export interface InboundDetail extends InboundRow {
  /** Null once its retention ended. */
  source_payload: Record<string, unknown> | null;
  canonical_payload: Record<string, unknown>;
}

/** One push with what came and what it became. */
export async function inboundDetail(
  resource: string,
  inboundId: number,
): Promise<InboundDetail> {
  if (!isResource(resource)) throw NoSuchInbound();
  const found = await db.row<InboundDetail>(
    `select '${resource}' as resource, inbound_id, ${ROW}, canonical_id, received_at, status, superseded_at,
            ingested_via_token_id, source_payload, canonical_payload
     from inbound_${resource} where inbound_id = $1`,
    [inboundId],
  );
  if (!found) throw NoSuchInbound();
  return found;
}
