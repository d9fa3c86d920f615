import { Paper, SimpleGrid, Text } from "@mantine/core";
import type { Dashboard } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { number } from "../../../../shared/format.js";
import { mayOpen, useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/day.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Loaded } from "../../../components/states.js";
import { useWarehouse } from "../../../components/warehouse.js";

type Figure = [label: string, count: number | undefined, to: string];

/** Each figure counts the rows of the list that it opens. */
const figuresOf = (now: Dashboard, warehouseId: number | undefined): Figure[] => [
  [t("awaitingPutaway"), now.stock_to_put_away, "/stock?to_put_away=true"],
  [t("openPos"), now.open_pos, "/purchase-orders?status=OPEN,PARTIAL"],
  [t("readyToPick"), now.orders_ready_to_pick, "/orders?work=ready_to_pick"],
  [t("lacksStock"), now.orders_lacking_stock, "/orders?work=lacks_stock"],
  [t("inPicking"), now.orders_in_picking, "/orders?work=in_picking"],
  [t("readyToPack"), now.ready_to_pack, "/orders?work=ready_to_pack"],
  [t("readyToShip"), now.ready_to_ship, "/orders?work=ready_to_ship"],
  [t("shorts"), now.short_picks_7d, "/short-picks?days=7"],
  [t("pendingAdjustments"), now.pending_adjustments, "/review"],
  [
    t("pendingTransfers"),
    now.transfers_to_approve,
    `/transfer-orders?to_approve=true${warehouseId ? `&destination_warehouse_id=${warehouseId}` : ""}`,
  ],
];

/** What waits now, each figure with the list that it counts. */
export function OpenWork() {
  const { warehouseId } = useWarehouse();
  const mayOpenStock = mayOpen(useMe(), "inventory");
  const of = warehouseId ? { warehouse_id: warehouseId } : {};
  const found = useRead("/api/admin/dashboard", { query: of });
  return (
    <Loaded of={found}>
      {(now) => (
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 4, xl: 6 }} spacing="sm">
          {figuresOf(now, warehouseId)
            .filter(([, count]) => count !== undefined)
            .map((figure) => (
              <Tile key={figure[0]} of={figure} />
            ))}
          {mayOpenStock && <StockTiles of={of} />}
        </SimpleGrid>
      )}
    </Loaded>
  );
}

const SOON = 7;

/** What of stock waits for somebody. */
function StockTiles({ of }: { of: { warehouse_id?: number } }) {
  const soon = useRead("/api/admin/inventory", { query: { ...of, expires_within: SOON, per_page: 1 } }).data;
  const inspections = useRead("/api/admin/inspections", { query: { ...of, status: "OPEN", per_page: 1 } }).data;
  return (
    <>
      {soon && <Tile of={[t("expiresSoon"), soon.total, `/expiring?expires_within=${SOON}`]} />}
      {inspections && <Tile of={[t("toInspect"), inspections.total, "/inspections"]} />}
    </>
  );
}

const Tile = ({ of: [label, count, to] }: { of: Figure }) => (
  <Paper withBorder p="sm" role="group" aria-label={label}>
    <Text size="xl" fw={700}>
      {number(count)}
    </Text>
    <Text size="sm" component="div">
      <MaybeLink to={to}>{label}</MaybeLink>
    </Text>
  </Paper>
);
