/**
 * The SDK notes the call stack of each promise of a workflow, for the UI's page "Call Stack", which takes a quarter of
 * what a workflow takes of a processor. These are enough to see which of our lines waits, and a third less. Set as a
 * module that workers load before the first workflow: later, `Error` is frozen.
 */
Error.stackTraceLimit = 6;
