import type { FoundBin } from "../../../client/src/index.js";
import { api } from "../../shared/api.js";
import { t } from "../../texts/scan.js";
import { plain, useLookUp } from "../look-up.js";
import { right } from "../signals.js";
import { Refused } from "./parts.js";
import { ScanField } from "./scan-field.js";
import { useWarehouse } from "./warehouse.js";

interface BinFieldProps {
  label: string;
  found: (bin: FoundBin) => unknown;
  /** A bin that it can't be. */
  except?: number | undefined;
  /** Whether bins of other warehouses will do. */
  anywhere?: boolean;
  /** The label of the item in hand, as it was scanned. Scanned again, it is one more of it and no bin. */
  again?: { label: string | undefined; oneMore: () => void };
}

/** Takes the scan of a bin. */
export function BinField({ label, found, except, anywhere = false, again }: BinFieldProps) {
  const { warehouse } = useWarehouse();
  const look = useLookUp(async (text) => {
    const input = { path: { barcode: plain(text) }, query: { warehouse_id: warehouse.id } };
    const { bin } = await api.get("/api/lookup/bin/{barcode}", input);
    if (!anywhere && bin.warehouse_id !== warehouse.id) throw new Error(t("binElsewhere", { bin: bin.bin_code }));
    if (bin.bin_id === except) throw new Error(t("sameBin", { bin: bin.bin_code }));
    return bin;
  }, found);
  const take = (text: string) => {
    if (text !== again?.label) return look.take(text);
    look.reset();
    right();
    return again.oneMore();
  };
  return (
    <>
      <Refused error={look.error} scanned={look.scanned} />
      <ScanField label={label} onScan={take} />
    </>
  );
}
