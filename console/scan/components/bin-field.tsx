import { t } from "../../texts/scan.js";
import { plain, useLookUp } from "../look-up.js";
import { right } from "../signals.js";
import { type KnownBin, useLookUps } from "./look-ups.js";
import { Refused } from "./parts.js";
import { ScanField } from "./scan-field.js";
import { useWarehouse } from "./warehouse.js";

interface BinFieldProps {
  label: string;
  found: (bin: KnownBin) => unknown;
  /** Takes the code of a bin that the device does not know, without the net. */
  unknown?: (code: string) => unknown;
  /** A bin that it can't be. */
  except?: { bin_id: number | null; bin_code: string };
  /** Whether bins of other warehouses will do. */
  anywhere?: boolean;
  /** The label of the item in hand, as it was scanned. Scanned again, it is one more of it and no bin. */
  again?: { label: string | undefined; oneMore: () => void };
}

/** Takes the scan of a bin. */
export function BinField({ label, found, unknown, except, anywhere = false, again }: BinFieldProps) {
  const { warehouse } = useWarehouse();
  const { bin: lookUp } = useLookUps();
  const look = useLookUp(
    async (text) => {
      const bin = await lookUp(text);
      const code = bin?.bin_code ?? plain(text);
      if (!bin && !unknown) throw new Error(t("binNotOnDevice"));
      if (bin && !anywhere && bin.warehouse_id !== warehouse.id) throw new Error(t("binElsewhere", { bin: code }));
      if (bin ? bin.bin_id === except?.bin_id : code === except?.bin_code) throw new Error(t("sameBin", { bin: code }));
      return bin;
    },
    (bin, text) => (bin ? found(bin) : unknown?.(plain(text))),
  );
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
