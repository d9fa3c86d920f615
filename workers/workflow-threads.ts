import { globalHandlers } from "@temporalio/worker/lib/workflow/vm-shared.js";

/**
 * Loaded by `--import` before all else, also in the threads that run workflows. There the SDK would note the call stack
 * of each promise, for the page "Call Stack" of the Temporal UI. The details of a workflow say where it is and what
 * comes next; errors have their stacks without.
 */
Object.assign(globalHandlers, { setPromiseHook() {} });
