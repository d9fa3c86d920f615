import { TenderMismatch } from "./problems.js";
import type { PaymentSummary } from "./shapes.js";
/** Whole cents as the exact decimal that Postgres stores: 1990 is `19.90`, -5 is `-0.05`. */
export function decimalOfCents(cents: number): string {
  const units = Math.abs(cents);
  return `${cents < 0 ? "-" : ""}${Math.floor(units / 100)}.${String(units % 100).padStart(2, "0")}`;
}

/** Throws 422 where the payments do not add up to the total. The till is responsible for the other sums. */
export function checkTenders({ tenders, total_cents }: PaymentSummary): void {
  const tenders_cents = tenders.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  const sums = { tenders_cents, total_cents };
  if (tenders_cents !== total_cents)
    throw TenderMismatch({ reason: `they pay ${tenders_cents}, and the total is ${total_cents}` }, sums);
}
