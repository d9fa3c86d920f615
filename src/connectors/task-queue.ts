const SUFFIX = "-connectors";

/**
 * Syncs and pushes of connectors have a task queue of their own, and so have labels of carriers: while others take
 * their time, the floor does not wait.
 */
export const connectorQueue = (taskQueue: string): string => `${taskQueue}${SUFFIX}`;

/** The task queue of the floor, beside that one. */
export const floorQueue = (taskQueue: string): string =>
  taskQueue.endsWith(SUFFIX) ? taskQueue.slice(0, -SUFFIX.length) : taskQueue;
