import { keptFor } from "../../shared/kept.js";
import { useMe } from "../../shared/session.js";
import { useKept } from "../../shared/use-kept.js";

/** Whether rows stand close together. */
export const DENSE = "dense";

/** What this browser keeps for the user under a name, and what sets it. */
export function useKeptFor<T>(name: string, otherwise: T): [T, (value: T) => void] {
  const store = keptFor(useMe().external_id, name, otherwise);
  return [useKept(store), store.set];
}
