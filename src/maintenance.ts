/** The activities of maintenance that need more than rows (workers/reconcile.ts). Types only: workflows read them. */
export interface Maintenance {
  /** Starts the processes that rows tell of and that do not run; gives their workflow ids. */
  startMissing(): Promise<{ started: string[] }>;
}
