import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ReadPath } from "../../../client/src/index.js";

const EVERY_MS = 15_000;

/** Reads a path again now and then while it is looked at: waves that start, single picks and prints are no events. */
export function useRefresh(path: ReadPath): void {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void client.invalidateQueries({ queryKey: [path] });
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [client, path]);
}
