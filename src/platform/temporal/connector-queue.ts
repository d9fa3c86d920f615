/** Syncs and pushes of connectors have a task queue of their own: a slow source holds up nothing of the floor. */
export const connectorQueue = (taskQueue: string): string => `${taskQueue}-connectors`;
