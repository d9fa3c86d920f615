import { useEffect } from "react";
import { useLocation } from "react-router";
import { keptFor } from "../shared/kept.js";
import { useMe } from "../shared/session.js";
import { placeOf } from "./navigation.js";

/** A record that the user looked at. */
interface Seen {
  to: string;
  title: string;
}

const MOST = 8;
const keptOf = (user: string) => keptFor<Seen[]>(user, "recent", []);

/** The records that the user looked at last, the newest first. */
export const useRecent = (): Seen[] => keptOf(useMe().external_id).get();

/** Remembers the page that is shown, if it is that of a record. */
export function useSeen(title: string): void {
  const { external_id } = useMe();
  const { pathname } = useLocation();
  useEffect(() => {
    if (!/:\w+$/.test(placeOf(pathname)?.page.path ?? "")) return;
    const kept = keptOf(external_id);
    const others = kept.get().filter(({ to }) => to !== pathname);
    kept.set([{ to: pathname, title }, ...others].slice(0, MOST));
  }, [external_id, pathname, title]);
}
