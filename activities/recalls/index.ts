export { closeByOperator, closeRecall } from "./close.js";
export { countRecalledBins } from "./count.js";
export { destroyRecalled } from "./destroy.js";
export { holdRecalledLot, openRecall } from "./open.js";
export { resumeRecall } from "./state.js";
export { markTold } from "./tell-customers.js";
