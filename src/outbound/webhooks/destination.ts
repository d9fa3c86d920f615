import { setTimeout as pause } from "node:timers/promises";
import { DestinationRefused, resolveChecked } from "./wire/addresses.js";

/** The longest wait for name servers; every attempt resolves the name again anyway. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Whether the host of a URL has an address that is not on the public internet. A name that cannot be resolved now is
 * accepted, as each attempt checks it again.
 */
export async function hasPrivateAddress(url: string, allowInternal: boolean): Promise<boolean> {
  const stop = new AbortController();
  const checked = resolveChecked(new URL(url).hostname, { allowInternal }).then(
    () => false,
    (error) => error instanceof DestinationRefused,
  );
  const late = pause(ANSWER_WITHIN_MS, false, { signal: stop.signal });
  late.catch(() => {});
  try {
    return await Promise.race([checked, late]);
  } finally {
    stop.abort();
  }
}
