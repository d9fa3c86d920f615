export { describePush } from "./pushes/read.js";
export { giveUpPush } from "./pushes/settle.js";
export { claimScheduledSync, claimSync, failAttempt, failSync, finishSync, heldSync, stopSync } from "./sync-state.js";
