import { UnknownConnector } from "../../src/outbound/problems.js";
import { DEFAULT_LINK_DAYS, MAX_LINK_DAYS } from "../../src/partners/link.js";
import { PartnerLinkLastsTooLong, PartnerLinkNotFound } from "../../src/partners/problems.js";
import { PARTNER_LINK } from "../../src/partners/queries.js";
import { type NewPartnerLink, PartnerLink } from "../../src/partners/shapes.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool } from "../../src/platform/db/columns.js";
import { unique } from "../../src/platform/values.js";
import { checkScope } from "../auth/token-scope.js";
import type { Secret } from "../auth/tokens.js";
import { command } from "../command.js";
import { noteTime } from "../note-time.js";
import { shareLockConnector } from "../outbound/connector-registry.js";

/** Links of partners: docs/partners.md. */

/** Makes a link to the page of a connector, which ends at the latest after a year. */
export function makePartnerLink(input: NewPartnerLink, secret: Secret, by: Actor) {
  return command("partners.makeLink", by, { ...input, ...secret }, async (tx) => {
    const { connector_id, link_name } = input;
    if (!(await shareLockConnector(tx, connector_id))) throw UnknownConnector();
    const [warehouse_ids, event_types] = [unique(input.warehouse_ids), unique(input.event_types)];
    await checkScope(tx, { warehouse_ids, event_types, endpoints: [] }, by);
    const asked = await tx.row(
      { is_too_long: bool },
      "select coalesce($1::timestamptz > now() + make_interval(days => $2), false) as is_too_long",
      [input.expires_at, MAX_LINK_DAYS],
    );
    if (asked?.is_too_long) throw PartnerLinkLastsTooLong({ days: MAX_LINK_DAYS });
    const made = (await tx.row(
      PartnerLink,
      `insert into partner_links (connector_id, link_name, token_hash, warehouse_ids, event_types, made_by, expires_at)
       values (:connector_id, :link_name, :hash, :warehouse_ids, :event_types, :made_by,
               coalesce(:expires_at, now() + make_interval(days => :days)))
       returning ${PARTNER_LINK}`,
      {
        ...{ connector_id, link_name, hash: secret.hash, warehouse_ids, event_types },
        ...{ made_by: by.username, expires_at: input.expires_at, days: DEFAULT_LINK_DAYS },
      },
    )) as PartnerLink;
    const { partner_link_id, expires_at } = made;
    const details = { connector_id, link_name, warehouse_ids, event_types, expires_at };
    tx.audit({ action: "PARTNER_LINK_MAKE", entity: "PARTNER_LINK", entityId: partner_link_id, details });
    return { ...made, sealed: secret.sealed };
  });
}

/** Revokes a link: neither it nor a session that was begun with it opens anything any more. */
export function revokePartnerLink(partner_link_id: number, by: Actor): Promise<{ message: string }> {
  return command("partners.revokeLink", by, { partner_link_id }, async (tx) => {
    const link = await tx.row(
      PartnerLink,
      `update partner_links set revoked_at = coalesce(revoked_at, now()) where partner_link_id = $1
       returning ${PARTNER_LINK}`,
      [partner_link_id],
    );
    if (!link) throw PartnerLinkNotFound();
    const { connector_id, link_name } = link;
    tx.audit({
      ...{ action: "PARTNER_LINK_REVOKE", entity: "PARTNER_LINK", entityId: partner_link_id },
      details: { connector_id, link_name },
    });
    return { message: `Link ${link_name} revoked` };
  });
}

/** Sets `last_used_at`, at most once a minute. */
export const noteLinkUse = (linkId: number): Promise<void> =>
  noteTime({ table: "partner_links", key: "partner_link_id", column: "last_used_at", every: "1 minute" }, linkId);
