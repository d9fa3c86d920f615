import { type Resource, resources } from "../auth/tokens/scope.js";
import { db, unprepared } from "../platform/db/db.js";
import { canonicalTypes, columns } from "./columns.js";
import { NoSuchInbound, UnknownResource, UnknownStatus } from "./problems.js";
import { canonicalTables } from "./queries.js";
import { activityStatuses, InboundActivity, InboundDetail, type InboundFilters, refusedStatuses } from "./shapes.js";

/** The statuses of accepted pushes that each filter selects. */
const acceptedStatuses: Record<string, string[]> = {
  accepted: ["applied", "superseded"],
  applied: ["applied"],
  superseded: ["superseded"],
};

/**
 * The newest pushes of all resources, refused ones too. `warehouseIds` restricts them to records in these
 * warehouses, `tokenIds` to what came with these tokens; null does not restrict them.
 */
export async function inboundActivity(
  filter: InboundFilters,
  warehouseIds: number[] | null,
  tokenIds: number[] | null = null,
): Promise<InboundActivity[]> {
  const { resource, status, source_system, since, until, limit } = filter;
  if (resource !== undefined && !isResource(resource)) throw UnknownResource({}, { valid: resources });
  if (status !== undefined && !activityStatuses.includes(status)) throw UnknownStatus({}, { valid: activityStatuses });
  const accepted = status === undefined ? acceptedStatuses.accepted : (acceptedStatuses[status] ?? []);
  const refused = refusedStatuses.filter((one) => status === undefined || status === one);
  const seen = resources.filter(
    (one) => (resource === undefined || one === resource) && (warehouseIds === null || hasWarehouse(one)),
  );
  if (seen.length === 0) return [];
  const refusedParts = warehouseIds
    ? seen.map((one) => refusedSql(refusedIn(one, ":warehouseIds")))
    : [refusedSql("true")];
  const parts = [...seen.map((one) => acceptedSql(one, warehouseIds)), ...refusedParts];
  return unprepared(
    InboundActivity,
    `select * from (${parts.map((part) => `(${part})`).join(" union all ")}) a
     order by received_at desc, inbound_id desc limit :limit`,
    { source_system, since, until, accepted, limit, refused, seen, warehouseIds, tokenIds },
  );
}

const isResource = (name: string): name is Resource => (resources as readonly string[]).includes(name);

const WITHIN = `(:source_system::text is null or source_system = :source_system)
       and (:tokenIds::bigint[] is null or ingested_via_token_id = any(:tokenIds))
       and (:since::timestamptz is null or received_at >= :since)
       and (:until::timestamptz is null or received_at <= :until)`;

const ROW = "source_system, external_id, external_version";

const hasWarehouse = (resource: Resource) => "warehouse_id" in columns[resource];

/** SQL: whether the record with this canonical id is in one of the warehouses of a parameter. */
const inWarehouses = (resource: Resource, id: string, parameter: string) => {
  const { table, key } = canonicalTables[resource];
  return `exists (select from ${table} c where c.${key} = ${id} and c.warehouse_id = any(${parameter}::int[]))`;
};

const acceptedSql = (resource: Resource, warehouseIds: number[] | null) =>
  `select '${resource}' as resource, inbound_id, ${ROW}, canonical_id, received_at, status, superseded_at,
    ingested_via_token_id
   from inbound_${resource} where ${WITHIN} and status = any(:accepted::text[])
     and ${warehouseIds ? inWarehouses(resource, `inbound_${resource}.canonical_id`, ":warehouseIds") : "true"}
   order by received_at desc, inbound_id desc limit :limit`;

const refusedSql = (which: string) =>
  `select resource, inbound_id, ${ROW}, null, received_at, status, null, ingested_via_token_id
   from inbound_refusals r where ${WITHIN} and status = any(:refused::text[]) and resource = any(:seen::text[])
     and ${which}
   order by received_at desc, refusal_id desc limit :limit`;

/** SQL: whether the refused push `r` is of a record that exists in one of the warehouses of a parameter. */
const refusedIn = (resource: Resource, parameter: string) =>
  `resource = '${resource}' and exists (
     select from cross_system_mappings m
     where m.source_system = r.source_system and m.source_type = '${canonicalTypes[resource]}'
       and m.source_id = r.external_id
       and ${inWarehouses(resource, "m.canonical_id", parameter)})`;

/** One push with its payloads, or with the answer that refused it; the restrictions are those of `inboundActivity`. */
export async function inboundDetail(
  resource: string,
  inboundId: number,
  warehouseIds: number[] | null,
  tokenIds: number[] | null = null,
): Promise<InboundDetail> {
  if (!isResource(resource)) throw UnknownResource({}, { valid: resources });
  if (warehouseIds && !hasWarehouse(resource)) throw NoSuchInbound();
  const ofTokens = "($3::bigint[] is null or ingested_via_token_id = any($3))";
  const found = await db.row(
    InboundDetail,
    `select '${resource}' as resource, inbound_id, ${ROW}, canonical_id, received_at, status, superseded_at,
            ingested_via_token_id, source_payload, canonical_payload, null::jsonb as refusal
     from inbound_${resource} where inbound_id = $1 and ${ofTokens}
       and ${warehouseIds ? inWarehouses(resource, `inbound_${resource}.canonical_id`, "$2") : "$2::int[] is null"}
     union all
     select resource, inbound_id, ${ROW}, null, received_at, status, null,
            ingested_via_token_id, source_payload, null, coalesce(answer, jsonb_build_object('error_kind', error_kind))
     from inbound_refusals r where resource = '${resource}' and inbound_id = $1 and ${ofTokens}
       and ${warehouseIds ? refusedIn(resource, "$2") : "$2::int[] is null"}`,
    [inboundId, warehouseIds, tokenIds],
  );
  if (!found) throw NoSuchInbound();
  return found;
}
