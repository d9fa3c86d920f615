import { Refusal } from "../../../../../client/src/index.js";
import { useRead } from "../../../../shared/api.js";
import { wishes } from "../../../../shared/format.js";
import { Icon } from "../../../../shared/icons.js";
import { errorText } from "../../../../texts/problems.js";
import { t } from "../../../../texts/scan-pack.js";
import { Candidates } from "../../../components/candidates.js";
import { NotYet, Quantity, Refused, Screen, Sending } from "../../../components/parts.js";
import { Print } from "../../../components/print.js";
import { ScanField } from "../../../components/scan-field.js";
import { isAsking, type Scanning } from "../../../task.js";

export interface VerifyBody {
  so_id: number;
  scanned_barcode: string;
  /** Without it, as many as the label says. */
  quantity?: number;
  /** Which one is meant of several with this code. */
  item_id?: number;
  /** Of the unit, where its item asks for one and the label has none. */
  serial_number?: string;
}

interface ParcelProps {
  so_number: string;
  perScan: number;
  setPerScan: (to: number) => void;
  verify: Scanning<VerifyBody>;
  complete: Scanning<{ so_id: number }>;
  leave: () => void;
}

/** Refusals after which the serial number of the unit is scanned, or another one. */
const ABOUT_SERIALS = ["serial_required", "serial_unknown", "serial_elsewhere", "serial_is_item_code"];

/** The scan of a unit that was refused as its serial number is missing or wrong. */
function unitWithoutSerial({ error, input }: Scanning<VerifyBody>): VerifyBody | undefined {
  if (!(error instanceof Refusal && ABOUT_SERIALS.includes(error.code)) || !input) return undefined;
  return isAsking(error) || input.serial_number !== undefined ? input : undefined;
}

/** Each item that goes into the parcel is scanned and counted. */
export function Parcel({ so_number, perScan, setPerScan, verify, complete, leave }: ParcelProps) {
  const { data, error } = useRead("/api/packing/order/{barcode}", { path: { barcode: so_number } });
  if (!data) return <NotYet title={t("order", { number: so_number })} back={leave} error={error} />;
  const { sales_order, lines, total_items } = data;
  const { so_id, customer_name, ship_address, memo } = sales_order;
  const isWhole = total_items > 0 && lines.every(({ pack_verified }) => pack_verified);
  const unit = unitWithoutSerial(verify);
  const isPending = verify.isPending || complete.isPending;
  const close = () => {
    verify.reset();
    void complete.send({ so_id });
  };
  const next = unit ? (
    <button type="button" className="second" onClick={verify.reset}>
      {t("otherItem")}
    </button>
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
      <Refused
        error={isAsking(verify.error) ? undefined : (verify.error ?? complete.error ?? error)}
        scanned={verify.error ? (verify.input?.serial_number ?? verify.input?.scanned_barcode) : undefined}
      />
      {isAsking(verify.error) && <p role="status">{errorText(verify.error)}</p>}
      <Candidates
        error={verify.error}
        choose={(item_id) => verify.input && void verify.send({ ...verify.input, item_id })}
      />
      <Refused error={total_items === 0 && new Error(t("nothingPicked"))} />
      {unit ? (
        <ScanField label={t("scanSerial")} onScan={(text) => verify.send({ ...unit, serial_number: text })} />
      ) : (
        <ScanField
          label={t("scanItem")}
          onScan={(text) => verify.send({ so_id, scanned_barcode: text, ...(perScan > 1 && { quantity: perScan }) })}
        />
      )}
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
      <div className="card">
        {customer_name && <strong>{customer_name}</strong>}
        {ship_address}
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
