import { z } from "zod";
import { bool, int } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { builder } from "../platform/db/list.js";
import { listPage } from "../platform/db/listing.js";
import { type LinkFilters, linkList, PartnerLink, PartnerSelf } from "./shapes.js";

/** The columns of a `PartnerLink`. */
export const PARTNER_LINK = `partner_link_id, connector_id, link_name, warehouse_ids, event_types, made_by, made_at,
  expires_at, revoked_at, last_used_at`;

/** The links of all partners, or of one connector, by id. */
export function partnerLinks(filters: LinkFilters) {
  const { connector_id } = filters;
  const query = builder("partner_links").select(builder.raw(PARTNER_LINK)).orderBy("partner_link_id");
  if (connector_id) query.where({ connector_id });
  return listPage(PartnerLink, "partner_links", query, filters, linkList);
}

/** An `OpenLink`, whether it opens anything, and whether `last_used_at` is over a minute old. */
const FoundLink = z.strictObject({
  ...PartnerLink.shape,
  sandbox_warehouse_id: int.nullable(),
  is_open: bool,
  unnoted: bool,
  lasts_seconds: int,
});

const FOUND = `select ${PARTNER_LINK}, revoked_at is null and expires_at > now() as is_open,
    coalesce(last_used_at < now() - interval '1 minute', true) as unnoted,
    greatest(0, extract(epoch from expires_at - now()))::bigint as lasts_seconds,
    (select s.warehouse_id from sandboxes s
     where s.connector_id = partner_links.connector_id and s.ended_at is null) as sandbox_warehouse_id
  from partner_links`;

/** The link with the token of this hash, one that opens nothing any more too. */
export const linkOfToken = (hash: string) => db.row(FoundLink, `${FOUND} where token_hash = $1`, [hash]);

/** The link of a session. After a restore the number may be that of another one, made at another time. */
export const linkOfSession = (id: number, madeAt: string) =>
  db.row(FoundLink, `${FOUND} where partner_link_id = $1 and made_at = $2`, [id, madeAt]);

/** What the page of a link is about. */
export const partnerSelf = (linkId: number) =>
  db.row(
    PartnerSelf,
    `select l.connector_id, c.display_name, link_name, event_types, expires_at,
            (select coalesce(json_agg(json_build_object('warehouse_id', warehouse_id, 'warehouse_code', warehouse_code)
                                      order by warehouse_id), '[]')
             from warehouses where warehouse_id = any(l.warehouse_ids)) as warehouses
     from partner_links l join connectors c using (connector_id) where partner_link_id = $1`,
    [linkId],
  );
