import { useSyncExternalStore } from "react";
import { keptFor, onKept } from "../../shared/kept.js";
import { useMe } from "../../shared/session.js";

/** Whether rows stand close together. */
export const DENSE = "dense";

/** What this browser keeps for the user under a name, and what sets it. */
export function useKept<T>(name: string, otherwise: T): [T, (value: T) => void] {
  const store = keptFor(useMe().external_id, name, otherwise);
  const text = useSyncExternalStore(onKept, () => JSON.stringify(store.get()));
  return [JSON.parse(text) as T, store.set];
}
