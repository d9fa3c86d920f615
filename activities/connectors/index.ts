export { claimScheduledSync, claimSync, failAttempt, failSync, finishSync, heldSync, stopSync } from "./sync-state.js";
