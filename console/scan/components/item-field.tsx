import { useState } from "react";
import type { Scanned as Label } from "../../../client/src/index.js";
import { t } from "../../texts/scan.js";
import { useLookUp } from "../look-up.js";
import { Candidates } from "./candidates.js";
import { useLookUps } from "./look-ups.js";
import { Choice, Refused } from "./parts.js";
import { ScanField } from "./scan-field.js";

export interface Item {
  item_id: number;
  sku: string;
  item_name: string;
}
/** What is on the screen of an item: stock has a lot, or none. */
type Row = Item & { upc: string | null; lot_number?: string | null };

/** A scan of an item as it came, and what the service read in it. */
export interface Scanned {
  text: string;
  label: Label;
}

interface ItemFieldProps<R extends Row> {
  label: string;
  /** What is on the screen. */
  known: R[];
  found: (row: R, scanned: Scanned) => unknown;
  /** Takes items that are not on the screen, where they will do. */
  others?: (item: Item, scanned: Scanned) => unknown;
}

/** Takes the scan of an item: its UPC, SKU or another barcode of it. */
export function ItemField<R extends Row>({ label, known, found, others }: ItemFieldProps<R>) {
  const [asked, setAsked] = useState<{ rows: R[]; scanned: Scanned }>();
  const { item: lookUp } = useLookUps();
  const look = useLookUp(
    async (text, chosen) => {
      const { item, scan } = await lookUp(text, chosen);
      const rows = known.filter(({ item_id }) => item_id === item.item_id);
      if (rows.length === 0 && !others) throw new Error(t("itemNotHere", { sku: item.sku }));
      const row = rowOf(rows, scan.lot_number);
      if (rows.length > 0 && !row) throw new Error(t("lotNotHere", { lot: scan.lot_number ?? "" }));
      return { item, rows, row, label: scan };
    },
    ({ item, rows, row, label }, text) => {
      const scanned = { text, label };
      if (!row) return others?.(item, scanned);
      const lots = firstOfEachLot(rows);
      return lots.length > 1 && label.lot_number === null ? setAsked({ rows: lots, scanned }) : found(row, scanned);
    },
  );
  return (
    <>
      <Refused error={look.error} scanned={look.scanned} />
      <Candidates error={look.error} among={others ? undefined : known} choose={look.choose} />
      {asked && !look.error && (
        <section>
          <h2>{t("whichLot")}</h2>
          <ul className="choices">
            {asked.rows.map((row) => (
              <Choice
                key={row.lot_number}
                title={row.lot_number ?? t("noLot")}
                text={row.sku}
                choose={() => found(row, asked.scanned)}
              />
            ))}
          </ul>
        </section>
      )}
      <ScanField
        label={label}
        onScan={(text) => {
          setAsked(undefined);
          return look.take(text);
        }}
      />
    </>
  );
}

/** Where there are several, the label or somebody has to say which one it is. */
const firstOfEachLot = <R extends Row>(rows: R[]) =>
  rows.filter(({ lot_number }, place) => rows.findIndex((row) => row.lot_number === lot_number) === place);

/** The row of the lot that the label names, else one of no lot; without a label that does, the first. */
const rowOf = <R extends Row>(rows: R[], lot: string | null): R | undefined =>
  lot === null
    ? rows[0]
    : (rows.find(({ lot_number }) => lot_number === lot) ?? rows.find(({ lot_number }) => !lot_number));

/** What moves stock takes the lot from the label that it is told of, so it is not told where stock is of no lot. */
export const labelFor = ({ lot_number }: { lot_number: string | null }, { text, label }: Scanned) =>
  label.lot_number === null || label.lot_number === lot_number ? { scanned_barcode: text } : {};
