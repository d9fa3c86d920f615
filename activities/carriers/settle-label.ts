import { randomUUID } from "node:crypto";
import type { Bought, FieldFault, Refusal, Voided } from "../../src/carriers/carrier.js";
import type { Purchase } from "../../src/carriers/label-queries.js";
import type { Label } from "../../src/carriers/label-shapes.js";
import { nextAfter } from "../../src/carriers/next-attempt.js";
import type { Choice } from "../../src/carriers/rules.js";
import type { LabelAttempted, LabelEnded } from "../../src/carriers/workflow.js";
import { int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import type { LabelPurchaseStatus } from "../../src/platform/states.js";
import { systemActor } from "../../src/platform/system-actor.js";
import type { SentTo } from "../../src/shipping/parcels/sent-to.js";
import { command, type Tx } from "../command.js";
import { joinCollection } from "./begin-collection.js";
import { entityOf, noteOnParcel, readLabel } from "./request-label.js";

/** What is stored of a purchase on its way. Where somebody took it back meanwhile, its row says so. */

const StatusRow = { status: text };
const LONGEST = { id: 128, reason: 500, ref: 2_000, tracking: 255, name: 100 };

/**
 * Chooses what is bought, once: whoever comes second gets undefined, and looks for what the first one chose. From now
 * on a label may have been bought: the request to buy comes next, so its row is written once for both.
 */
export async function storeChoice(
  label: Purchase,
  { rate, reason }: Choice,
  remoteId: string,
  sentTo: SentTo,
): Promise<Purchase | undefined> {
  const chosen = {
    ...{ account_id: rate.account_id, remote_id: remoteId, rate_id: rate.rate_id },
    ...{ carrier: rate.carrier.slice(0, LONGEST.name), service: rate.service.slice(0, LONGEST.name) },
  };
  const stored = await db.run(
    `update label_purchases
     set account_id = :account_id, remote_id = :remote_id, rate_id = :rate_id, carrier = :carrier, service = :service,
         reason = :reason, sent_to = :sent_to, buying_at = now(), updated_at = now()
     where purchase_id = :purchase_id and status = 'pending' and remote_id is null`,
    {
      ...{ ...chosen, purchase_id: label.purchase_id },
      ...{ reason: reason.slice(0, LONGEST.reason), sent_to: JSON.stringify(sentTo) },
    },
  );
  return stored === 1 ? { ...label, ...chosen, buying: true } : undefined;
}

/** From now on a label that was chosen before may have been bought. False where it was taken back before. */
export const beginToBuy = async (purchaseId: number): Promise<boolean> =>
  (await db.run(
    "update label_purchases set buying_at = now(), updated_at = now() where purchase_id = $1 and status = 'pending'",
    [purchaseId],
  )) === 1;

/** Nothing was bought after all, the carrier says: another request to buy may be made. */
export const notBought = (purchaseId: number) =>
  db.run("update label_purchases set buying_at = null where purchase_id = $1 and bought_at is null", [purchaseId]);

/**
 * A label is bought: known from now on, whatever becomes of this process. Undefined where it was known before, or
 * somebody took it back meanwhile.
 */
export async function storeBought(label: Purchase, { currency, ...of }: Bought): Promise<Purchase | undefined> {
  const bought = {
    ...{ carrier: of.carrier.slice(0, LONGEST.name), service: of.service.slice(0, LONGEST.name) },
    label_ref: of.label_ref?.slice(0, LONGEST.ref) ?? null,
  };
  const { purchase_id } = label;
  const stored = await db.row(
    StatusRow,
    `with bought as (
       update label_purchases
       set bought_at = now(), tracking_number = :tracking_number, carrier = :carrier, service = :service,
           cost_minor = :cost_minor, cost_currency = :currency, label_ref = :label_ref, updated_at = now()
       where purchase_id = :purchase_id and bought_at is null
       returning purchase_id, parcel_id, warehouse_id, account_id, tracking_number, status),
     tracked as (
       insert into parcel_trackings (purchase_id, parcel_id, warehouse_id, account_id, tracking_number)
       select purchase_id, parcel_id, warehouse_id, account_id, tracking_number from bought
       on conflict do nothing)
     select status from bought`,
    {
      ...{ ...bought, purchase_id, currency, cost_minor: of.cost_minor },
      tracking_number: of.tracking_number.slice(0, LONGEST.tracking),
    },
  );
  return stored?.status === "pending" ? { ...label, ...bought, bought: true } : undefined;
}

export const storeFile = (purchaseId: number, format: "pdf" | "zpl", content: Buffer) =>
  db.run("insert into parcel_labels (purchase_id, format, content) values ($1, $2, $3) on conflict do nothing", [
    ...[purchaseId, format, content],
  ]);

/** What an attempt ends with. */
export interface End {
  status: Exclude<LabelPurchaseStatus, "pending" | "voiding" | "written_off">;
  why?: string | null;
  refusal?: Refusal;
  faults?: FieldFault[];
  refund?: Voided;
}

const actions: Record<End["status"], string> = {
  bought: "LABEL_BOUGHT",
  failed: "LABEL_FAILED",
  cancelled: "LABEL_CANCEL",
  voided: "LABEL_VOIDED",
  void_failed: "LABEL_VOID_FAILED",
};

/** How the row of a purchase that has ended is told to its workflow. */
export const endedOf = (status: End["status"] | "written_off"): LabelEnded =>
  status === "cancelled" || status === "written_off" ? "withdrawn" : status;

/** Ends a purchase, as the system user, from the status that the attempt began with. */
export function settleLabel(of: Purchase, end: End): Promise<LabelAttempted> {
  const { purchase_id, status: from } = of;
  const { status, why = null, refusal = null, faults = [], refund = null } = end;
  // Repeated after a lost answer, it finds the row that it wrote.
  const by = systemActor(`label-${purchase_id}:${randomUUID()}`);
  return command("carriers.settleLabel", by, { purchase_id, ...end }, async (tx) => {
    if (status === "bought") await lockShippedOrder(tx, of.parcel_id);
    const [label, parcel] = await tx.inOrder([lockLabelOf(tx, of), statusOfParcel(tx, of.parcel_id)]);
    if (label?.status !== from) return again(label, why);
    if (status === "bought" && parcel?.status === "VOIDED") return withdrawn(tx, label);
    await tx.later.run(
      `update label_purchases
       set status = :status, last_error = :why, refusal = :refusal, faults = :faults, refund = :refund,
           attempts = attempts + 1, completed_at = now(), updated_at = now()
       where purchase_id = :purchase_id`,
      {
        purchase_id,
        status,
        why: why?.slice(0, LONGEST.reason) ?? null,
        refusal,
        faults: JSON.stringify(faults),
        refund,
      },
    );
    if (status === "bought") {
      await noteOnParcel(tx, label);
      await joinCollection(tx, label);
    }
    if (status === "voided") {
      await forgetOnParcel(tx, label);
      await endTracking(tx, label);
    }
    auditLabel(tx, actions[status], label, { ...(why !== null && { why }), ...(refund && { refund }) });
    return { ended: endedOf(status), why: refund === "submitted" ? NOT_PAID_BACK : why };
  });
}

const NOT_PAID_BACK = "the carrier took it back; it has not paid back yet, and is asked every six hours";

const ShippedRow = { so_id: int };

/** The order of a parcel that left before its label was bought gets its number: orders are locked before parcels. */
async function lockShippedOrder(tx: Tx, parcelId: number): Promise<void> {
  const shipped = await tx.row(ShippedRow, "select so_id from parcels where parcel_id = $1 and status = 'SHIPPED'", [
    parcelId,
  ]);
  if (shipped) await tx.run("select from sales_orders where so_id = $1 for update", [shipped.so_id]);
}

const statusOfParcel = (tx: Tx, parcelId: number) =>
  tx.row(StatusRow, "select status from parcels where parcel_id = $1", [parcelId]);

/** Its parcel was voided while it was being bought: the next thing is to take it back. */
async function withdrawn(tx: Tx, label: Label): Promise<LabelAttempted> {
  await setVoiding(tx, label);
  return again({ ...label, status: "voiding", attempts: 0 }, null);
}

export async function setVoiding(tx: Tx, label: Label): Promise<void> {
  await tx.run(
    `update label_purchases
     set status = 'voiding', attempts = 0, due_at = now(), last_error = null, completed_at = null, updated_at = now()
     where purchase_id = $1`,
    [label.purchase_id],
  );
  auditLabel(tx, "LABEL_VOID", label);
}

/** After an attempt that came to no end: when the next one is due. */
export async function settleFailure(of: Purchase, error: Error): Promise<LabelAttempted> {
  const why = error.message;
  const { attempts, wait_ms } = nextAfter(of.attempts, error);
  await db.run(
    `update label_purchases
     set attempts = :attempts, last_error = :why, due_at = now() + :wait_ms * interval '1 millisecond',
         updated_at = now()
     where purchase_id = :purchase_id and status = :status`,
    { purchase_id: of.purchase_id, status: of.status, attempts, why: why.slice(0, LONGEST.reason), wait_ms },
  );
  return { why, takes_back: of.status === "voiding", next: { attempt: attempts + 1, wait_ms } };
}

/** It was taken back, or ended, during the attempt: look at its row again. */
const again = (label: Label | undefined, why: string | null): LabelAttempted =>
  label && (label.status === "pending" || label.status === "voiding")
    ? { why, takes_back: label.status === "voiding", next: { attempt: label.attempts + 1, wait_ms: 0 } }
    : { why, ended: label ? endedOf(label.status as End["status"]) : "gone" };

const ParcelRow = { parcel_id: int };

/** The locked purchase; undefined where it is gone. */
export async function lockLabel(tx: Tx, purchase_id: number): Promise<Label | undefined> {
  const of = await tx.row(ParcelRow, "select parcel_id from label_purchases where purchase_id = $1", [purchase_id]);
  return of && lockLabelOf(tx, { purchase_id, ...of });
}

/** It is locked behind its parcel: who changes a parcel locks it first, too. */
async function lockLabelOf(
  tx: Tx,
  { purchase_id, parcel_id }: Pick<Label, "purchase_id" | "parcel_id">,
): Promise<Label | undefined> {
  const [, , label] = await tx.inOrder([
    tx.run("select from parcels where parcel_id = $1 for update", [parcel_id]),
    tx.run("select from label_purchases where purchase_id = $1 for update", [purchase_id]),
    readLabel(tx, purchase_id),
  ]);
  return label;
}

/** Nobody carries the parcel with a label that was taken back. */
const endTracking = (tx: Tx, { purchase_id }: Label): Promise<number> =>
  tx.run(
    `update parcel_trackings
     set ended_at = now(), look_at = null, closed_by = 'system', close_reason = 'The label was taken back'
     where purchase_id = $1 and ended_at is null`,
    [purchase_id],
  );

/** Takes from the parcel what a label said that was taken back; a shipped one keeps what it was shipped with. */
export const forgetOnParcel = (tx: Tx, { parcel_id, tracking_number }: Label): Promise<number> =>
  tx.run(
    `update parcels
     set carrier = null, service = null, tracking_number = null, cost_minor = null, cost_currency = null,
         updated_at = now()
     where parcel_id = $1 and tracking_number = $2 and status <> 'SHIPPED'`,
    [parcel_id, tracking_number],
  );

export function auditLabel(tx: Tx, action: string, label: Label, more: Record<string, unknown> = {}): void {
  const { purchase_id, parcel_number, so_number, carrier, service, tracking_number, cost_minor, cost_currency } = label;
  tx.audit({
    action,
    ...entityOf(label),
    details: {
      ...{ purchase_id, parcel_number, so_number, carrier, service, tracking_number, cost_minor, cost_currency },
      ...more,
    },
  });
}
