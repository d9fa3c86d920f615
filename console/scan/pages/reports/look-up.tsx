import { type FoundBin, type FoundItem, Refusal } from "../../../../client/src/index.js";
import { api } from "../../../shared/api.js";
import { t } from "../../../texts/scan-look-up.js";
import { Candidates } from "../../components/candidates.js";
import { Choice, Refused, Screen } from "../../components/parts.js";
import { ScanField } from "../../components/scan-field.js";
import { useWarehouse } from "../../components/warehouse.js";
import { plain, useLookUp } from "../../look-up.js";
import { useProgress } from "../../task.js";
import { ShowBin, ShowItem, type Shown } from "./show.js";

/** What lies in a bin, or where an item is. */
export default function LookUp() {
  const { warehouse } = useWarehouse();
  const [shown, show] = useProgress<Shown>("look-up", {});
  const search = useLookUp(
    async (text, chosen) => {
      const found = await scanned(text, warehouse.id, chosen);
      if (found) return { found };
      const [bins, items] = await Promise.all([
        api.get("/api/lookup/bin/search", { query: { q: text } }),
        api.get("/api/lookup/item/search", { query: { q: text } }),
      ]);
      if (bins.length + items.length === 0) throw new Error(t("nothing", { text }));
      return { bins, items };
    },
    // What may be meant is shown in the place of what was found before.
    ({ found = {} }) => show(found),
  );
  const field = (
    <>
      <Candidates error={search.error} choose={search.choose} />
      <ScanField label={t("scanAny")} onScan={search.take} />
    </>
  );
  const failure = <Refused error={search.error} scanned={search.scanned} />;
  if (shown.bin) return <ShowBin {...{ bin: shown.bin, show, field }} failure={failure} />;
  if (shown.item) return <ShowItem {...{ item: shown.item, show, field }} failure={failure} />;
  const { bins = [], items = [] } = search.data ?? {};
  return (
    <Screen title={t("lookUp")}>
      {failure}
      {field}
      {bins.length + items.length > 0 && <Suggestions {...{ bins, items, show }} />}
    </Screen>
  );
}

/** The bin or item with exactly this barcode. */
async function scanned(barcode: string, warehouse_id: number, chosen?: number): Promise<Shown | undefined> {
  const query = chosen === undefined ? {} : { item_id: chosen };
  const [bin, item] = await Promise.all([
    unlessUnknown(api.get("/api/lookup/bin/{barcode}", { path: { barcode: plain(barcode) }, query: { warehouse_id } })),
    unlessUnknown(api.get("/api/lookup/item/{barcode}", { path: { barcode }, query })),
  ]);
  if (bin && chosen === undefined) return { bin: bin.bin.bin_barcode };
  return item && { item: item.item };
}

async function unlessUnknown<A>(answer: Promise<A>): Promise<A | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined;
    throw error;
  }
}

interface SuggestionsProps {
  bins: FoundBin[];
  items: FoundItem[];
  show: (shown: Shown) => void;
}

const Suggestions = ({ bins, items, show }: SuggestionsProps) => (
  <section>
    <h2>{t("found")}</h2>
    <ul className="choices">
      {items.map(({ item_id, sku, item_name }) => (
        <Choice key={`item-${item_id}`} title={sku} text={item_name} choose={() => show({ item: { item_id, sku } })} />
      ))}
      {bins.map(({ bin_id, bin_code, bin_barcode, zone_name }) => (
        <Choice key={`bin-${bin_id}`} title={bin_code} text={zone_name} choose={() => show({ bin: bin_barcode })} />
      ))}
    </ul>
  </section>
);
