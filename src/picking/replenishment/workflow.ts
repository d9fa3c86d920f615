/** The messages of the workflow `replenishment`. Types and pure functions only, for the workflow. */

/** What a look at a warehouse came to. */
export interface Looked {
  warehouse_code: string;
  /** Pick faces that are filled up. */
  faces: number;
  /** Tasks that are not done, urgent ones among them. */
  open: number;
  urgent: number;
  /** Tasks that this look made. */
  made: number;
  /** Releases whose orders wait for units from reserve. */
  waves: number;
  /** Until the next look; null = when something is told alone. */
  look_ms: number | null;
}

/** What became of the releases that waited. */
export interface WaitingReleased {
  /** Releases that went on, and how many batches they made. */
  released: number;
  batches: number;
  /** How many wait still. */
  waves: number;
}

export const replenishmentWorkflowId = (warehouseId: number) => `replenishment-${warehouseId}`;
