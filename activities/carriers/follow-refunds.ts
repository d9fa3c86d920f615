import { randomUUID } from "node:crypto";
import type { Refund } from "../../src/carriers/carrier.js";
import { type OpenRefund, openRefunds } from "../../src/carriers/label-queries.js";
import { accountById, type StoredAccount } from "../../src/carriers/queries.js";
import { SourceError } from "../../src/connectors/connector.js";
import { db } from "../../src/platform/db/db.js";
import { log } from "../../src/platform/log.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command } from "../command.js";
import { type CarrierOptions, openAccount } from "./account.js";
import { auditLabel, lockLabel } from "./settle-label.js";

/** Carriers settle refunds within some weeks. */
const ASKED_DAYS = 90;
/** Of one run: the rest follows in the next. */
const MOST = 500;

/** The job `refunds`: asks carriers what became of refunds that they had only accepted. */
export async function followRefunds(options: CarrierOptions, signal: AbortSignal) {
  const done = { refunded: 0, rejected: 0, open: 0, unanswered: 0 };
  for (const label of await openRefunds(ASKED_DAYS, MOST)) {
    signal.throwIfAborted();
    const refund = await ask(label, options, signal);
    if (refund === undefined) done.unanswered++;
    else if (refund === "submitted") done.open++;
    else if (await settleRefund(label.purchase_id, refund)) done[refund]++;
    // Whatever came of it, others are asked about first the next time.
    if (refund === undefined || refund === "submitted") await askedAbout(label.purchase_id);
  }
  return done;
}

/** What the carrier says; undefined where it does not answer. */
async function ask(
  { account_id, remote_id, purchase_id }: OpenRefund,
  options: CarrierOptions,
  signal: AbortSignal,
): Promise<Refund | undefined> {
  try {
    const account = await openAccount((await accountById(account_id)) as StoredAccount, options, signal);
    return (await account.carrier.refundOf?.(account, remote_id)) ?? "submitted";
  } catch (error) {
    if (signal.aborted || !(error instanceof SourceError)) throw error;
    log.info({ purchase_id, why: error.name }, "refund of a label not known");
    return undefined;
  }
}

const askedAbout = (purchaseId: number) =>
  db.run("update label_purchases set updated_at = now() where purchase_id = $1 and refund = 'submitted'", [purchaseId]);

/** Stores what became of a refund. One that was rejected is told in the inbox, and counts among the costs. */
const settleRefund = (purchase_id: number, refund: Exclude<Refund, "submitted">): Promise<boolean> =>
  command("carriers.settleRefund", systemActor(randomUUID()), { purchase_id, refund }, async (tx) => {
    const label = await lockLabel(tx, purchase_id);
    if (label?.refund !== "submitted") return false;
    const why = refund === "rejected" ? "The carrier does not pay it back" : null;
    await tx.run(
      `update label_purchases set refund = $2, last_error = coalesce($3, last_error), updated_at = now()
       where purchase_id = $1`,
      [purchase_id, refund, why],
    );
    auditLabel(tx, refund === "rejected" ? "LABEL_REFUND_REJECTED" : "LABEL_REFUNDED", label, { refund });
    return true;
  });
