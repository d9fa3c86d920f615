import { TenderMismatch } from "./problems.js";
import type { PaymentSummary } from "./shapes.js";

/** Throws 422 where the tenders do not pay the total. The other sums are the till's own. */
export function checkTenders({ tenders, total_cents }: PaymentSummary): void {
  const tenders_cents = tenders.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const sums = { tenders_cents, total_cents };
  if (tenders_cents !== total_cents)
    throw TenderMismatch({ reason: `they pay ${tenders_cents}, and the total is ${total_cents}` }, sums);
}
