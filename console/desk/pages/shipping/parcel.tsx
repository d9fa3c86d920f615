import { useParams } from "react-router";
import type { Parcel as ParcelRecord } from "../../../../client/src/index.js";
import { moneyOf } from "../../../shared/amounts.js";
import { useRead } from "../../../shared/api.js";
import { day, number, time } from "../../../shared/format.js";
import { mayDo, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/parcels.js";
import { Decision } from "../../components/decision.js";
import { Facts, inOneLine, Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { person } from "../../components/person.js";
import { Loaded, Notice } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { type Column, TableSection } from "../../components/table.js";
import { TrackingLink } from "../../components/tracking-link.js";
import { ParcelActions } from "./parcel-actions.js";
import { ParcelLabels } from "./parcel-labels.js";
import { ParcelTracking, trackingText } from "./parcel-tracking.js";
import { sizeOf } from "./size.js";
import { UnitsField } from "./units-field.js";

/** A parcel: what is in it, its label, and what can be done with it where it stands. */
export default function Parcel() {
  const parcel_id = Number(useParams().parcel_id);
  const mayPack = mayDo(useMe(), "pack");
  return (
    <Loaded of={useRead("/api/packing/parcels/{parcel_id}", { path: { parcel_id } })}>
      {(parcel) => (
        <Page
          title={t("parcelOf", { number: parcel.parcel_number, order: parcel.so_number })}
          warehouse_id={parcel.warehouse_id}
          mark={<Status of={parcel.status} />}
          actions={<ParcelActions parcel={parcel} />}
        >
          {parcel.address_changed && (
            <Notice color="orange" title={t("addressChanged", { number: parcel.parcel_number })} />
          )}
          <Section title={t("number")}>
            <Facts of={factsOf(parcel)} />
          </Section>
          <Contents parcel={parcel} isOpen={mayPack && parcel.status === "OPEN"} />
          <ParcelLabels parcel={parcel} />
          {mayPack && parcel.tracking_status && <ParcelTracking parcel_id={parcel_id} />}
        </Page>
      )}
    </Loaded>
  );
}

const factsOf = (parcel: ParcelRecord): Parameters<typeof Facts>[0]["of"] =>
  [
    [
      t("order"),
      <MaybeLink key="order" to={`/orders/${parcel.so_id}`}>
        {parcel.so_number}
      </MaybeLink>,
    ],
    [t("code"), parcel.barcode],
    [t("box"), parcel.box_code],
    [t("outside"), sizeOf(parcel)],
    [t("weight"), number(parcel.weight_lbs)],
    [t("carrier"), [parcel.carrier, parcel.service].filter(Boolean).join(" · ") || null],
    [
      t("tracking"),
      parcel.tracking_number && (
        <TrackingLink key="tracking" carrier={parcel.carrier} number={parcel.tracking_number} />
      ),
    ],
    ...(parcel.tracking_status
      ? [
          [t("where"), trackingText(parcel.tracking_status)] as const,
          [t("expected"), day(parcel.expected_day)] as const,
        ]
      : []),
    [t("cost"), moneyOf(parcel.cost_minor, parcel.cost_currency)],
    [t("closed"), parcel.closed_at && inOneLine(time(parcel.closed_at), person(parcel.closed_by))],
    [t("shipped"), time(parcel.shipped_at)],
    ...(parcel.voided_at
      ? [[t("voided"), inOneLine(time(parcel.voided_at), person(parcel.voided_by), parcel.void_reason)] as const]
      : []),
  ].map(([label, value]) => [label as string, value]);

type Line = ParcelRecord["lines"][number];

function Contents({ parcel: { parcel_id, lines }, isOpen }: { parcel: ParcelRecord; isOpen: boolean }) {
  const takeOut: Column<Line> = {
    ...{ field: "actions", title: t("actions"), right: true },
    show: (line) => <TakeOut parcel_id={parcel_id} line={line} />,
  };
  return (
    <TableSection
      title={t("contents")}
      rows={lines}
      empty={t("nothingIn")}
      columns={[
        { field: "sku", title: t("sku"), show: ItemLink },
        { field: "item_name", title: t("name") },
        { field: "lot_number", title: t("lot") },
        { field: "serial_number", title: t("serial") },
        { field: "quantity", title: t("units"), as: "number" },
        ...(isOpen ? [takeOut] : []),
      ]}
    />
  );
}

const ItemLink = ({ item_id, sku }: Line) => <MaybeLink to={`/items/${item_id}`}>{sku}</MaybeLink>;

const TakeOut = ({ parcel_id, line: { parcel_line_id, sku, quantity } }: { parcel_id: number; line: Line }) => (
  <Decision
    isSmall
    label={t("takeOut")}
    title={t("takeOutTitle", { sku })}
    act={(values, api) =>
      api.post("/api/packing/parcels/{parcel_id}/take-out", {
        path: { parcel_id },
        body: { parcel_line_id, quantity: Number(values.quantity) },
      })
    }
  >
    <UnitsField most={quantity} />
  </Decision>
);
