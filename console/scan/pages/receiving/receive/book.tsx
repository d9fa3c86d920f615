import { useState } from "react";
import type { ReceivingLine } from "../../../../../client/src/index.js";
import { day } from "../../../../shared/format.js";
import { t } from "../../../../texts/receiving.js";
import { BinField } from "../../../components/bin-field.js";
import { NoNet } from "../../../components/no-net.js";
import { Quantity, Screen, Sent } from "../../../components/parts.js";
import { useWarehouse } from "../../../components/warehouse.js";
import type { Delivery } from "../on-device/deliveries.js";
import { dockOf, rememberDock } from "../on-device/on-device.js";
import { serialsKept } from "../on-device/reckon.js";
import { Asked, fieldOf, missingOf, offeredOf } from "./asked.js";
import { LotField } from "./lot-field.js";
import type { Progress, ReceiveProps } from "./progress.js";
import { SerialField, Serials } from "./serials.js";

interface BookProps extends Omit<ReceiveProps, "done"> {
  po: string;
  po_id: number;
  line: ReceivingLine;
  /** As the device has it. */
  delivery: Delivery | undefined;
}

/** How many of an item go into which bin. */
export function Book({ po, po_id, line, progress, set, booking, device, delivery }: BookProps) {
  const { warehouse } = useWarehouse();
  const { item_id, sku, item_name, quantity_ordered } = line;
  const { quantity = 1, scanned, perScan = 1, lot, expiry, produced, said = {}, serials = [] } = progress;
  const bin = progress.bin ?? dockOf(delivery);
  const kept = device.isAway ? serialsKept(device.deeds, item_id) : [];
  const asked = missingOf(line, progress);
  const offered = offeredOf(line, progress, asked);
  const [isTelling, setIsTelling] = useState(offered.some((field) => said[field]));
  const told = isTelling ? [...asked, ...offered] : asked;
  const isLotMissing = asked.includes("lot_number") && !said.lot_number;
  const isSerial = line.serial_policy === "at_receipt";
  const isSerialMissing = !isLotMissing && isSerial && serials.length < quantity;
  const remaining = Math.max(0, line.quantity_remaining);
  const isMore = quantity > remaining;
  const isAsking = bin && isMore && progress.isAsking;
  const change = (to: Progress) => {
    booking.reset();
    set({ ...progress, isAsking: false, ...to });
  };
  const book = () => {
    if (!bin) return;
    const typed = Object.fromEntries(Object.entries(said).filter(([, text]) => text.trim() !== ""));
    const label = { ...(scanned && { scanned_barcode: scanned }), ...(isSerial && { serial_numbers: serials }) };
    const item = { item_id, quantity, bin_id: bin.bin_id, ...label, ...typed };
    if (delivery) rememberDock(delivery, bin);
    void booking.send({
      ...{ body: { po_id, items: [item] }, po, said: { quantity, sku, bin: bin.bin_code } },
      ...{ warehouse_id: warehouse.id, label: { lot, expiry, produced } },
      lot: line.lot_policy === "none" ? null : said.lot_number?.trim() || lot || null,
    });
  };
  const isBusy = booking.isPending || quantity < 1 || isLotMissing || isSerialMissing;
  const next = isSerialMissing ? (
    serials.length > 0 && (
      <button type="button" className="primary" onClick={() => change({ quantity: serials.length })}>
        {t("noMore", { quantity: serials.length })}
      </button>
    )
  ) : isAsking ? (
    <>
      <button type="button" className="second" onClick={book} disabled={isBusy}>
        {t("bookAll", { quantity, sku })}
      </button>
      <button type="button" className="primary" onClick={() => change({})} disabled={booking.isPending}>
        {t("changeIt")}
      </button>
    </>
  ) : (
    bin && (
      <button
        type="button"
        className="primary"
        onClick={() => (isMore ? change({ isAsking: true }) : book())}
        disabled={isBusy}
      >
        {t("book", { quantity, sku })}
      </button>
    )
  );
  return (
    <Screen title={t("order", { number: po })} back={() => set({ po })} next={next}>
      <div className="card">
        <strong>{sku}</strong>
        {item_name}
        <p className="dim">
          {t("receivedOf", { received: quantity_ordered - line.quantity_remaining, ordered: quantity_ordered })}
        </p>
        {lot && line.lot_policy !== "none" && (
          <p>
            {t("lot")}: {lot}
          </p>
        )}
        {expiry && (
          <p>
            {t("bestBefore")} {day(expiry)}
          </p>
        )}
        {produced && (
          <p>
            {t("production_date")}: {day(produced)}
          </p>
        )}
        {bin && (
          <p>
            {t("bin")}: {bin.bin_code}
          </p>
        )}
        {bin?.bin_id === null && <p>{t("unchecked", { bin: bin.bin_code })}</p>}
      </div>
      <NoNet />
      <Sent of={fieldOf(booking.error, told) ? { ...booking, error: null } : booking} />
      <Asked
        fields={isLotMissing ? told.filter((field) => field !== "lot_number") : told}
        said={said}
        set={(to) => change({ said: to })}
        error={booking.error}
      />
      {isAsking && (
        <p className="notice wrong" role="alert">
          {t("isMore", { quantity, remaining, ordered: quantity_ordered })}
        </p>
      )}
      <Quantity
        label={t("howMany")}
        value={quantity}
        min={Math.max(1, serials.length)}
        set={(to) => change({ quantity: to })}
      />
      {isLotMissing ? (
        <LotField item_id={item_id} found={(to) => change({ said: { ...said, lot_number: to } })} />
      ) : isSerialMissing ? (
        <SerialField
          {...{ line, serials, kept, quantity }}
          found={(serial) => change({ serials: [...serials, serial] })}
        />
      ) : (
        <BinField
          label={bin ? t("otherBin") : t("binOf")}
          found={({ bin_id, bin_code }) => change({ bin: { bin_id, bin_code } })}
          unknown={(bin_code) => change({ bin: { bin_id: null, bin_code } })}
          again={{ label: scanned, oneMore: () => change({ quantity: quantity + perScan }) }}
        />
      )}
      {offered.length > 0 && !isTelling && (
        <button type="button" className="second" onClick={() => setIsTelling(true)}>
          {t("tellLot")}
        </button>
      )}
      {serials.length > 0 && <Serials serials={serials} set={(to) => change({ serials: to })} />}
    </Screen>
  );
}
