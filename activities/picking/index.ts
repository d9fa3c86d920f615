/** @public Called by `pickWave`, which knows activities by their types alone. */
export { createWave } from "./create-wave.js";
/** @public Called by `pickWave`, which knows activities by their types alone. */
export { cancelByOperator, cancelWave, completeWave, releaseIfIdle } from "./end-wave.js";
/** @public The same. */
export { giveBack } from "./next-batch.js";
/** @public The same. */
export { resumeWave } from "./resume.js";
