import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Parcel } from "../../../../client/src/index.js";
import { urlOf } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { hasLabel, useLabels } from "../../../shared/labels.js";
import { save } from "../../../shared/save.js";
import { mayDo, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/parcels.js";
import { BoxField } from "../../components/box-field.js";
import { ClosingFields, closingIn } from "../../components/closing-fields.js";
import { Decision } from "../../components/decision.js";
import { Printout } from "../../components/printout.js";
import { useItem } from "../../components/serials-field.js";
import { optionsOf, typed } from "../../values.js";
import { contentsOptions } from "./contents.js";
import { UnitsField } from "./units-field.js";

/** What can be done with a parcel where it stands, by whom may. */
export function ParcelActions({ parcel }: { parcel: Parcel }) {
  const me = useMe();
  const { status, parcel_id, lines } = parcel;
  const mayPack = mayDo(me, "pack");
  const mayShip = mayDo(me, "ship");
  const isFilled = lines.length > 0;
  const isLabelled = useLabels(parcel_id).some(hasLabel);
  return (
    <>
      {mayPack && status === "OPEN" && <PutIn parcel={parcel} />}
      {mayPack && status === "OPEN" && isFilled && <Close parcel={parcel} />}
      {mayShip && status === "CLOSED" && <Ship parcel={parcel} />}
      {mayPack && status === "CLOSED" && !isLabelled && <Reopen parcel={parcel} />}
      {mayShip && status === "SHIPPED" && <VoidShipment parcel={parcel} />}
      {status !== "VOIDED" && isFilled && <Papers parcel={parcel} />}
      {mayPack && (status === "OPEN" || status === "CLOSED") && <VoidParcel parcel={parcel} />}
    </>
  );
}

interface OfParcel {
  parcel: Parcel;
}

const nameOf = ({ parcel_number: number, so_number: order }: Parcel) => ({ number, order });

/** Units that were picked and are in no parcel; nothing where there are none. */
function PutIn({ parcel: { parcel_id, so_id } }: OfParcel) {
  const rest = useRead("/api/packing/parcels", { query: { so_id } }).data?.unpacked ?? [];
  if (rest.length === 0) return null;
  return (
    <Decision
      label={t("putIn")}
      title={t("putInTitle")}
      act={({ line, quantity, serial_number, lot_number }, api) => {
        const { sku, item_id } = rest.find(({ so_line_id }) => String(so_line_id) === line) ?? { sku: "" };
        return api.post("/api/packing/parcels/{parcel_id}/scan", {
          path: { parcel_id },
          body: {
            ...{ scanned_barcode: sku, ...(item_id && { item_id }), quantity: Number(quantity) },
            ...(typed(serial_number) && { serial_number }),
            ...(typed(lot_number) && { lot_number }),
          },
        });
      }}
    >
      <UnitsToPutIn of={rest} />
    </Decision>
  );
}

interface Rest {
  so_line_id: number;
  item_id: number;
  sku: string;
  item_name: string;
  quantity: number;
}

function UnitsToPutIn({ of }: { of: Rest[] }) {
  const [chosen, setChosen] = useState(of[0]?.so_line_id);
  const line = of.find(({ so_line_id }) => so_line_id === chosen) ?? (of[0] as Rest);
  const item = useItem(line);
  const asksSerial = item !== undefined && item.serial_policy !== "none";
  return (
    <>
      <NativeSelect
        name="line"
        label={t("item")}
        data={of.map(({ so_line_id, sku, item_name }) => ({
          value: String(so_line_id),
          label: `${sku} · ${item_name}`,
        }))}
        value={line.so_line_id}
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
      />
      <UnitsField most={asksSerial ? 1 : line.quantity} />
      {asksSerial && <TextInput name="serial_number" label={t("serial")} maxLength={100} required />}
      {item && item.lot_policy !== "none" && <TextInput name="lot_number" label={t("lot")} maxLength={64} />}
    </>
  );
}

const Close = ({ parcel }: OfParcel) => (
  <Decision
    label={t("closeParcel")}
    title={t("closeTitle", nameOf(parcel))}
    act={(values, api) =>
      api.post("/api/packing/parcels/{parcel_id}/close", {
        path: { parcel_id: parcel.parcel_id },
        body: closingIn(values),
      })
    }
  >
    <BoxField chosen={parcel.box_id} />
    <ClosingFields />
  </Decision>
);

const Reopen = ({ parcel }: OfParcel) => (
  <Decision
    label={t("reopen")}
    title={t("reopenTitle", nameOf(parcel))}
    act={(_, api) => api.post("/api/packing/parcels/{parcel_id}/reopen", { path: { parcel_id: parcel.parcel_id } })}
  />
);

/** With the number of its label, where it has one: only what is typed instead is sent. */
const Ship = ({ parcel }: OfParcel) => (
  <Decision
    label={t("ship")}
    title={t("shipTitle", nameOf(parcel))}
    act={(values, api) =>
      api.post("/api/shipping/parcels/{parcel_id}/ship", {
        path: { parcel_id: parcel.parcel_id },
        body: Object.fromEntries(Object.entries(values).filter(([, value]) => typed(value))),
      })
    }
  >
    <TextInput
      name="tracking_number"
      label={t("tracking")}
      defaultValue={parcel.tracking_number ?? ""}
      maxLength={255}
      data-autofocus
    />
    <TextInput
      name="carrier"
      label={t("carrier")}
      description={t("carrierHint")}
      defaultValue={parcel.carrier ?? ""}
      maxLength={100}
    />
  </Decision>
);

const VoidShipment = ({ parcel }: OfParcel) => (
  <Decision
    isDangerous
    label={t("voidShipment")}
    title={t("voidShipmentTitle", nameOf(parcel))}
    act={({ reason = "" }, api) =>
      api.post("/api/shipping/parcels/{parcel_id}/void", { path: { parcel_id: parcel.parcel_id }, body: { reason } })
    }
  >
    <TextInput name="reason" label={t("reason")} maxLength={500} required data-autofocus />
  </Decision>
);

const VoidParcel = ({ parcel }: OfParcel) => (
  <Decision
    isDangerous
    label={t("voidParcel")}
    title={t("voidTitle", nameOf(parcel))}
    act={({ reason }, api) =>
      api.post("/api/packing/parcels/{parcel_id}/void", {
        path: { parcel_id: parcel.parcel_id },
        body: { reason: typed(reason) },
      })
    }
  >
    <TextInput name="reason" label={t("reason")} maxLength={500} data-autofocus />
  </Decision>
);

/** Label and slip on printers or as files, and what customs ask for as a file. */
function Papers({ parcel: { parcel_id, warehouse_id } }: OfParcel) {
  const path = `/api/packing/parcels/${parcel_id}`;
  return (
    <>
      <Printout
        label={t("parcelLabel")}
        path={`${path}/label`}
        print={{ document: "parcel_label", record_ids: [parcel_id] }}
        warehouseId={warehouse_id}
      />
      <Printout
        label={t("packingSlip")}
        path={`${path}/packing-slip`}
        print={{ document: "parcel_slip", record_ids: [parcel_id] }}
        warehouseId={warehouse_id}
      />
      <Decision
        label={t("customsPaper")}
        verb={t("print")}
        title={t("customsPaper")}
        act={(values) => save("application/pdf", urlOf(`${path}/customs-paper`, {}, values), "customs.pdf")}
      >
        <NativeSelect
          name="form"
          label={t("form")}
          data={optionsOf({ cn23: "CN 23", cn22: "CN 22", invoice: t("invoice") })}
        />
        <NativeSelect name="contents" label={t("whySent")} data={contentsOptions()} />
      </Decision>
    </>
  );
}
