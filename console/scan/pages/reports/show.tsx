import type { ReactNode } from "react";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/scan-look-up.js";
import { Choice, Refused, Screen, Waiting } from "../../components/parts.js";
import { Print } from "../../components/print.js";
import { useWarehouse } from "../../components/warehouse.js";

/** What is shown: a bin by its barcode, an item by its SKU, which may be a code of others too. */
export interface Shown {
  bin?: string;
  item?: { item_id: number; sku: string };
}

interface ShowProps {
  show: (shown: Shown) => void;
  /** For the next scan, and why the last one was wrong. */
  field: ReactNode;
  failure: ReactNode;
}

export function ShowBin({ bin, show, field, failure }: ShowProps & { bin: string }) {
  const { warehouse } = useWarehouse();
  const input = { path: { barcode: bin }, query: { warehouse_id: warehouse.id } };
  const { data, error } = useRead("/api/lookup/bin/{barcode}", input);
  const items = data?.items.filter(({ quantity_on_hand }) => quantity_on_hand > 0) ?? [];
  return (
    <Screen title={t("lookUp")} back={() => show({})}>
      {failure}
      <Refused error={error} />
      {field}
      {!data && !error && <Waiting />}
      {data && (
        <>
          <div className="card">
            <p className="place">{data.bin.bin_code}</p>
            <p className="dim">
              {[data.bin.zone_name, data.bin.aisle, data.bin.row_num, data.bin.level_num].filter(Boolean).join(" · ")}
            </p>
          </div>
          <section>
            <h2>{items.length > 0 ? t("inIt") : t("isEmpty")}</h2>
            <ul className="choices">
              {items.map(({ item_id, sku, item_name, lot_number, quantity_available, quantity_on_hand }) => (
                <Choice
                  key={`${item_id}-${lot_number}`}
                  title={sku}
                  text={lot_number ? `${item_name} · ${t("lot")} ${lot_number}` : item_name}
                  note={t("free", { available: quantity_available, onHand: quantity_on_hand })}
                  choose={() => show({ item: { item_id, sku } })}
                />
              ))}
            </ul>
          </section>
          <Print
            path={`/api/admin/bins/${data.bin.bin_id}/label`}
            label={t("label")}
            print={{ document: "bin_label", record_ids: [data.bin.bin_id] }}
          />
        </>
      )}
    </Screen>
  );
}

export function ShowItem({ item, show, field, failure }: ShowProps & Required<Pick<Shown, "item">>) {
  const { item_id, sku } = item;
  const { data, error } = useRead("/api/lookup/item/{barcode}", { path: { barcode: sku }, query: { item_id } });
  const places = data?.locations.filter(({ quantity_on_hand }) => quantity_on_hand > 0) ?? [];
  return (
    <Screen title={t("lookUp")} back={() => show({})}>
      {failure}
      <Refused error={error} />
      {field}
      {!data && !error && <Waiting />}
      {data && (
        <>
          <div className="card">
            <strong>{data.item.sku}</strong>
            {data.item.item_name}
            <p className="dim">{[data.item.upc, data.item.category].filter(Boolean).join(" · ")}</p>
          </div>
          <section>
            <h2>{places.length > 0 ? t("whereItIs") : t("isNowhere")}</h2>
            <ul className="choices">
              {places.map(({ bin_id, bin_code, zone_name, lot_number, quantity_available, quantity_on_hand }) => (
                <Choice
                  key={`${bin_id}-${lot_number}`}
                  title={bin_code}
                  text={lot_number ? `${zone_name} · ${t("lot")} ${lot_number}` : zone_name}
                  note={t("free", { available: quantity_available, onHand: quantity_on_hand })}
                  choose={() => show({ bin: bin_code })}
                />
              ))}
            </ul>
          </section>
          <Print
            path={`/api/admin/items/${data.item.item_id}/label`}
            label={t("label")}
            print={{ document: "item_label", record_ids: [data.item.item_id] }}
          />
        </>
      )}
    </Screen>
  );
}
