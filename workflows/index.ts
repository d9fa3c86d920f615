export { cycleCount } from "./cycle-count.js";
export { inboundRetention, purge, reconcile } from "./maintenance.js";
export { pickWave } from "./pick-wave.js";
