import type { ReactNode } from "react";
import type { InventoryAdjustment } from "../../../../client/src/index.js";
import { mayOpen, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/counting.js";
import { reasonText } from "../../../texts/reasons.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { SelectableTable } from "../../components/selection-bar.js";
import { Signed } from "../../components/signed.js";
import { Status } from "../../components/status.js";
import { warehouseColumn } from "../../components/warehouse-field.js";
import { Decide, decideMany } from "./decide.js";

interface AdjustmentTableProps {
  title: string;
  adjustments: InventoryAdjustment[];
  /** They are those of one count, which says where and who. */
  isOfCount?: boolean;
  nothing?: ReactNode;
}

export function AdjustmentTable({ title, adjustments, isOfCount = false, nothing }: AdjustmentTableProps) {
  const me = useMe();
  const mayDecide = mayOpen(me, "count-approvals");
  const place = [
    { field: "bin_code", title: t("bin"), show: toBin },
    warehouseColumn(),
    { field: "reason_code", title: t("reason"), show: mayOpen(me, "cycle-counts") ? toReason : reasonText },
  ];
  const decide = (adjustment: InventoryAdjustment) => <Decide adjustment={adjustment} />;
  return (
    <SelectableTable
      title={title}
      rows={adjustments}
      nothing={nothing}
      bulk={mayDecide ? { id: "adjustment_id", name: "sku", actions: decideMany() } : undefined}
      to={({ item_id }) => `/items/${item_id}`}
      columns={[
        { field: "sku", title: t("sku") },
        { field: "item_name", title: t("name") },
        ...(isOfCount ? [] : place),
        { field: "expected_quantity", title: t("expected"), as: "number" },
        { field: "counted_quantity", title: t("counted"), as: "number" },
        {
          field: "quantity_change",
          title: t("change"),
          right: true,
          show: ({ quantity_change }) => <Signed of={quantity_change} />,
        },
        ...(isOfCount ? [{ field: "status", title: t("status"), show: toStatus }] : []),
        { field: "adjusted_by", title: t("reported"), as: "person" },
        { field: "adjusted_at", title: t("when"), as: "time" },
        ...(mayDecide ? [{ field: "actions", title: t("actions"), right: true, show: decide }] : []),
      ]}
    />
  );
}

const toBin = ({ bin_id, bin_code }: InventoryAdjustment) => <MaybeLink to={`/bins/${bin_id}`}>{bin_code}</MaybeLink>;
const toStatus = ({ status, superseded_by_count_id: newer }: InventoryAdjustment) =>
  newer ? <MaybeLink to={`/counts/${newer}`}>{t("replacedBy", { number: newer })}</MaybeLink> : <Status of={status} />;
const toReason = (adjustment: InventoryAdjustment) =>
  adjustment.cycle_count_id ? (
    <MaybeLink to={`/counts/${adjustment.cycle_count_id}`}>
      {t("count", { number: adjustment.cycle_count_id })}
    </MaybeLink>
  ) : (
    reasonText(adjustment)
  );
