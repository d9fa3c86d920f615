/** What a barcode tells beside the item. */
export interface Scanned {
  /** As it was scanned. */
  text: string;
  /** What items, bins and orders are looked up by. */
  code: string;
  lot?: string;
  /** `YYYY-MM-DD`. */
  expiry?: string;
  serial?: string;
  quantity?: number;
}

/** The lengths of the application identifiers that a warehouse meets; one without ends at a separator. */
const lengths: Record<string, number | undefined> = {
  ...{ "00": 18, "01": 14, "02": 14, "11": 6, "13": 6, "15": 6, "17": 6 },
  ...{ "10": undefined, "21": undefined, "30": undefined, "37": undefined },
};
export const SEPARATOR = "\u001d";
const withoutSeparator = (text: string) => (text.startsWith(SEPARATOR) ? text.slice(1) : text);

/** The fields of a GS1 barcode by identifier; undefined where it is none, or has fields that are not known here. */
function fieldsOf(text: string): Map<string, string> | undefined {
  const isMarked = /^\](C1|d2|Q3|e0)/.test(text) || text.includes(SEPARATOR);
  let rest = withoutSeparator(text.replace(/^\](C1|d2|Q3|e0)/, ""));
  if (/^\(\d{2}\)/.test(rest))
    return new Map([...rest.matchAll(/\((\d{2,4})\)([^(]+)/g)].map(([, ai, value]) => [`${ai}`, `${value}`]));
  // A scanner that sends no symbology: only what begins with a whole GTIN and goes on.
  if (!isMarked && !/^01\d{14}(10|11|13|15|17|21|30|37)/.test(rest)) return undefined;
  const fields = new Map<string, string>();
  while (rest) {
    const ai = rest.slice(0, 2);
    if (!(ai in lengths)) return undefined;
    const end = rest.indexOf(SEPARATOR);
    const length = lengths[ai] ?? (end < 0 ? rest.length : end) - 2;
    fields.set(ai, rest.slice(2, 2 + length));
    rest = withoutSeparator(rest.slice(2 + length));
  }
  return fields;
}

/** `261130` as a day; the day 00 is the last of its month. */
function dayOf(text: string): string {
  const [year = 0, month = 0, day = 0] = (text.match(/\d\d/g) ?? []).map(Number);
  const date = new Date(Date.UTC(2000 + year, day === 0 ? month : month - 1, day));
  return date.toISOString().slice(0, 10);
}

/** A GTIN of 14 digits as it is printed: 12 digits as a UPC, 13 as an EAN. */
const printed = (gtin: string) => (gtin.startsWith("00") ? gtin.slice(2) : gtin.startsWith("0") ? gtin.slice(1) : gtin);

/** What was scanned: a plain code, or the fields of a GS1 barcode. */
export function readBarcode(text: string): Scanned {
  const plain = text.trim();
  const fields = fieldsOf(plain);
  const gtin = fields?.get("01") ?? fields?.get("02");
  if (!fields || !gtin) return { text: plain, code: fields?.get("00") ?? plain };
  const [lot, expiry, serial, quantity] = [
    fields.get("10"),
    fields.get("17"),
    fields.get("21"),
    fields.get("37") ?? fields.get("30"),
  ];
  return {
    text: plain,
    code: printed(gtin),
    ...(lot && { lot }),
    ...(expiry && { expiry: dayOf(expiry) }),
    ...(serial && { serial }),
    ...(quantity && { quantity: Number(quantity) }),
  };
}
