import { isAway } from "../../../../shared/away.js";
import { t } from "../../../../texts/receiving.js";
import { useLookUps } from "../../../components/look-ups.js";
import { Refused } from "../../../components/parts.js";
import { ScanField } from "../../../components/scan-field.js";
import { plain, useLookUp } from "../../../look-up.js";

/** No GS1 label is shorter. */
export const SHORTEST_LABEL = 16;

/** What a label says, or undefined for what is none. Whether it is one nobody knows where no answer came. */
export const unlessAway = <A,>(label: Promise<A>): Promise<A | undefined> =>
  label.catch((error) => {
    if (isAway(error)) throw error;
    return undefined;
  });

/** Takes the scan of a lot's number, by itself or on a label of the item. */
export function LotField({ item_id, found }: { item_id: number; found: (lot: string) => unknown }) {
  const { item } = useLookUps();
  const look = useLookUp(async (text) => {
    const lot = plain(text);
    if (lot.length < SHORTEST_LABEL) return lot;
    const label = await unlessAway(item(text, item_id));
    return label?.scan.lot_number ?? lot;
  }, found);
  return (
    <>
      <Refused error={look.error} scanned={look.scanned} />
      <ScanField label={t("scanLot")} onScan={look.take} />
    </>
  );
}
