import { Anchor, Group, NumberInput } from "@mantine/core";
import { Link } from "react-router";
import type { SalesOrder, SalesOrderLine } from "../../../../client/src/index.js";
import { NOTHING, wishes } from "../../../shared/format.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/sales-orders.js";
import { Decision } from "../../components/decision.js";
import { ItemField } from "../../components/search-fields.js";
import { SerialLinks } from "../../components/serial-links.js";
import { Status } from "../../components/status.js";
import { type Column, TableSection } from "../../components/table.js";
import { PickAtDesk } from "./order-pick.js";
import { FulfilInPart } from "./order-split.js";
import { isFulfilled, isStarted, mayEditFully, mayEditLines, unpicked } from "./order-state.js";

/** A line of a return has no status of its own for what came. */
function statusOf({ order_type }: SalesOrder, { status, quantity_ordered, quantity_received }: SalesOrderLine): string {
  if (order_type !== "return" || quantity_received === 0) return status;
  return quantity_received < quantity_ordered ? "PARTIALLY_RECEIVED" : "RECEIVED";
}

interface LinesProps {
  order: SalesOrder;
  lines: SalesOrderLine[];
  /** A wave was planned from its lines: the service keeps them as they are until it ends. */
  isInWave: boolean;
}

export function OrderLines({ order, lines, isInWave }: LinesProps) {
  const me = useMe();
  const isEditable = mayEditLines(me, order);
  const isOpen = order.status === "OPEN";
  const left = lines.filter((line) => unpicked(line) > 0);
  const isDivisible =
    !isInWave &&
    isFulfilled(order) &&
    order.order_type !== "backorder" &&
    (isOpen || (order.status === "PICKED" && mayEditFully(me)));
  const quantities: Column<SalesOrderLine>[] = isFulfilled(order)
    ? [
        { field: "quantity_allocated", title: t("reserved"), right: true },
        { field: "quantity_picked", title: t("picked"), right: true },
        { field: "quantity_packed", title: t("packed"), right: true },
        { field: "quantity_shipped", title: t("shipped"), right: true },
      ]
    : [{ field: "quantity_received", title: t("received"), right: true }];
  return (
    <TableSection
      title={t("lines")}
      actions={
        <>
          {isOpen && !isInWave && isFulfilled(order) && left.length > 0 && mayEditFully(me) && (
            <PickAtDesk order={order} lines={left} />
          )}
          {isDivisible && left.length > 0 && <FulfilInPart order={order} lines={left} />}
          {isEditable && !isInWave && <AddLine order={order} />}
        </>
      }
      rows={lines}
      columns={[
        { field: "line_number", title: t("line") },
        {
          field: "sku",
          title: t("sku"),
          show: ({ sku, item_id }) =>
            mayOpen(me, "items") ? (
              <Anchor inherit component={Link} to={`/items/${item_id}`}>
                {sku}
              </Anchor>
            ) : (
              sku
            ),
        },
        { field: "item_name", title: t("name") },
        ...wishesOf(lines),
        ...serialsOf(lines),
        { field: "status", title: t("status"), show: (line) => <Status of={statusOf(order, line)} /> },
        { field: "quantity_ordered", title: t("ordered"), right: true },
        ...quantities,
        ...(isEditable
          ? [
              {
                field: "actions",
                title: t("actions"),
                show: (line: SalesOrderLine) => <LineActions {...{ order, line, isInWave }} />,
              },
            ]
          : []),
      ]}
    />
  );
}

/** A column of which units were packed or shipped, where that is known of some. */
const serialsOf = (lines: SalesOrderLine[]): Column<SalesOrderLine>[] =>
  lines.some(({ serial_numbers = [] }) => serial_numbers.length > 0)
    ? [{ field: "serial_numbers", title: t("serials"), show: SerialsOfLine }]
    : [];

const SerialsOfLine = ({ serial_numbers = [] }: SalesOrderLine) => <SerialLinks of={serial_numbers} />;

/** A column of what customers want of the units of lines, where they want something. */
export const wishesOf = (lines: Pick<SalesOrderLine, "properties">[]) =>
  lines.some(({ properties }) => wishes(properties))
    ? [
        {
          field: "properties",
          title: t("wishes"),
          show: ({ properties }: Pick<SalesOrderLine, "properties">) => wishes(properties) || NOTHING,
        },
      ]
    : [];

const Quantity = ({ label, value, min, max }: { label: string; value: number; min: number; max?: number }) => (
  <NumberInput
    name="quantity"
    label={label}
    defaultValue={value}
    {...{ min, ...(max !== undefined && { max }) }}
    allowDecimal={false}
    required
    data-autofocus
  />
);

const AddLine = ({ order: { so_id } }: { order: SalesOrder }) => (
  <Decision
    isSmall
    label={t("addLine")}
    title={t("addLine")}
    act={({ item_id, quantity }, api) =>
      api.post("/api/admin/sales-orders/{so_id}/lines", {
        path: { so_id },
        body: { item_id: Number(item_id), quantity_ordered: Number(quantity) },
      })
    }
  >
    <ItemField name="item_id" label={t("item")} />
    <Quantity label={t("quantity")} value={1} min={1} />
  </Decision>
);

function LineActions({ order, line, isInWave }: Omit<LinesProps, "lines"> & { line: SalesOrderLine }) {
  const { sku, quantity_ordered, quantity_allocated, quantity_picked } = line;
  const path = { so_id: order.so_id, so_line_id: line.so_line_id };
  return (
    <Group gap={4} wrap="nowrap">
      <Decision
        isSmall
        label={t("quantity")}
        verb={t("changeUnits")}
        title={t("changeQuantity", { sku })}
        act={({ quantity }, api) =>
          api.patch("/api/admin/sales-orders/{so_id}/lines/{so_line_id}", {
            path,
            body: { quantity_ordered: Number(quantity) },
          })
        }
      >
        <Quantity label={t("ordered")} value={quantity_ordered} min={Math.max(1, quantity_picked)} />
      </Decision>
      {!isInWave && ["OPEN", "FRAUD_REVIEW"].includes(order.status) && (
        <Decision
          isSmall
          label={t("reserve")}
          title={t("reserveFor", { sku })}
          act={({ quantity }, api) =>
            api.patch("/api/admin/sales-orders/{so_id}/lines/{so_line_id}/allocation", {
              path,
              body: { delta: Number(quantity) - quantity_allocated },
            })
          }
        >
          <Quantity label={t("reserved")} value={quantity_allocated} min={quantity_picked} max={quantity_ordered} />
        </Decision>
      )}
      {!isInWave && !isStarted(line) && (
        <Decision
          isSmall
          isDangerous
          label={t("delete")}
          title={t("deleteLine", { sku })}
          act={(_, api) => api.delete("/api/admin/sales-orders/{so_id}/lines/{so_line_id}", { path })}
        />
      )}
    </Group>
  );
}
