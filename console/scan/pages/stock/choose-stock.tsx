import type { BinItem } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/scan-stock.js";
import { ItemField, labelFor, type Scanned } from "../../components/item-field.js";
import { Choice, Refused, Screen, Waiting } from "../../components/parts.js";
import type { Bin, Chosen } from "./progress.js";

interface ChooseStockProps {
  from: Bin;
  choose: (chosen: Chosen, scanned?: string) => void;
  back: () => void;
}

/** What lies in the bin, each lot by itself. */
export function ChooseStock({ from, choose, back }: ChooseStockProps) {
  const path = { barcode: from.bin_barcode };
  const query = { warehouse_id: from.warehouse_id };
  const { data, error } = useRead("/api/lookup/bin/{barcode}", { path, query });
  const rows = data?.items.filter(({ quantity_on_hand }) => quantity_on_hand > 0) ?? [];
  const take = (row: BinItem, scanned?: Scanned) => {
    const { item_id, sku, item_name, lot_number, quantity_on_hand } = row;
    const label = scanned && labelFor(row, scanned);
    choose({ item_id, sku, item_name, lot_number, on_hand: quantity_on_hand, ...label }, scanned?.text);
  };
  return (
    <Screen title={t("inBin", { bin: from.bin_code })} back={back}>
      {!data && (error ? <Refused error={error} /> : <Waiting />)}
      {data && rows.length === 0 && <p>{t("isEmpty", { bin: from.bin_code })}</p>}
      {rows.length > 0 && <ItemField label={t("scanItem")} known={rows} found={take} />}
      <ul className="choices">
        {rows.map((row) => (
          <Choice
            key={`${row.item_id}-${row.lot_number}`}
            title={row.sku}
            text={row.lot_number ? `${row.item_name} · ${t("lot")} ${row.lot_number}` : row.item_name}
            note={t("available", { available: row.quantity_available, onHand: row.quantity_on_hand })}
            choose={() => take(row)}
          />
        ))}
      </ul>
    </Screen>
  );
}
