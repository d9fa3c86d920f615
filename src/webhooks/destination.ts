import { setTimeout as pause } from "node:timers/promises";
import { DestinationRefused, resolveChecked } from "./wire/addresses.js";

/** Longer than that nobody waits for a name server; every attempt asks again anyway. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * Whether a URL's host leads to an address that is not on the public internet, as far as that can be told now: a name that cannot
 * be resolved yet is let through, for each attempt checks it again.
 */
export async function leadsInside(
  url: string,
  allowInternal: boolean,
): Promise<boolean> {
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
