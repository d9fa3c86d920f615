import { readScan } from "../../src/platform/barcodes/scan.js";
import { isOwnCode } from "../../src/platform/barcodes/sql.js";
import { text } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";
import { SerialIsItemCode, SerialNamedTwice, SerialsNotKept, SerialsRequired } from "../../src/serials/problems.js";

interface Named {
  quantity: number;
  serial_number?: string | null | undefined;
  serial_numbers?: string[] | null | undefined;
}

/** The serial that a code names: the one of a GS1 label, else the code itself. */
export const serialIn = (code: string): string => readScan(code).holds.serial_number ?? code;

/** The serials that codes name; refused where one is named twice. */
export function serialsIn(codes: string[], sku: string): string[] {
  const serials = codes.map(serialIn);
  const twice = serials.find((serial, i) => serials.indexOf(serial) < i);
  if (twice !== undefined) throw SerialNamedTwice({ serial: twice, sku });
  return serials;
}

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
  const serials = serialsIn(serial_numbers?.length ? serial_numbers : serial_number ? [serial_number] : [], sku);
  if (serials.length !== quantity) throw SerialsRequired({ sku, given: serials.length, quantity });
  return serials;
}

/** Refuses codes of the item itself, which a scanner reads from the same label: they are no serials of units. */
export async function refuseItemCodes(tx: Sql, units: { item_id: number; serial: string }[]): Promise<void> {
  if (units.length === 0) return;
  const [wrong] = await tx.rows(
    { serial: text, sku: text },
    `select serial, sku
     from unnest($1::int[], $2::text[], $3::text[]) with ordinality as u(item_id, serial, forms, place)
     join items using (item_id) where ${isOwnCode("serial", "string_to_array(forms, ',')")} order by place limit 1`,
    [
      units.map(({ item_id }) => item_id),
      units.map(({ serial }) => serial),
      units.map(({ serial }) => readScan(serial).forms.join()),
    ],
  );
  if (wrong) throw SerialIsItemCode(wrong);
}
