/**
 * The SDK notes the call stack of each promise of a workflow, for the UI's page "Call Stack": a third of the time of
 * the workflow thread. Six places show which of our lines waits; with ten, completing a wave took 3.1 ms in place of
 * 2.8. Workers load this module before the first workflow, as `Error` is frozen after that.
 */
Error.stackTraceLimit = 6;
