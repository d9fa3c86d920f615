import { useInterval } from "@mantine/hooks";
import { useRead } from "../../../../shared/api.js";
import { useWarehouse } from "../../../components/warehouse.js";

/** No event tells of webhooks, syncs, and orders that are late since midnight. */
const EVERY_MS = 60_000;

function useInboxOnce(part?: "mine" | "snoozed", limit?: number) {
  const { warehouseId } = useWarehouse();
  return useRead("/api/admin/inbox", {
    query: {
      ...(warehouseId && { warehouse_id: warehouseId }),
      ...(part && { [part]: "true" }),
      ...(limit && { limit }),
    },
  });
}

/** How many entries the inbox has. Of the entries this asks for next to none: every page needs the figure. */
export const useInboxTotal = (): number | undefined => useInboxOnce(undefined, 1).data?.total;

/** The inbox of the warehouse that the desk looks at, or a part of it; with a limit, so many entries of each kind. */
export function useInbox(part?: "mine" | "snoozed", limit?: number) {
  const found = useInboxOnce(part, limit);
  useInterval(() => void found.refetch(), EVERY_MS, { autoInvoke: true });
  return found;
}
