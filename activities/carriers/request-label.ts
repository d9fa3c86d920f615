import { senderAddress } from "../../src/carriers/address.js";
import { customsFrom } from "../../src/carriers/customs.js";
import { LABEL, OF_LABEL } from "../../src/carriers/label-queries.js";
import { Label, type NewLabel } from "../../src/carriers/label-shapes.js";
import { readyParcel } from "../../src/carriers/parcel.js";
import {
  AlreadyLabelled,
  CarrierAccountInactive,
  CarrierAccountNotFound,
  NoCarrierAccount,
  ParcelNotClosed,
  TrackingNumberGiven,
  TrackingNumberNeeded,
} from "../../src/carriers/problems.js";
import { ACCOUNT, PARCEL_TO_SEND, SentParcel } from "../../src/carriers/queries.js";
import { carrierNamed, isByHand } from "../../src/carriers/registry.js";
import { CarrierAccount } from "../../src/carriers/shapes.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { ParcelNotFound } from "../../src/shipping/parcels/problems.js";
import { command, type Tx } from "../command.js";
import { joinCollection } from "./begin-collection.js";

/**
 * Asks for the label of a parcel: its workflow buys it. One that was bought by hand is noted with its tracking number.
 */
export function requestLabel(parcel_id: number, input: NewLabel, by: Actor): Promise<Label> {
  return command("carriers.requestLabel", by, { parcel_id, ...input }, async (tx) => {
    const [parcel, live, counted, inWarehouse] = await tx.inOrder([
      lockParcel(tx, parcel_id),
      tx.row(StatusRow, LIVE, [parcel_id]),
      tx.row(CountRow, COUNT, [parcel_id]),
      tx.rows(CarrierAccount, ACCOUNTS, [parcel_id, input.account_id ?? null]),
    ]);
    if (!parcel) throw ParcelNotFound();
    checkWarehouse(by, parcel.warehouse_id);
    if (live) throw AlreadyLabelled({ status: live.status }, { purchase_id: live.purchase_id });
    const accounts = accountsToAsk(inWarehouse, input.account_id);
    const account = input.account_id === undefined ? undefined : accounts[0];
    const byHand = account !== undefined && isByHand(carrierNamed(account.carrier));
    if (byHand && input.tracking_number === undefined) throw TrackingNumberNeeded();
    if (!byHand && input.tracking_number !== undefined) throw TrackingNumberGiven({ carrier: titleOf(account) });
    if (byHand) {
      if (parcel.status !== "CLOSED") throw ParcelNotClosed({ status: parcel.status });
    } else {
      const ready = readyParcel(parcel);
      for (const { ship_from } of accounts) customsFrom(senderAddress(ship_from), ready);
    }
    const number = (counted?.so_far ?? 0) + 1;
    const made = await insert(tx, { ...parcel, number }, input, by, byHand ? account : undefined);
    if (byHand) {
      await noteOnParcel(tx, made);
      await joinCollection(tx, made);
    }
    const { purchase_id, status, carrier, service, tracking_number, cost_minor, cost_currency } = made;
    tx.audit({
      action: byHand ? "LABEL_BY_HAND" : "LABEL_REQUEST",
      ...entityOf(made),
      details: {
        ...{ purchase_id, parcel_number: made.parcel_number, so_number: made.so_number, status },
        ...(byHand ? { carrier, service, tracking_number, cost_minor, cost_currency } : input),
      },
    });
    return made;
  });
}

const titleOf = (account: CarrierAccount | undefined) => (account ? carrierNamed(account.carrier).title : "A carrier");

/** Labels are told at the order, where people look for them. */
export const entityOf = ({ so_id, warehouse_id }: Pick<Label, "so_id" | "warehouse_id">) => ({
  entity: "SO",
  entityId: so_id,
  warehouseId: warehouse_id,
});

async function lockParcel(tx: Tx, parcelId: number): Promise<SentParcel | undefined> {
  const [, parcel] = await tx.inOrder([
    tx.run("select from parcels where parcel_id = $1 for update", [parcelId]),
    tx.row(SentParcel, PARCEL_TO_SEND, [parcelId]),
  ]);
  return parcel;
}

const StatusRow = Label.pick({ purchase_id: true, status: true });
const LIVE = `select purchase_id, status from label_purchases
  where parcel_id = $1 and status in ('pending', 'bought', 'voiding', 'void_failed')`;

const CountRow = { so_far: int };
const COUNT = "select count(*)::int as so_far from label_purchases where parcel_id = $1";

const ACCOUNTS = `select ${ACCOUNT} from carrier_accounts a
  where warehouse_id = (select warehouse_id from parcels where parcel_id = $1)
    and case when $2::int is null then is_active else account_id = $2 end`;

/** The account that was asked for; where none was, those of the warehouse that are asked: one has to be in use. */
function accountsToAsk(found: CarrierAccount[], accountId?: number): CarrierAccount[] {
  if (accountId === undefined) {
    const asked = found.filter(({ carrier }) => !isByHand(carrierNamed(carrier)));
    if (asked.length === 0) throw NoCarrierAccount();
    return asked;
  }
  const [account] = found;
  if (!account) throw CarrierAccountNotFound();
  if (!account.is_active) throw CarrierAccountInactive({ account_name: account.account_name });
  return [account];
}

/** Writes the purchase, and reads it in the same statement. */
async function insert(
  tx: Tx,
  { parcel_id, warehouse_id, number }: Pick<SentParcel, "parcel_id" | "warehouse_id"> & { number: number },
  { account_id, carrier, service, station, tracking_number, cost_minor, cost_currency, customs_contents }: NewLabel,
  by: Actor,
  byHand: CarrierAccount | undefined,
): Promise<Label> {
  return (await tx.row(
    Label,
    `with l as (
       insert into label_purchases (parcel_id, warehouse_id, purchase_number, status, wanted_account, wanted_carrier,
         wanted_service, customs_contents, station, account_id, carrier, service, reason, tracking_number, cost_minor,
         cost_currency, bought_at, completed_at, requested_by)
       values (:parcel_id, :warehouse_id, :number, :status, :wanted_account, :wanted_carrier, :wanted_service,
         :customs_contents, :station, :account_id, :carrier, :service, :reason, :tracking_number, :cost_minor,
         :cost_currency, case when :by_hand then now() end, case when :by_hand then now() end, :requested_by)
       returning *)
     select ${LABEL} from l ${OF_LABEL}`,
    {
      ...{ parcel_id, warehouse_id, number, station: station ?? null, requested_by: by.username },
      ...{ by_hand: byHand !== undefined, customs_contents: customs_contents ?? null },
      ...{ wanted_account: account_id ?? null, wanted_carrier: carrier ?? null, wanted_service: service ?? null },
      ...(byHand
        ? {
            ...{ status: "bought", account_id: byHand.account_id, carrier: carrier ?? byHand.account_name },
            ...{ service: service ?? null, reason: "It was bought by hand", tracking_number },
            ...{ cost_minor: cost_minor ?? null, cost_currency: cost_currency ?? null },
          }
        : {
            ...{ status: "pending", account_id: null, carrier: null, service: null, reason: null },
            ...{ tracking_number: null, cost_minor: null, cost_currency: null },
          }),
    },
  )) as Label;
}

export async function readLabel(tx: Tx, purchaseId: number): Promise<Label> {
  const sql = `select ${LABEL} from label_purchases l ${OF_LABEL} where l.purchase_id = $1`;
  return (await tx.row(Label, sql, [purchaseId])) as Label;
}

const NotedRow = {
  ...{ external_id: text, parcel_number: int, status: text, fulfillment_id: int.nullable(), so_id: int },
  ...{ order_external_id: text, so_number: text, warehouse_id: int },
};

/**
 * Writes to the parcel what its label says. One that left without waiting for it gets it, too, and so do its shipment
 * and what its shop has not been told yet; partners are told by `parcel.tracking_added`.
 */
export async function noteOnParcel(tx: Tx, label: Label): Promise<void> {
  const { parcel_id, carrier, service, tracking_number, cost_minor, cost_currency } = label;
  const noted = await tx.row(
    NotedRow,
    `update parcels p
     set carrier = :carrier, service = :service, tracking_number = :tracking_number, cost_minor = :cost_minor,
         cost_currency = :cost_currency, updated_at = now()
     from sales_orders so
     where so.so_id = p.so_id and p.parcel_id = :parcel_id
       and (p.status = 'CLOSED' or (p.status = 'SHIPPED' and p.tracking_number is null))
     returning p.external_id, p.parcel_number, p.status, p.fulfillment_id, p.so_id, so.external_id as order_external_id,
       so.so_number, so.warehouse_id`,
    { parcel_id, carrier, service, tracking_number, cost_minor, cost_currency },
  );
  if (noted?.status !== "SHIPPED" || carrier === null || tracking_number === null) return;
  const { so_id, so_number, warehouse_id, fulfillment_id, order_external_id } = noted;
  await tx.run(
    `with shipment as (
       update item_fulfillments set carrier = $2, tracking_number = $3 where fulfillment_id = $1
     ), push as (
       update fulfillment_pushes set carrier = $2, tracking_numbers = array[$3], updated_at = now()
       where fulfillment_id = $1 and kind = 'ship' and status = 'pending'
     )
     update sales_orders set carrier = $2, tracking_number = $3, updated_at = clock_timestamp()
     where so_id = $4 and status = 'SHIPPED' and tracking_number is null`,
    [fulfillment_id, carrier, tracking_number, so_id],
  );
  tx.emit({
    type: "parcel.tracking_added",
    ...ofSalesOrder({ so_id, external_id: order_external_id, warehouse_id }),
    data: {
      ...{ sales_order_external_id: order_external_id, so_number, package_external_id: noted.external_id },
      ...{ parcel_number: noted.parcel_number, carrier, service_level: service, tracking_number, added_at: tx.now },
    },
  });
}
