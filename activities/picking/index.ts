export { createWave } from "./create-wave.js";
export { cancelWave, completeWave, releaseIfIdle } from "./end-wave.js";
export { resumeWave } from "./resume.js";
