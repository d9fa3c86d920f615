import type { Tx } from "../command.js";

/**
 * The columns of `fulfillment_pushes` for shipments and, for a push `p` of a shipment, those for its void. Nothing is
 * pushed to a shop that the connector no longer leads to.
 */
export const PUSH = `
  kind, connector_name, warehouse_id, so_id, fulfillment_id, source_order_id, tracking_numbers, carrier, service_level,
  shipped_at`;
export const VOIDED = `
  select 'void' as kind, p.connector_name, p.warehouse_id, p.so_id, p.fulfillment_id, p.source_order_id,
         p.tracking_numbers, p.carrier, p.service_level, p.shipped_at
  from fulfillment_pushes p join item_fulfillments f using (fulfillment_id)
  where p.kind = 'ship' and f.status = 'VOIDED' and p.former_shop is null`;

/**
 * Inserts pushes for the voids of an order's pushed shipments, where no event announces them: the order was reverted.
 */
export const pushVoids = (tx: Pick<Tx, "run">, soId: number): Promise<number> =>
  tx.run(
    `insert into fulfillment_pushes (${PUSH}) select ${PUSH} from (${VOIDED} and p.so_id = $1) v
          order by fulfillment_id on conflict do nothing`,
    [soId],
  );
