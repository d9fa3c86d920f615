import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { isAway } from "../../shared/away.js";
import { keptFor } from "../../shared/kept.js";
import { useMe } from "../../shared/session.js";
import { useKept } from "../../shared/use-kept.js";

/** Since when there is no net for somebody; also a page that is opened without it knows. */
export const awaySince = (user: string) => keptFor<number | null>(user, "away.since", null);

/** Notes that a page was opened without it. */
export function noteAway(user: string): void {
  const store = awaySince(user);
  if (store.get() === null) store.set(Date.now());
}

/** Since when there is no net; null where there is one. `goAway` says that there is none. */
export function useNet(): { since: number | null; goAway: () => void } {
  const { external_id } = useMe();
  const client = useQueryClient();
  const store = useMemo(() => awaySince(external_id), [external_id]);
  const goAway = () => {
    if (store.get() !== null) return;
    noteAway(external_id);
    // Nobody waits for what cannot come.
    void client.cancelQueries();
  };
  return { since: useKept(store), goAway };
}

/** There is no net where that is why something could not be read that the device has as well. */
export function useAway(error: unknown): void {
  const { goAway } = useNet();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it could not be read
  useEffect(() => {
    if (isAway(error)) goAway();
  }, [error]);
}
