import type { Sql } from "../../src/platform/db/db.js";

/** How long a command of a till waits for a lock: a customer is waiting. */
export interface PosTimeouts {
  posLockTimeoutMs: number;
  posStatementTimeoutMs: number;
}

/** To be the first statement of the transaction. */
export const limitWaits = (tx: Sql, { posLockTimeoutMs, posStatementTimeoutMs }: PosTimeouts) =>
  tx.run("select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)", [
    `${posLockTimeoutMs}ms`,
    `${posStatementTimeoutMs}ms`,
  ]);
