import type { ReturnToReceive } from "../../../../../client/src/index.js";
import { day } from "../../../../shared/format.js";
import { Icon } from "../../../../shared/icons.js";
import { t } from "../../../../texts/scan-returns.js";
import { BinField } from "../../../components/bin-field.js";
import { Quantity, Screen, Sent } from "../../../components/parts.js";
import { useWarehouse } from "../../../components/warehouse.js";
import { Asked, fieldOf } from "../receive/asked.js";
import { SerialField, Serials } from "../receive/serials.js";
import { type Condition, conditions, type Progress, type ReturnProps } from "./progress.js";

/** What the service may ask for that neither the label nor the shipment says. */
const ASKED = ["lot_number", "expiry_date"] as const;

interface BookProps extends ReturnProps {
  item: ReturnToReceive["items"][number];
}

/** How many of an item came back, in which condition, and into which bin they go. */
export function Book({ returned, item, progress, set, booking }: BookProps) {
  const { warehouse } = useWarehouse();
  const { so_id, so_number } = returned;
  const { item_id, sku, item_name, quantity_remaining, quantity_expected, has_serials } = item;
  const { quantity = 1, scanned, perScan = 1, lot, expiry, said = {}, serials = [], condition, bins = {} } = progress;
  const bin = progress.bin ?? (condition && bins[condition]);
  const isSerialMissing = has_serials && serials.length < quantity;
  const asked = ASKED.filter((field) => said[field] !== undefined || fieldOf(booking.error, [...ASKED]) === field);
  const change = (to: Progress) => {
    booking.reset();
    set({ ...progress, ...to });
  };
  const isReady = bin && condition && quantity > 0 && !isSerialMissing;
  const book = () => {
    if (!bin || !condition) return;
    const lot_number = said.lot_number?.trim() || lot;
    const expiry_date = said.expiry_date || expiry;
    void booking.send({
      body: {
        ...{ so_id, item_id, quantity, warehouse_id: warehouse.id, bin_id: bin.bin_id },
        ...(lot_number && { lot_number }),
        ...(expiry_date && { expiry_date }),
        ...(has_serials && { serial_numbers: serials }),
        ...(condition !== "asNew" && { condition: "QUARANTINE", notes: inWords(condition) }),
      },
      ...{ so_number, condition, said: { quantity, sku, bin: bin.bin_code } },
    });
  };
  const next = isReady && (
    <button type="button" className="primary" onClick={book} disabled={booking.isPending}>
      {t("book", { quantity, sku, bin: bin.bin_code })}
    </button>
  );
  const { item_id: _, ...before } = progress;
  return (
    <Screen title={t("returnOf", { number: so_number })} back={() => set(before)} next={next}>
      <div className="card">
        <strong>{sku}</strong>
        {item_name}
        <p className="dim">{t("remaining", { remaining: quantity_remaining, expected: quantity_expected })}</p>
        {lot && (
          <p>
            {t("lot")}: {lot}
          </p>
        )}
        {expiry && (
          <p>
            {t("expiry")}: {day(expiry)}
          </p>
        )}
        {bin && <p className="place">{bin.bin_code}</p>}
      </div>
      <Sent of={asked.length > 0 ? { ...booking, error: null } : booking} />
      <Asked fields={asked} said={said} set={(to) => change({ said: to })} error={booking.error} />
      <Quantity
        label={t("howMany")}
        value={quantity}
        min={Math.max(1, serials.length)}
        max={quantity_remaining}
        set={(to) => change({ quantity: to })}
      />
      <Conditions chosen={condition} choose={(to) => change({ condition: to })} />
      {isSerialMissing ? (
        <SerialField
          {...{ line: item, serials, kept: [], quantity }}
          found={(serial) => change({ serials: [...serials, serial] })}
        />
      ) : (
        <BinField
          label={bin ? t("otherBin") : t("scanBin")}
          found={({ bin_id, bin_code }) => change({ bin: { bin_id, bin_code } })}
          again={{
            label: scanned,
            oneMore: () => change({ quantity: Math.min(quantity_remaining, quantity + perScan) }),
          }}
        />
      )}
      {serials.length > 0 && <Serials serials={serials} set={(to) => change({ serials: to })} />}
    </Screen>
  );
}

const inWords = (condition: Condition) =>
  ({ asNew: t("asNew"), opened: t("opened"), damaged: t("damaged") })[condition];

interface ConditionsProps {
  chosen: Condition | undefined;
  choose: (condition: Condition) => void;
}

const Conditions = ({ chosen, choose }: ConditionsProps) => (
  <section>
    <h2>{t("condition")}</h2>
    <ul className="choices">
      {conditions.map((one) => (
        <li key={one}>
          <button type="button" aria-pressed={one === chosen} onClick={() => choose(one)}>
            {inWords(one)}
            {one === chosen && <Icon of="check" />}
          </button>
        </li>
      ))}
    </ul>
  </section>
);
