import { z } from "zod";
import { bool, int, text } from "../platform/db/columns.js";
import { db } from "../platform/db/db.js";
import { codeOf } from "../platform/db/list.js";
import { msUntil } from "../platform/db/ms-until.js";
import { ContentKind } from "../shipping/customs/shapes.js";
import { Label } from "./label-shapes.js";

/** The columns of a label `l` with its parcel `p`, its order `so` and its file `f`. */
export const LABEL = `
  l.purchase_id, l.parcel_id, p.so_id, so.so_number, p.parcel_number, l.purchase_number, l.warehouse_id,
  ${codeOf("l.warehouse_id")}, l.status, l.account_id, l.carrier, l.service, l.reason, l.tracking_number,
  l.cost_minor, l.cost_currency, f.format as label_format, l.refund, l.refusal, l.faults, l.attempts, l.last_error,
  l.requested_by, l.created_at, l.bought_at, l.completed_at`;

export const OF_LABEL = `join parcels p using (parcel_id) join sales_orders so using (so_id)
  left join parcel_labels f using (purchase_id)`;

/** The labels of a parcel, the newest first. */
export const labelsOf = (parcelId: number): Promise<Label[]> =>
  db.rows(
    Label,
    `select ${LABEL} from label_purchases l ${OF_LABEL} where l.parcel_id = $1 order by l.purchase_id desc`,
    [parcelId],
  );

export const labelById = (purchaseId: number): Promise<Label | undefined> =>
  db.row(Label, `select ${LABEL} from label_purchases l ${OF_LABEL} where l.purchase_id = $1`, [purchaseId]);

/** Labels of which the carrier has not paid back yet, those that were asked about longest ago first. */
export const openRefunds = (days: number, most: number): Promise<OpenRefund[]> =>
  db.rows(
    OpenRefund,
    `select purchase_id, account_id, remote_id from label_purchases
     where refund = 'submitted' and remote_id is not null and completed_at > now() - $1 * interval '1 day'
     order by updated_at limit $2`,
    [days, most],
  );
const OpenRefund = z.strictObject({ purchase_id: int, account_id: int, remote_id: text });
export type OpenRefund = z.infer<typeof OpenRefund>;

/** What an attempt needs to know of a purchase. */
export const Purchase = z.strictObject({
  ...Label.pick({ purchase_id: true, parcel_id: true, warehouse_id: true, warehouse_code: true, so_number: true })
    .shape,
  ...Label.pick({
    parcel_number: true,
    purchase_number: true,
    status: true,
    account_id: true,
    carrier: true,
    service: true,
  }).shape,
  ...Label.pick({ attempts: true, last_error: true }).shape,
  key: text,
  ...{ wanted_account: int.nullable(), wanted_carrier: text.nullable(), wanted_service: text.nullable() },
  customs_contents: ContentKind.nullable(),
  ...{ remote_id: text.nullable(), rate_id: text.nullable(), label_ref: text.nullable(), station: text.nullable() },
  /** Whether a label may have been bought, and whether it is known to be. */
  ...{ buying: bool, bought: bool, stored: bool },
  /** Until another process, that may have asked the carrier to sell, has given up waiting for the answer. */
  settles_ms: int,
  /** Until the next attempt is due. */
  wait_ms: int,
});
export type Purchase = z.infer<typeof Purchase>;

/** @param settlesMs How long a request to buy may be under way. */
export const readPurchase = (purchaseId: number, settlesMs: number): Promise<Purchase | undefined> =>
  db.row(
    Purchase,
    `select l.purchase_id, l.parcel_id, l.warehouse_id, ${codeOf("l.warehouse_id")}, so.so_number, p.parcel_number,
            l.status, l.account_id, l.carrier, l.service, l.attempts, l.last_error, l.purchase_number, l.key,
            l.wanted_account, l.wanted_carrier, l.wanted_service, l.remote_id, l.rate_id, l.label_ref, l.station,
            l.customs_contents,
            l.buying_at is not null as buying, l.bought_at is not null as bought,
            f.purchase_id is not null as stored,
            coalesce(${msUntil("(l.buying_at + $2 * interval '1 millisecond')")}, 0) as settles_ms,
            ${msUntil("l.due_at")} as wait_ms
     from label_purchases l ${OF_LABEL} where l.purchase_id = $1`,
    [purchaseId, settlesMs],
  );
