import { readScan } from "../../src/platform/barcodes/scan.js";
import { SerialNamedTwice, SerialsNotKept, SerialsRequired } from "../../src/serials/problems.js";

interface Named {
  quantity: number;
  serial_number?: string | null | undefined;
  serial_numbers?: string[] | null | undefined;
}

/** The serial that a code names: the one of a GS1 label, else the code itself. */
export const serialIn = (code: string): string => readScan(code).holds.serial_number ?? code;

/** The labels among the codes that name serials: they have to be the item's own. */
export const labelsOf = <T extends Named & { item_id: number }>({ item_id, serial_numbers }: T) =>
  (serial_numbers ?? [])
    .filter((code) => readScan(code).holds.serial_number !== null)
    .map((scanned_barcode) => ({ item_id, scanned_barcode }));

/**
 * The serials of received units, none where the item asks for none; refused by name where they are not as many as
 * units, or one is named twice.
 */
export function serialsOf(
  named: Named,
  { sku, serial_policy }: { sku: string; serial_policy: string },
  asking: readonly string[],
): string[] {
  const { quantity, serial_number, serial_numbers } = named;
  if (!asking.includes(serial_policy)) {
    // A single serial is noted at the receipt, as it always was.
    if (serial_numbers?.length) throw SerialsNotKept({ sku, serial_policy });
    return [];
  }
  const serials = (serial_numbers ?? (serial_number ? [serial_number] : [])).map(serialIn);
  const twice = serials.find((serial, i) => serials.indexOf(serial) < i);
  if (twice !== undefined) throw SerialNamedTwice({ serial: twice, sku });
  if (serials.length !== quantity) throw SerialsRequired({ sku, given: serials.length, quantity });
  return serials;
}
