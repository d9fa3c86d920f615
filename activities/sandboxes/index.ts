/** @public Called by `sandbox`, which knows activities by their types alone. */
export { beginSandbox, resumeSandbox } from "./begin.js";
/** @public The same. */
export { paceSandbox } from "./notes.js";
