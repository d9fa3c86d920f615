import { z } from "zod";
import { TOKEN } from "../auth/tokens/queries.js";
import { TokenRecord } from "../auth/tokens/shapes.js";
import { GROUP } from "../outbound/consumer-groups/queries.js";
import { ConsumerGroup } from "../outbound/consumer-groups/shapes.js";
import { horizon } from "../outbound/polling/queries.js";
import { arrayOf, int, text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import type { PartnerPolling } from "./shapes.js";

/** How far the readers of a connector are, and with which tokens it comes. */
export async function partnerPolling(connectorId: string): Promise<PartnerPolling> {
  const [{ event_id: newest_event_id }, groups, tokens] = await Promise.all([
    horizon(),
    db.rows(ConsumerGroup, `select ${GROUP} from consumer_groups where connector_id = $1 order by consumer_group_id`, [
      connectorId,
    ]),
    db.rows(TokenRecord, `select ${TOKEN} from wms_tokens where connector_id = $1 order by token_id desc`, [
      connectorId,
    ]),
  ]);
  return {
    newest_event_id,
    consumer_groups: groups.map(({ connector_id: _, ...group }) => ({
      ...group,
      behind: Math.max(0, newest_event_id - group.last_cursor),
    })),
    tokens: tokens.map((token) => ({
      ...{ token_id: token.token_id, token_name: token.token_name, status: token.status },
      ...{ endpoints: token.endpoints, event_types: token.event_types, warehouse_ids: token.warehouse_ids },
      ...{ source_system: token.source_system, inbound_resources: token.inbound_resources },
      ...{ expires_at: token.expires_at, last_used_at: token.last_used_at },
    })),
  };
}

/** The tokens of a connector, revoked ones too: what came with them is the partner's. */
export const tokenIdsOf = async (connectorId: string): Promise<number[]> =>
  (await db.rows({ token_id: int }, "select token_id from wms_tokens where connector_id = $1", [connectorId])).map(
    ({ token_id }) => token_id,
  );

const Pushing = z.strictObject({ source_system: text, warehouse_ids: arrayOf(int) });

/** The valid tokens of a connector that push this resource of this system. */
export const tokensThatPush = (connectorId: string, sourceSystem: string, resource: string) =>
  db.rows(
    Pushing,
    `select source_system, warehouse_ids from wms_tokens
     where connector_id = $1 and source_system = $2 and $3 = any(inbound_resources)
       and status = 'active' and expires_at > now()`,
    [connectorId, sourceSystem, resource],
  );
