export { pickWave } from "./pick-wave.js";
