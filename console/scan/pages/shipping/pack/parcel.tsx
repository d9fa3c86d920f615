import { useRead } from "../../../../shared/api.js";
import { wishes } from "../../../../shared/format.js";
import { Icon } from "../../../../shared/icons.js";
import { t } from "../../../../texts/scan-pack.js";
import { NotYet, Quantity, Refused, Screen, Sending } from "../../../components/parts.js";
import { Print } from "../../../components/print.js";
import type { Scanning } from "../../../task.js";
import { OtherItem, UnitField, type UnitScan, unitWithoutSerial } from "./unit-field.js";

export interface VerifyBody extends UnitScan {
  so_id: number;
}

interface ParcelProps {
  so_number: string;
  perScan: number;
  setPerScan: (to: number) => void;
  verify: Scanning<VerifyBody>;
  complete: Scanning<{ so_id: number }>;
  /** Each in a box, and with the label of a carrier. */
  intoParcels: () => void;
  leave: () => void;
}

/** Each item that goes into the parcel is scanned and counted. */
export function Parcel({ so_number, perScan, setPerScan, verify, complete, intoParcels, leave }: ParcelProps) {
  const { data, error } = useRead("/api/packing/order/{barcode}", { path: { barcode: so_number } });
  if (!data) return <NotYet title={t("order", { number: so_number })} back={leave} error={error} />;
  const { sales_order, lines, total_items, is_short } = data;
  const { so_id, customer_name, goes_to, memo } = sales_order;
  const isWhole = total_items > 0 && lines.every(({ pack_verified }) => pack_verified);
  const unit = unitWithoutSerial(verify);
  const isPending = verify.isPending || complete.isPending;
  const close = () => {
    verify.reset();
    void complete.send({ so_id });
  };
  const next = unit ? (
    <OtherItem packing={verify} />
  ) : (
    isWhole && (
      <button type="button" className="primary" onClick={close} disabled={isPending}>
        {t("complete")}
      </button>
    )
  );
  return (
    <Screen title={t("order", { number: so_number })} back={leave} next={next}>
      {isPending && <Sending />}
      <Refused error={total_items === 0 && new Error(t("nothingPicked"))} />
      {is_short && total_items > 0 && <p className="notice wrong">{t("isShort")}</p>}
      <UnitField
        packing={verify}
        error={complete.error ?? error}
        scanOf={(scanned_barcode) => ({ so_id, scanned_barcode, ...(perScan > 1 && { quantity: perScan }) })}
      />
      <ul className="lines">
        {lines.map(({ so_line_id, sku, item_name, quantity_packed, quantity_picked, ...line }) => (
          <li key={so_line_id} className={line.pack_verified ? "done" : undefined}>
            <span>
              <strong>{sku}</strong> {item_name}
              {quantity_picked < line.quantity_ordered && (
                <span className="wrong"> {t("short", { missing: line.quantity_ordered - quantity_picked })}</span>
              )}
              {line.serial_numbers?.map((serial) => (
                <span key={serial} className="block dim">
                  {serial}
                </span>
              ))}
              {wishes(line.properties) && <em className="block">{wishes(line.properties)}</em>}
            </span>
            <span className="amount">
              {line.pack_verified && <Icon of="check" />}{" "}
              {t("itemsOf", { packed: quantity_packed, picked: quantity_picked })}
            </span>
          </li>
        ))}
      </ul>
      {!isWhole && <Quantity label={t("perScan")} value={perScan} set={setPerScan} />}
      {total_items > 0 && (
        <button type="button" className="second" onClick={intoParcels}>
          {t("intoParcels")}
        </button>
      )}
      <div className="card">
        {customer_name && <strong>{customer_name}</strong>}
        {goes_to}
        {memo && <p>{memo}</p>}
      </div>
      <Print
        path={`/api/packing/order/${encodeURIComponent(so_number)}/packing-slip`}
        label={t("packingSlip")}
        print={{ document: "packing_slip", record_ids: [so_id] }}
      />
    </Screen>
  );
}
