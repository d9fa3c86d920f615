import type { Label, WrittenOff } from "../../src/carriers/label-shapes.js";
import { LabelEnded, LabelledParcelShipped, LabelNotFound, LabelNotRefused } from "../../src/carriers/problems.js";
import { carrierNamed, isByHand } from "../../src/carriers/registry.js";
import type { LabelGivenUp } from "../../src/carriers/workflow.js";
import { type Actor, checkWarehouse } from "../../src/platform/actor.js";
import { bool, text } from "../../src/platform/db/columns.js";
import { labelPurchaseStates, mayBecome } from "../../src/platform/states.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";
import { readLabel } from "./request-label.js";
import { auditLabel, endedOf, forgetOnParcel, lockLabel, setVoiding } from "./settle-label.js";

/** Takes a label back: one that is not bought yet is cancelled; for another one, the carrier is asked. */
export function withdrawLabel(purchase_id: number, by: Actor): Promise<Label> {
  return command("carriers.withdrawLabel", by, { purchase_id }, async (tx) => {
    const label = await lockLabel(tx, purchase_id);
    if (!label) throw LabelNotFound();
    checkWarehouse(by, label.warehouse_id);
    await withdraw(tx, label);
    return readLabel(tx, purchase_id);
  });
}

/**
 * Gives up a label that its carrier does not take back, so that the parcel may have another one: it stays paid, and in
 * what labels cost.
 */
export function writeOffLabel(purchase_id: number, { reason }: WrittenOff, by: Actor): Promise<Label> {
  return command("carriers.writeOffLabel", by, { purchase_id, reason }, async (tx) => {
    const label = await lockLabel(tx, purchase_id);
    if (!label) throw LabelNotFound();
    checkWarehouse(by, label.warehouse_id);
    const { status } = label;
    if (!mayBecome(labelPurchaseStates, status, "written_off")) throw LabelNotRefused({ status });
    const left = await tx.row(
      {},
      "select from parcels where parcel_id = $1 and status = 'SHIPPED' and tracking_number = $2",
      [label.parcel_id, label.tracking_number],
    );
    if (left) throw LabelledParcelShipped();
    await tx.run("update label_purchases set status = 'written_off', updated_at = now() where purchase_id = $1", [
      purchase_id,
    ]);
    await forgetOnParcel(tx, label);
    auditLabel(tx, "LABEL_WRITTEN_OFF", label, { reason });
    return readLabel(tx, purchase_id);
  });
}

/** Takes back the label of a parcel that was voided, if it has one. */
export function withdrawNeedless(purchase_id: number, by: Actor): Promise<void> {
  return command("carriers.withdrawNeedless", by, { purchase_id }, async (tx) => {
    const label = await lockLabel(tx, purchase_id);
    if (label?.status === "pending" || label?.status === "bought") await withdraw(tx, label);
  });
}

const OfRow = { buying: bool, carrier: text.nullable(), parcel_status: text };

async function withdraw(tx: Tx, label: Label): Promise<void> {
  const { purchase_id, status } = label;
  if (status === "voiding") return;
  const of = await tx.row(
    OfRow,
    `select l.buying_at is not null as buying, a.carrier, p.status as parcel_status
     from label_purchases l join parcels p using (parcel_id) left join carrier_accounts a using (account_id)
     where purchase_id = $1`,
    [purchase_id],
  );
  const becomes = statusAfter(status, of);
  if (!mayBecome(labelPurchaseStates, status, becomes)) throw LabelEnded({ status });
  if (status !== "pending" && of?.parcel_status === "SHIPPED") throw LabelledParcelShipped();
  await (becomes === "voiding" ? setVoiding(tx, label) : end(tx, label, becomes));
}

/** What may have been bought, the carrier is asked to take back; what was bought by hand, somebody gives back. */
function statusAfter(status: Label["status"], of: { buying: boolean; carrier: string | null } | undefined) {
  if (status === "pending" && !of?.buying) return "cancelled";
  return of?.carrier && isByHand(carrierNamed(of.carrier)) ? "voided" : "voiding";
}

async function end(tx: Tx, label: Label, status: "cancelled" | "voided"): Promise<void> {
  await tx.run(
    "update label_purchases set status = $2, completed_at = now(), updated_at = now() where purchase_id = $1",
    [label.purchase_id, status],
  );
  if (status === "voided") await forgetOnParcel(tx, label);
  auditLabel(tx, status === "voided" ? "LABEL_VOIDED" : "LABEL_CANCEL", label);
}

/**
 * Gives a purchase up as the system user, because somebody asked its workflow to be cancelled in the Temporal UI. What
 * may have been bought is not given up: it is to be taken back.
 */
export function giveUpLabel(purchaseId: number, commandId: string): Promise<LabelGivenUp> {
  return command("carriers.giveUpLabel", systemActor(commandId), { purchaseId }, async (tx) => {
    const label = await lockLabel(tx, purchaseId);
    if (!label) return { ended: "gone" as const, why: null };
    const { status, last_error: why } = label;
    if (status !== "pending" && status !== "voiding") return { ended: endedOf(status), why };
    await withdraw(tx, label);
    return { ended: "cancelled" as const, why: null };
  });
}
