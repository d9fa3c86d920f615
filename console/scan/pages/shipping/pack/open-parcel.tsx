import { useState } from "react";
import { number } from "../../../../shared/format.js";
import { t } from "../../../../texts/scan-pack.js";
import { Quantity, Screen, Sending } from "../../../components/parts.js";
import type { Scanning } from "../../../task.js";
import { LeftToPack } from "./left-to-pack.js";
import type { ParcelTask } from "./parcel-task.js";
import type { OrderInParcels } from "./progress.js";
import { OtherItem, UnitField, unitWithoutSerial } from "./unit-field.js";

interface OpenParcelProps {
  parcel: OrderInParcels["parcels"][number];
  unpacked: OrderInParcels["unpacked"];
  task: ParcelTask;
  error: unknown;
  perScan: number;
  setPerScan: (to: number) => void;
  back: () => void;
}

/** Units are scanned into a parcel, which is closed with what the scale says. */
export function OpenParcel({ parcel, unpacked, task, error, perScan, setPerScan, back }: OpenParcelProps) {
  const { parcel_id, parcel_number, box_code, lines } = parcel;
  const contents = lines.map(({ parcel_line_id, quantity }) => `${quantity} of ${parcel_line_id}`).join();
  const [weighed, setWeighed] = useState({ text: "", contents });
  // Of other contents the scale has said nothing yet.
  const weight = weighed.contents === contents ? weighed.text : "";
  /** What was refused before says nothing of what is done now. */
  const anew = <I,>(one: Scanning<I>): Scanning<I> => ({
    ...one,
    send: (input) => {
      for (const before of [task.fill, task.takeOut, task.close]) before.reset();
      return one.send(input);
    },
  });
  const [fill, takeOut, close] = [anew(task.fill), anew(task.takeOut), anew(task.close)];
  const isPending = fill.isPending || takeOut.isPending || close.isPending;
  const weight_lbs = Number(weight);
  const next = unitWithoutSerial(fill) ? (
    <OtherItem packing={fill} />
  ) : (
    lines.length > 0 && (
      <button
        type="button"
        className="primary"
        disabled={isPending || !(weight_lbs >= 0)}
        onClick={() => void close.send({ parcel_id, ...(weight_lbs > 0 && { weight_lbs }) })}
      >
        {t("complete")}
      </button>
    )
  );
  return (
    <Screen title={t("parcel", { number: parcel_number, box: box_code ?? t("noBox") })} back={back} next={next}>
      {isPending && <Sending />}
      <UnitField
        packing={fill}
        error={close.error ?? takeOut.error ?? error}
        scanOf={(scanned_barcode) => ({ parcel_id, scanned_barcode, ...(perScan > 1 && { quantity: perScan }) })}
      />
      {lines.length > 0 && (
        <label>
          {t("weighs")}
          <input
            type="number"
            inputMode="decimal"
            min={0}
            step="any"
            value={weight}
            placeholder={t("asReckoned")}
            onChange={({ currentTarget }) => setWeighed({ text: currentTarget.value, contents })}
          />
        </label>
      )}
      <section>
        <h2>{t("inParcel")}</h2>
        <ul className="lines">
          {lines.length === 0 && <li className="dim">{t("nothingIn")}</li>}
          {lines.map(({ parcel_line_id, sku, item_name, lot_number, serial_number, quantity }) => (
            <li key={parcel_line_id}>
              <span>
                <strong>{sku}</strong> {item_name}
                <span className="block dim">{[lot_number, serial_number].filter(Boolean).join(" · ")}</span>
                <button
                  type="button"
                  disabled={isPending}
                  onClick={() => void takeOut.send({ parcel_id, parcel_line_id })}
                >
                  {t("takeOut", { sku })}
                </button>
              </span>
              <span className="amount">{number(quantity)}</span>
            </li>
          ))}
        </ul>
      </section>
      {unpacked.length > 0 && (
        <>
          <LeftToPack units={unpacked} />
          <Quantity label={t("perScan")} value={perScan} set={setPerScan} />
        </>
      )}
    </Screen>
  );
}
