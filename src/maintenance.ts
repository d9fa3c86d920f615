/** The activities of maintenance that need more than rows: the engine (workers/reconcile.ts), the configuration. Types only: workflows read them. */
export interface Maintenance {
  /** Starts the processes that rows tell of and that do not run; gives their workflow ids. */
  startMissing(): Promise<{ started: string[] }>;
  /** Forgets what senders sent and what was refused once its retention ended; gives how many of each. */
  clearInbound(): Promise<Record<string, number>>;
  /** Gives back webhook deliveries that a sender took and never finished; gives how many. */
  reclaimDeliveries(): Promise<number>;
}
