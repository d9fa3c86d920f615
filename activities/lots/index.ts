export { decideInspection } from "./decide-inspection.js";
/** @public Called by `inspection`, which knows activities by their types alone. */
export { remindOfInspection, resumeInspection } from "./inspection-state.js";
