import { log } from "../log.js";
import { type DomainError, QuantityOutOfRange, validationError } from "../problem.js";
import { sqlState } from "./db.js";

/**
 * The refusal for a value that the database does not accept (SQLSTATE class 22), else undefined. Validation should let
 * no such value through, so it is logged.
 */
export function refusedValue(error: unknown): DomainError | undefined {
  const state = sqlState(error);
  if (!state?.startsWith("22")) return undefined;
  if (state === "22003") return QuantityOutOfRange();
  log.warn({ err: error }, "the database refused a value");
  return validationError([{ type: "value_error", loc: [], msg: "A value has a form or a size that cannot be stored" }]);
}
