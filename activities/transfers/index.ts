/** @public Called by `transferOrder`, which knows activities by their types alone. */
export { beginTransfer } from "./begin.js";
/** @public Called by `transferOrder`, which knows activities by their types alone. */
export { createTransfer } from "./create.js";
/** @public The same. */
export { resumeTransfer } from "./resume.js";
