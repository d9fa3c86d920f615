import { useInterval } from "@mantine/hooks";
import { useRead } from "../../../../shared/api.js";
import { useWarehouse } from "../../../components/warehouse.js";

/** No event tells of webhooks, syncs, and orders that are late since midnight. */
const EVERY_MS = 60_000;

/** The inbox of the warehouse that the desk looks at, or a part of it; with a limit, so many entries of each kind. */
export function useInbox(part?: "mine" | "snoozed", limit?: number) {
  const { warehouseId } = useWarehouse();
  const found = useRead("/api/admin/inbox", {
    query: {
      ...(warehouseId && { warehouse_id: warehouseId }),
      ...(part && { [part]: "true" }),
      ...(limit && { limit }),
    },
  });
  useInterval(() => void found.refetch(), EVERY_MS, { autoInvoke: true });
  return found;
}
