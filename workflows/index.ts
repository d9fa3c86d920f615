export { cycleCount } from "./cycle-count.js";
export { purge, reconcile } from "./maintenance.js";
export { pickWave } from "./pick-wave.js";
