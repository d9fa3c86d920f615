import { db } from "../../src/platform/db/db.js";
import type { TransferState } from "../../src/transfers/steps.js";
import { transferState } from "./state.js";

/**
 * Reads a transfer order from its rows, for a workflow that is started again; 404 when it is gone.
 * @public Called by `transferOrder`, which knows activities by their types alone.
 */
export function resumeTransfer(toId: number): Promise<TransferState> {
  return transferState(db, toId);
}
