import { Paper, SimpleGrid, Text } from "@mantine/core";
import type { Dashboard } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { number } from "../../../shared/format.js";
import { t } from "../../../texts/day.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Loaded } from "../../components/states.js";
import { useWarehouse } from "../../warehouse.js";

type Figure = [label: string, count: number | undefined, to: string];

const figuresOf = (now: Dashboard): Figure[] => [
  [t("awaitingPutaway"), now.items_awaiting_putaway, "/receipts"],
  [t("openPos"), now.open_pos, "/purchase-orders?status=OPEN"],
  [t("readyToPick"), now.orders_ready_to_pick, "/orders?status=OPEN"],
  [t("inPicking"), now.orders_in_picking, "/orders?status=OPEN"],
  [t("readyToPack"), now.ready_to_pack, "/orders?status=PICKED"],
  [t("readyToShip"), now.ready_to_ship, now.require_packing ? "/orders?status=PACKED" : "/orders?status=PICKED"],
  [t("shorts"), now.short_picks_7d, "/short-picks"],
  [t("pendingAdjustments"), now.pending_adjustments, "/adjustments"],
  [t("pendingTransfers"), now.pending_to_approvals, "/transfer-orders"],
];

/** What waits now, each figure with the list that it counts. */
export function OpenWork() {
  const { warehouseId } = useWarehouse();
  const found = useRead("/api/admin/dashboard", { query: warehouseId ? { warehouse_id: warehouseId } : {} });
  return (
    <Loaded of={found}>
      {(now) => (
        <SimpleGrid cols={{ base: 2, sm: 3, xl: 9 }} spacing="sm">
          {figuresOf(now)
            .filter(([, count]) => count !== undefined)
            .map(([label, count, to]) => (
              <Paper key={label} withBorder p="sm">
                <Text size="xl" fw={700}>
                  {number(count)}
                </Text>
                <Text size="sm" component="div">
                  <MaybeLink to={to}>{label}</MaybeLink>
                </Text>
              </Paper>
            ))}
        </SimpleGrid>
      )}
    </Loaded>
  );
}
