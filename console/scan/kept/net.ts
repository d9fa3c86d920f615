import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type CallOptions, Unreachable } from "../../../client/src/index.js";
import { isAway } from "../../shared/away.js";
import { keptFor } from "../../shared/kept.js";
import { useMe } from "../../shared/session.js";
import { useKept } from "../../shared/use-kept.js";
import { SOON } from "../task.js";

/** Since when there is no net for somebody; also a page that is opened without it knows. */
export const awaySince = (user: string) => keptFor<number | null>(user, "away.since", null);

let net = new AbortController();

/** Notes that a page was opened without it; nobody waits for what cannot come. */
export function noteAway(user: string): void {
  const store = awaySince(user);
  if (store.get() !== null) return;
  store.set(Date.now());
  net.abort(new Unreachable("there is no net"));
  net = new AbortController();
}

/** What the service says; what the device knows where there is no net, also when it goes in that moment. */
export async function inNetOr<A>(
  device: { isAway: boolean; goAway: () => void },
  read: (options: CallOptions) => Promise<A>,
  kept: () => A,
): Promise<A> {
  if (device.isAway) return kept();
  try {
    return await read({ ...SOON, signal: net.signal });
  } catch (error) {
    if (!isAway(error)) throw error;
    device.goAway();
    return kept();
  }
}

/** Since when there is no net; null where there is one. `goAway` says that there is none. */
export function useNet(): { since: number | null; goAway: () => void } {
  const { external_id } = useMe();
  const client = useQueryClient();
  const store = useMemo(() => awaySince(external_id), [external_id]);
  const goAway = () => {
    if (store.get() !== null) return;
    noteAway(external_id);
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
