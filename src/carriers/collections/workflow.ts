import type { Attempted } from "../../outbound/retry.js";
import { LABEL_ATTEMPTS } from "../workflow.js";

/** The workflow `carrierCollection` and its messages. Types and pure functions only, for the workflow. */

/** A manifest is asked for as often, and for as long, as a label. */
export const MANIFEST_ATTEMPTS = LABEL_ATTEMPTS;

/** While it waits for people, its row is read so often; they tell it at once. */
export const LOOK_AGAIN_MS = 12 * 3_600_000;

export const collectionWorkflowId = (collectionId: number): string => `carrier-collection-${collectionId}`;

/** How the workflow of a collection is started, and what it is called in the Temporal UI. */
export const startOfCollection = (collectionId: number, staticSummary: string) => ({
  workflowId: collectionWorkflowId(collectionId),
  args: [collectionId] as [number],
  staticSummary,
});

/** What people call a collection: `collection of UPS on 2026-05-06`. */
export const nameOfCollection = ({ carrier, collection_day }: { carrier: string; collection_day: string }): string =>
  `collection of ${carrier} on ${collection_day}`;

/** What the workflow shows of a collection; null for one that is gone. */
export interface CollectionSummary {
  what: string;
  warehouse_id: number | null;
  warehouse_code: string | null;
  attempts: number;
}

/** What it waits for: its cut-off, somebody who closes it, the truck. */
export type CollectionWait = "cut_off" | "closing" | "truck";

/** How it ended: the carrier has it, it refused the manifest, nothing was in it, or its row is gone. */
export type CollectionEnded = "collected" | "manifest_failed" | "empty" | "gone";

/** What came of an attempt. */
export interface CollectionAttempted extends Attempted<CollectionEnded> {
  /** What failed, or what the carrier said, for people. */
  why: string | null;
  /** What it is called now: its day moves where that of its warehouse is closed. */
  what?: string;
}

export interface CollectionActivities {
  /** Does what is next for a collection, if it is due, else says when it will be. */
  attemptManifest(collectionId: number): Promise<CollectionAttempted>;
}
