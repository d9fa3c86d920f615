import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";

/** At the end of the address of a list: what is begun there by a dialog (`action` in navigation.ts) is to begin. */
export const ACTION = "#new";

/** Begins the action of the page once its address says so. */
export function useActionOfPage(isAction: boolean, begin: () => void): void {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it is asked for
  useEffect(() => {
    if (!isAction || hash !== ACTION) return;
    begin();
    void navigate({ search, hash: "" }, { replace: true });
  }, [isAction, hash]);
}
