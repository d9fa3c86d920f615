import { Refusal } from "../../../../../client/src/index.js";
import { errorText } from "../../../../texts/problems.js";
import { t } from "../../../../texts/scan-pack.js";
import { Candidates } from "../../../components/candidates.js";
import { Refused } from "../../../components/parts.js";
import { ScanField } from "../../../components/scan-field.js";
import { isAsking, type Scanning } from "../../../task.js";

/** The scan of a unit, as it is sent. */
export interface UnitScan {
  scanned_barcode: string;
  /** Without it, as many as the label says. */
  quantity?: number;
  /** Which one is meant of several with this code. */
  item_id?: number;
  /** Of the unit, where its item asks for one and the label has none. */
  serial_number?: string;
}

/** Refusals after which the serial number of the unit is scanned, or another one. */
const ABOUT_SERIALS = ["serial_required", "serial_unknown", "serial_elsewhere", "serial_is_item_code"];

/** The scan of a unit that was refused as its serial number is missing or wrong. */
export function unitWithoutSerial<B extends UnitScan>({ error, input }: Scanning<B>): B | undefined {
  if (!(error instanceof Refusal && ABOUT_SERIALS.includes(error.code)) || !input) return undefined;
  return isAsking(error) || input.serial_number !== undefined ? input : undefined;
}

interface UnitFieldProps<B extends UnitScan> {
  packing: Scanning<B>;
  /** Why something else did not work. */
  error: unknown;
  /** What is sent of a scan. */
  scanOf: (scanned_barcode: string) => B;
}

/** Each unit that is packed is scanned: its item, and its serial number where it needs one. */
export function UnitField<B extends UnitScan>({ packing, error, scanOf }: UnitFieldProps<B>) {
  const unit = unitWithoutSerial(packing);
  return (
    <>
      <Refused
        error={isAsking(packing.error) ? undefined : (packing.error ?? error)}
        scanned={packing.error ? (packing.input?.serial_number ?? packing.input?.scanned_barcode) : undefined}
      />
      {isAsking(packing.error) && <p role="status">{errorText(packing.error)}</p>}
      <Candidates
        error={packing.error}
        choose={(item_id) => packing.input && void packing.send({ ...packing.input, item_id })}
      />
      {unit ? (
        <ScanField label={t("scanSerial")} onScan={(text) => packing.send({ ...unit, serial_number: text })} />
      ) : (
        <ScanField label={t("scanItem")} onScan={(text) => packing.send(scanOf(text))} />
      )}
    </>
  );
}

/** Leaves a unit whose serial number cannot be scanned. */
export const OtherItem = ({ packing }: { packing: { reset: () => void } }) => (
  <button type="button" className="second" onClick={packing.reset}>
    {t("otherItem")}
  </button>
);
