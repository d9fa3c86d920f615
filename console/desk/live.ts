import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

/** What shows records of a type: the beginnings of the paths that are read again when one changes. */
const shownBy: Record<string, string[]> = {
  sales_order: [
    ...["inbox", "sales-orders", "parcels", "shipments", "pick-batches", "backorders", "short-picks", "customers"],
    ...["inventory", "serials", "items", "dashboard"],
  ],
  purchase_order: ["inbox", "purchase-orders", "receipts", "inventory", "serials", "items", "dashboard"],
  inventory: [
    "inbox",
    "inventory",
    "lots",
    "serials",
    "holds",
    "inspections",
    "recalls",
    "adjustments",
    "items",
    "dashboard",
  ],
  cycle_count: ["inbox", "cycle-counts", "count-programmes", "adjustments", "inventory", "items", "dashboard"],
  transfer: ["inbox", "transfer-orders", "inter-warehouse", "inventory", "items", "dashboard"],
};

/** Many changes in a short time are one. */
const GATHER_MS = 1_500;
const COME_BACK_AFTER_MS = 30_000;

/** Listens to what happens while the page is visible, and has what changed read again, as far as it is shown. */
export function useLive(): void {
  const client = useQueryClient();
  useEffect(() => {
    let source: EventSource | undefined;
    let comeBack: ReturnType<typeof setTimeout> | undefined;
    let gathering: ReturnType<typeof setTimeout> | undefined;
    let last = 0;
    const changed = new Set<string>();

    const refresh = () => {
      gathering = undefined;
      const paths = [...changed]
        .flatMap((type) => shownBy[type] ?? [])
        .flatMap((name) => [`/api/admin/${name}`, `/api/v1/${name}`, `/api/packing/${name}`]);
      changed.clear();
      void client.invalidateQueries({
        predicate: ({ queryKey }) => paths.some((path) => String(queryKey[0]).startsWith(path)),
      });
    };
    const hear = ({ lastEventId, data }: MessageEvent<string>) => {
      last = Number(lastEventId);
      changed.add(JSON.parse(data).aggregate_type);
      gathering ??= setTimeout(refresh, GATHER_MS);
    };
    const open = () => {
      source = new EventSource(last > 0 ? `/api/admin/live?after=${last}` : "/api/admin/live");
      source.addEventListener("ready", ({ lastEventId }) => {
        last = Number(lastEventId);
      });
      source.addEventListener("change", hear);
      source.addEventListener("reset", ({ lastEventId }) => {
        last = Number(lastEventId);
        void client.invalidateQueries();
      });
      // The browser reconnects by itself, but gives up when it was refused.
      source.addEventListener("error", () => {
        if (source?.readyState === EventSource.CLOSED) comeBack = setTimeout(open, COME_BACK_AFTER_MS);
      });
    };
    const close = () => {
      clearTimeout(comeBack);
      source?.close();
      source = undefined;
    };
    // A browser has six connections to a server without HTTP/2, and hidden pages would keep one each.
    const follow = () => {
      close();
      if (document.visibilityState === "visible") open();
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      clearTimeout(gathering);
      close();
    };
  }, [client]);
}
