import { useMemo, useSyncExternalStore } from "react";
import { type Kept, onKept } from "./kept.js";

/** What is kept, as it is now. */
export function useKept<T>(store: Kept<T>): T {
  // As a text, which is equal as long as nothing changes.
  const text = useSyncExternalStore(onKept, () => JSON.stringify(store.get()));
  return useMemo(() => JSON.parse(text) as T, [text]);
}
