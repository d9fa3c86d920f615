import type { Actor } from "../../src/platform/actor.js";
import type { NewTransfer, TransferState } from "../../src/transfers/steps.js";
import { createTransfer } from "./create.js";

/**
 * Creates a transfer order; its workflow gets where it stands alone, and the route reads the shortages, of which there
 * may be thousands, from the command log.
 * @public Called by `transferOrder`, which knows activities by their types alone.
 */
export const beginTransfer = async (input: NewTransfer, by: Actor): Promise<TransferState> =>
  (await createTransfer(input, by)).state;
