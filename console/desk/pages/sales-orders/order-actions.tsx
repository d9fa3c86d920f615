import { Button, Checkbox, Text, TextInput } from "@mantine/core";
import { Link } from "react-router";
import type { NextStep, SalesOrder, SalesOrderDetail, SalesOrderLine } from "../../../../client/src/index.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { t } from "../../../texts/sales-orders.js";
import { Decision } from "../../components/decision.js";
import { PickerField } from "../../components/picker-field.js";
import { Printout } from "../../components/printout.js";
import { whyNot } from "../../components/release-waves.js";
import { CreateReturn } from "./create-return.js";
import { BackorderReason, cancelBackorder } from "./order-bulk.js";
import { HoldOrder, ReleaseHold } from "./order-hold.js";
import { RevertOrder } from "./order-revert.js";
import { isBackorder, isFulfilled, isPickup, isUnderWay, mayEdit, mayEditFully } from "./order-state.js";

interface ActionsProps {
  order: SalesOrder;
  lines: SalesOrderLine[];
  picks: SalesOrderDetail["pick_tasks"];
  step: NextStep;
}

/** What can be done with a whole order where it stands. */
export function OrderActions({ order, lines, picks, step }: ActionsProps) {
  const me = useMe();
  const { status, so_id } = order;
  if (!isFulfilled(order)) return null;
  const isReady = status === "PICKED" || status === "PACKED";
  const isShipped = status === "SHIPPED";
  return (
    <>
      {order.hold_reason && <ReleaseHold {...order} />}
      {!order.hold_reason && isUnderWay(order) && status !== "FRAUD_REVIEW" && <HoldOrder {...order} />}
      {status === "FRAUD_REVIEW" && mayOpen(me, "fraud") && <ReleaseOrder {...order} />}
      {step.code === "pick" && mayOpen(me, "picking-batches") && <ReleaseToPickers order={order} />}
      {isReady && mayEdit(me, order) && <ShipOrder order={order} />}
      {isReady && mayEditFully(me) && <ShipAtDesk order={order} />}
      {isShipped && <CreateReturn order={order} lines={lines} />}
      {(isReady || isShipped) && <RevertOrder order={order} picks={picks} />}
      {mayOpen(me, "picking-tickets") && (
        <Button variant="default" component={Link} to={`/orders/${so_id}/ticket`}>
          {t("ticket")}
        </Button>
      )}
      <Printout
        label={t("packingSlip")}
        path={`/api/packing/order/${encodeURIComponent(order.so_barcode ?? order.so_number)}/packing-slip`}
        print={{ document: "packing_slip", record_ids: [so_id] }}
        warehouseId={order.warehouse_id}
      />
      {isBackorder(order) && (status === "WAITING_STOCK" || status === "OPEN") ? (
        <CancelBackorder {...order} />
      ) : (
        isUnderWay(order) && <CancelOrder {...order} />
      )}
    </>
  );
}

interface Named {
  so_id: number;
  so_number: string;
}

export const ReleaseOrder = ({ so_id, so_number, isSmall = false }: Named & { isSmall?: boolean }) => (
  <Decision
    isSmall={isSmall}
    label={t("release")}
    title={t("releaseTitle", { number: so_number })}
    act={(_, api) => api.post("/api/admin/sales-orders/{so_id}/push-to-queue", { path: { so_id } })}
  />
);

/** A wave of this order alone, such as of an urgent one, for one picker or whoever comes first. */
const ReleaseToPickers = ({ order: { so_id, so_number, warehouse_id } }: { order: SalesOrder }) => (
  <Decision
    label={t("releaseToPickers")}
    title={t("releaseToPickersTitle", { number: so_number })}
    act={async ({ user_id }, api) => {
      const body = { warehouse_id, so_ids: [so_id], ...(user_id && { user_id: Number(user_id) }) };
      const why = whyNot([so_id], await api.post("/api/admin/waves/release", { body })).get(so_id);
      if (why !== undefined) throw new Error(why);
    }}
  >
    <PickerField warehouse_id={warehouse_id} isOptional />
  </Decision>
);

export const CancelOrder = ({ so_id, so_number, isSmall = false }: Named & { isSmall?: boolean }) => (
  <Decision
    isDangerous
    isSmall={isSmall}
    label={t("cancelOrder")}
    title={t("cancelTitle", { number: so_number })}
    act={(_, api) => api.post("/api/admin/sales-orders/{so_id}/cancel", { path: { so_id } })}
  >
    <Text size="sm">{t("cancelHint")}</Text>
  </Decision>
);

export const CancelBackorder = ({ so_id, so_number, isSmall = false }: Named & { isSmall?: boolean }) => (
  <Decision
    isDangerous
    isSmall={isSmall}
    label={t("cancelBackorder")}
    title={t("cancelTitle", { number: so_number })}
    act={(values, api) => cancelBackorder(so_id, values, api)}
  >
    <BackorderReason />
  </Decision>
);

/** Ships with carrier and tracking number; what the customer comes for is handed over without. */
function ShipOrder({ order }: { order: SalesOrder }) {
  const isHandedOver = isPickup(order);
  const path = { so_id: order.so_id };
  return (
    <Decision
      label={t(isHandedOver ? "handOver" : "ship")}
      title={t(isHandedOver ? "handOverTitle" : "shipTitle", { number: order.so_number })}
      act={({ carrier, tracking_number }, api) => {
        const parcel = isHandedOver ? {} : { carrier: carrier || null, tracking_number: tracking_number || null };
        const body = { status: "SHIPPED" as const, ...parcel };
        return api.put("/api/admin/sales-orders/{so_id}", { path, body });
      }}
    >
      {!isHandedOver && (
        <>
          <TextInput
            name="tracking_number"
            label={fieldText("tracking_number")}
            defaultValue={order.tracking_number ?? ""}
            required
            data-autofocus
          />
          <TextInput
            name="carrier"
            label={fieldText("carrier")}
            description={t("carrierHint")}
            defaultValue={order.carrier ?? ""}
          />
        </>
      )}
    </Decision>
  );
}

const ShipAtDesk = ({ order: { so_id, so_number } }: { order: SalesOrder }) => (
  <Decision
    label={t("shipWithout")}
    title={t("shipWithoutTitle", { number: so_number })}
    act={({ short }, api) =>
      api.post("/api/admin/sales-orders/{so_id}/admin-ship", {
        path: { so_id },
        body: { acknowledge_shortfall: short === "on" },
      })
    }
  >
    <Checkbox name="short" label={t("shipShort")} />
  </Decision>
);
