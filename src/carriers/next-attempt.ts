import { NotAsked, SourceAway, SourceError, SourceMisconfigured } from "../connectors/connector.js";
import { CarrierRefused } from "./carrier.js";
import { LABEL_ATTEMPTS, labelDelay } from "./workflow.js";

/** What a failed attempt means, of a label or of a manifest. */

/** Whether asking again would give the same: the carrier refuses it, or what is asked for is at fault. */
export const isFinal = (error: Error): boolean => !(error instanceof SourceError) || error instanceof CarrierRefused;

/** Whether no other attempt is made: there were enough, or the account is at fault. */
export const isLast = (attempts: number, error: Error): boolean =>
  (attempts + 1 >= LABEL_ATTEMPTS && !(error instanceof NotAsked)) || error instanceof SourceMisconfigured;

/** So many attempts lead to a wait of a minute, and no further where the carrier was not asked. */
const ATTEMPTS_TO_A_MINUTE = 4;

/**
 * What comes after an attempt that failed. One in which the carrier was not asked, as it fails for others or is busy,
 * costs it nothing: it is neither the last one, nor does it lead to a long wait.
 */
export function nextAfter(attempts: number, error: Error): { attempts: number; wait_ms: number } {
  const made = attempts + 1;
  const counted = error instanceof NotAsked ? Math.min(made, ATTEMPTS_TO_A_MINUTE) : made;
  const asked = error instanceof SourceAway ? (error.wait_ms ?? 0) : 0;
  return { attempts: Math.max(attempts, counted), wait_ms: Math.round(Math.max(asked, labelDelay(counted))) };
}
