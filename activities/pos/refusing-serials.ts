import { DomainError } from "../../src/platform/problem.js";
import { SerialsRefused } from "../../src/pos/problems.js";

/** A refusal of serials (docs/serials.md) in the form that tills know; what it names is in the details. */
export async function refusingSerials(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { kind, message, body } = error;
    throw SerialsRefused({ reason: message }, { reason: kind, sku: body.sku, serial: body.serial });
  }
}
