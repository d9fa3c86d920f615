export { approveTransfer } from "./approve.js";
/** @public Called by `transferOrder`, which knows activities by their types alone. */
export { beginTransfer } from "./create.js";
/** @public The same. */
export { cancelTransfer, cancelTransferByOperator, deleteTransfer } from "./end.js";
/** @public The same. */
export { remindOfApproval } from "./remind.js";
export { rejectTransfer } from "./review.js";
export { shortCloseLine } from "./short-close.js";
export { startTransferPicking } from "./start-picking.js";
/** @public The same. */
export { resumeTransfer } from "./state.js";
export { submitTransfer } from "./submit.js";
