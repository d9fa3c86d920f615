export { approveTransfer } from "./approve.js";
/** @public Called by `transferOrder`, which knows activities by their types alone. */
export { beginTransfer } from "./begin.js";
/** @public The same. */
export { cancelTransfer, cancelTransferByOperator, deleteTransfer } from "./end.js";
/** @public The same. */
export { remindOfApproval } from "./remind.js";
/** @public The same. */
export { resumeTransfer } from "./resume.js";
export { rejectTransfer } from "./review.js";
export { shortCloseLine } from "./short-close.js";
export { startTransferPicking } from "./start-picking.js";
export { submitTransfer } from "./submit.js";
