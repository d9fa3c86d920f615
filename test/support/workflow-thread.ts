import { globalHandlers } from "@temporalio/worker/lib/workflow/vm-shared.js";

/** Workflows run in the thread of the tests: threads of its own for each worker would cost more than most tests. */
export const inThisThread = { debugMode: true };

// For call stacks in the UI the SDK would follow each promise of the thread, which has the API and the tests in it.
globalHandlers.installed = true;
