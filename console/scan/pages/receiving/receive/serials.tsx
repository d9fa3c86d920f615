import type { ReceivingLine } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/receiving.js";
import { useLookUps } from "../../../components/look-ups.js";
import { Refused } from "../../../components/parts.js";
import { ScanField } from "../../../components/scan-field.js";
import { plain, useLookUp } from "../../../look-up.js";
import { SHORTEST_LABEL, unlessAway } from "./lot-field.js";

/** Whose units are scanned. */
type Line = Pick<ReceivingLine, "item_id" | "sku" | "upc">;

interface SerialFieldProps {
  line: Line;
  serials: string[];
  /** Of receipts that are kept without the net. */
  kept: string[];
  quantity: number;
  found: (serial: string) => unknown;
}

/** Takes the scan of a unit's serial number, by itself or on a label of the item. */
export function SerialField({ line, serials, kept, quantity, found }: SerialFieldProps) {
  const { item } = useLookUps();
  const look = useLookUp(async (text) => {
    const serial = await serialIn(text, line, item);
    if ([...serials, ...kept].includes(serial)) throw new Error(t("serialTwice", { serial }));
    return serial;
  }, found);
  return (
    <>
      <Refused error={look.error} scanned={look.scanned} />
      <ScanField label={t("scanSerial", { number: serials.length + 1, quantity })} onScan={look.take} />
    </>
  );
}

type LookUp = ReturnType<typeof useLookUps>["item"];
async function serialIn(text: string, { item_id, sku, upc }: Line, item: LookUp): Promise<string> {
  const code = plain(text);
  const isOwnCode = code === upc || code.toUpperCase() === sku.toUpperCase();
  if (!isOwnCode && code.length < SHORTEST_LABEL) return code;
  const label = await unlessAway(item(text, item_id));
  if (!label) return code;
  if (label.item.item_id !== item_id) throw new Error(t("otherItem", { sku: label.item.sku }));
  if (label.scan.serial_number === null) throw new Error(t("noSerial", { sku }));
  return label.scan.serial_number;
}

/** The serial numbers so far, the last one first; each can be taken off again. */
export const Serials = ({ serials, set }: { serials: string[]; set: (serials: string[]) => void }) => (
  <section>
    <h2>{t("serials")}</h2>
    <ul className="lines">
      {serials.toReversed().map((serial) => (
        <li key={serial}>
          <span>{serial}</span>
          <button
            type="button"
            aria-label={t("removeSerial", { serial })}
            onClick={() => set(serials.filter((other) => other !== serial))}
          >
            {t("remove")}
          </button>
        </li>
      ))}
    </ul>
  </section>
);
