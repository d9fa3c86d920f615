/** @public Called by `pickWave`, which knows activities by their types alone. */
export { createWave } from "./create-wave.js";
export { cancelWave, completeWave, releaseIfIdle } from "./end-wave.js";
/** @public Called by `pickWave`, which knows activities by their types alone. */
export { resumeWave } from "./resume.js";
