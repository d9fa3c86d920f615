import type { ReactNode } from "react";
import { useParams } from "react-router";
import type { LotDetail } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { day, number, time } from "../../../../shared/format.js";
import { isAdmin, useMe } from "../../../../shared/session.js";
import { t } from "../../../../texts/lots.js";
import { Facts, Section } from "../../../components/facts.js";
import { MaybeLink } from "../../../components/maybe-link.js";
import { Page } from "../../../components/page.js";
import { Loaded } from "../../../components/states.js";
import { Status } from "../../../components/status.js";
import { TableSection } from "../../../components/table.js";
import { warehouseColumn } from "../../../components/warehouse-field.js";
import { SerialsOf } from "../serials/serials-of.js";
import { LotActions } from "./lot-actions.js";
import { LotFiles } from "./lot-files.js";
import { LotRecalls } from "./lot-recalls.js";
import { LotTrace } from "./trace.js";

/** A lot: what is known of it, where it lies, and its life from the vendor to the customers. */
export default function Lot() {
  const lot_id = Number(useParams().lot_id);
  const mayAct = isAdmin(useMe());
  return (
    <Loaded of={useRead("/api/admin/lots/{lot_id}", { path: { lot_id } })}>
      {({ places, receipts, ...lot }) => (
        <Page
          title={t("lotOf", { lot: lot.lot_number, sku: lot.sku })}
          mark={<Status of={lot.effective_condition} />}
          actions={
            <>
              <LotFiles lot_id={lot_id} />
              {mayAct && <LotActions lot={lot} />}
            </>
          }
        >
          <Section title={t("lot")}>
            <Facts
              of={[
                [
                  t("item"),
                  <MaybeLink to={`/items/${lot.item_id}`} key="item">
                    {lot.sku}
                  </MaybeLink>,
                ],
                [t("name"), lot.item_name],
                [t("lastDay"), day(lot.expiry_date)],
                [t("produced"), day(lot.production_date)],
                [t("supplierLot"), lot.supplier_lot],
                [t("onHand"), number(lot.quantity_on_hand)],
                [t("serials"), <SerialsOf key="serials" sku={lot.sku} lot_number={lot.lot_number} />],
                [t("whyHeld"), lot.condition_reason],
                ...(lot.condition === "QUARANTINE"
                  ? [[t("toDecide"), <ItsInspection key="inspection" lot_id={lot_id} />] as [string, ReactNode]]
                  : []),
                ...(mayAct
                  ? [[t("recalls"), <LotRecalls key="recalls" lot_id={lot_id} />] as [string, ReactNode]]
                  : []),
                [t("notes"), lot.notes],
                ...Object.entries(lot.attributes),
                [t("created"), time(lot.created_at)],
                [t("changed"), time(lot.updated_at)],
              ]}
            />
          </Section>
          <Places of={places} />
          <Receipts of={receipts} />
          <LotTrace lot_id={lot_id} />
        </Page>
      )}
    </Loaded>
  );
}

/** The inspection that decides what becomes of a lot in quarantine. */
function ItsInspection({ lot_id }: { lot_id: number }) {
  const open = useRead("/api/admin/inspections", { query: { lot_id, status: "OPEN" } }).data?.inspections[0];
  return (
    open && (
      <MaybeLink to={`/inspections/${open.inspection_id}`}>{t("inspection", { number: open.inspection_id })}</MaybeLink>
    )
  );
}

const Places = ({ of }: { of: LotDetail["places"] }) => (
  <TableSection
    title={t("whereItLies")}
    empty={t("liesNowhere")}
    rows={of}
    to={({ bin_id }) => `/bins/${bin_id}`}
    columns={[
      { field: "bin_code", title: t("bin") },
      warehouseColumn(),
      { field: "effective_condition", title: t("condition"), as: "status" },
      { field: "expiry_date", title: t("lastDay"), as: "day" },
      { field: "quantity_on_hand", title: t("onHand"), as: "number" },
      { field: "quantity_allocated", title: t("allocated"), as: "number" },
    ]}
  />
);

const Receipts = ({ of }: { of: LotDetail["receipts"] }) => (
  <TableSection
    title={t("receipts")}
    empty={t("noReceipts")}
    rows={of}
    columns={[
      { field: "po_number", title: t("order"), show: toItsOrder },
      { field: "vendor_name", title: t("vendor") },
      { field: "quantity_received", title: t("units"), as: "number" },
      { field: "received_by", title: t("by"), as: "person" },
      { field: "received_at", title: t("when"), as: "time" },
    ]}
  />
);

const toItsOrder = ({ po_number, so_number }: LotDetail["receipts"][number]) =>
  po_number ? (
    <MaybeLink to={`/purchase-orders?q=${encodeURIComponent(po_number)}`}>{po_number}</MaybeLink>
  ) : (
    so_number && <MaybeLink to={`/returns?q=${encodeURIComponent(so_number)}`}>{so_number}</MaybeLink>
  );
